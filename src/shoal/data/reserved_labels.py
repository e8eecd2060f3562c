"""The labels that mean the same in every hierarchy."""

from typing import Final

__all__ = ["MISSING", "ROOT"]

ROOT: Final = "*"
"""Any value at all."""
MISSING: Final = "missing"
"""No value, on levels where the others are told by intervals, dates or sets."""
