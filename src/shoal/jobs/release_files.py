"""The files that a release consists of, as its certificate names them."""

from pathlib import Path

from shoal.io.folders.release import files_named

__all__ = ["files_of_release"]


def files_of_release(folder: Path) -> list[str]:
    """Return the names of the files of a release, relative to its folder; refuse a folder that is none."""
    return files_named(folder)
