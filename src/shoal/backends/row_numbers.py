"""The numbers of rows in their file, which whoever reads a piece of it adds: pieces know where they begin."""

import polars as pl

from .base import Columns

__all__ = ["number_column", "numbered"]


def number_column(name: str | None) -> Columns:
    """Return the column of numbers, if one is asked for."""
    return {} if name is None else {name: pl.UInt64()}


def numbered(rows: pl.DataFrame, name: str | None, first: int) -> pl.DataFrame:
    """Return rows with their numbers, of which this is the first, in a last column, if one is asked for."""
    if name is None:
        return rows
    return rows.with_columns(pl.int_range(first, first + rows.height, dtype=pl.UInt64, eager=True).alias(name))
