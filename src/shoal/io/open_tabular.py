"""Open a file with named columns by the format it is in."""

from .contents import Contents
from .delimited_text import open_delimited
from .parquet_file import is_parquet, open_parquet
from .schema import Schema, TableSchema
from .statistical_file import is_statistical, open_statistical
from .tabular_file import TabularFile

__all__ = ["is_text", "open_tabular"]


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
