"""A folder to draw into."""

from pathlib import Path

from shoal.errors import FileError, MissingExtraError

__all__ = ["plot_folder"]


def plot_folder(folder: str | Path) -> Path:
    """Make sure that there is a folder and something to draw with: before the long work, not after it."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError:
        raise MissingExtraError("Plots need the extra part 'plots'.", "Run: pip install 'shoal[plots]'") from None
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError:
        raise FileError(f"The folder {folder} for the plots cannot be made.", "Choose another one.") from None
    return Path(folder)
