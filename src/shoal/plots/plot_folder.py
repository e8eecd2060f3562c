"""A folder to draw into."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from shoal.errors import FileError, MissingExtraError

__all__ = ["plot_folder"]


@contextmanager
def plot_folder(folder: str | Path) -> Iterator[Path]:
    """Make sure that there is a folder and something to draw with: before the long work, not after it.

    Folders that were made for it go again if nothing comes of the work.
    """
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError:
        raise MissingExtraError("Plots need the extra part 'plots'.", "Run: pip install 'shoal[plots]'") from None
    folder = Path(folder)
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise FileError(f"The folder {folder} for the plots cannot be made.", "Choose another one.") from None
        yield folder
    except BaseException:
        with suppress(OSError):  # one that is not empty stays
            for each in made:
                each.rmdir()
        raise
