"""Open a file with named columns by the format it is in."""

from pathlib import Path

from shoal.errors import SchemaError
from shoal.io.schema import Schema, TableSchema

from .contents import Contents, find_contents
from .delimited_text import open_delimited
from .parquet_file import is_parquet, open_parquet
from .statistical_file import is_statistical, open_statistical
from .tabular_file import TabularFile

__all__ = ["is_text", "open_own_file", "open_tabular"]


def open_tabular(contents: Contents, schema: Schema | None) -> TabularFile:
    """Open Parquet, SPSS, Stata, SAS, or else delimited text."""
    if is_parquet(contents):
        return open_parquet(contents)
    if is_statistical(contents):
        return open_statistical(contents, labels=isinstance(schema, TableSchema))
    return open_delimited(contents, schema)


def is_text(contents: Contents) -> bool:
    """Tell whether a file is text, as far as its name and first bytes say."""
    return not is_parquet(contents) and not is_statistical(contents)


def open_own_file(path: str | Path) -> TabularFile:
    """Return the one file at a path, which has a header and needs no schema."""
    only, *others = find_contents(Path(path))
    if others:
        raise SchemaError(f"{path} holds several data files.", "Name one of them.")
    return open_tabular(only, None)
