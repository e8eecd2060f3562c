"""Parquet."""

import polars as pl

from shoal.errors import SchemaError

from .contents import Contents
from .tabular_file import TabularFile, faults_of

__all__ = ["is_parquet", "open_parquet"]


def is_parquet(contents: Contents) -> bool:
    """Tell whether this is, or is named as, a Parquet file."""
    return contents.head(4) == b"PAR1" or contents.name.lower().endswith((".parquet", ".pq"))


def open_parquet(contents: Contents) -> TabularFile:
    """Read the names and types of the columns; nested columns are refused."""
    with faults_of(contents.name):
        scan = pl.scan_parquet(contents.source)
        types = scan.collect_schema()
        rows = int(scan.select(pl.len()).collect().item())
    for name, dtype in types.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise SchemaError(f"The column {name!r} of {contents.name} is not of a simple type.", "Leave it out.")
    if not types:
        raise SchemaError(f"{contents.name} has no columns.")
    return TabularFile(contents.name, tuple(types), scan, rows, False, (*contents.notes, "It is a Parquet file."))
