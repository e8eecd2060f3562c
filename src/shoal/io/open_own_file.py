"""Open the file in which one person says what is known of them."""

from pathlib import Path

from shoal.errors import SchemaError

from .contents import find_contents
from .open_tabular import open_tabular
from .tabular_file import TabularFile

__all__ = ["open_own_file"]


def open_own_file(path: str | Path) -> TabularFile:
    """Give the one file at a path, which has a header and needs no schema."""
    only, *others = find_contents(Path(path))
    if others:
        raise SchemaError(f"{path} holds several data files.", "Name one of them.")
    return open_tabular(only, None)
