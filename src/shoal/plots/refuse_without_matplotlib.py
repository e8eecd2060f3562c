"""Whether there is anything to draw with."""

from shoal.errors import MissingExtraError

__all__ = ["refuse_without_matplotlib"]


def refuse_without_matplotlib() -> None:
    """Raise where the extra that draws is not installed: before the long work, not after it."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError:
        raise MissingExtraError("Plots need the extra part 'plots'.", "Run: pip install 'shoal[plots]'") from None
