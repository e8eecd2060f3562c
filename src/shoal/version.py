"""The version of Shoal, written into every certificate."""

__version__ = "0.1.0"
