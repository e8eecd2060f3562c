"""Whether a file that was written holds what it was to hold: some formats round, shorten or reinterpret values."""

import polars as pl

from shoal.errors import DataError

from .tabular_file import TabularFile

__all__ = ["refuse_unfaithful"]


def refuse_unfaithful(meant: pl.DataFrame, file: TabularFile, title: str) -> None:
    """Compare a file as it is read with what was meant; refuse a format that cannot hold it, naming the column."""
    found = file.frame(*file.names) if file.rows else pl.DataFrame(schema=file.scan.collect_schema())
    if tuple(meant.columns) != file.names or meant.height != found.height:
        raise DataError(f"A file of {title} cannot hold these columns and records.", _CURE)
    for name in meant.columns:
        if not _are_equal(meant[name], found[name]):
            raise DataError(f"A file of {title} cannot hold the values of the column {name!r} as they are.", _CURE)


_CURE = "Choose another format, such as --format csv or --format parquet."


def _are_equal(meant: pl.Series, found: pl.Series) -> bool:
    if meant.dtype == pl.String or meant.null_count() == len(meant):  # a column without values has no type
        kind: pl.DataType | type[pl.DataType] = pl.String
    elif meant.dtype.is_temporal():
        kind = pl.Date if meant.dtype == pl.Date else pl.Datetime("us")
    else:
        kind = pl.Int64 if meant.dtype.is_integer() else pl.Float64
    if kind != pl.String and (found.dtype == pl.Date) != (kind == pl.Date):
        return False
    try:
        pair = [_text(each) if kind == pl.String else each.cast(kind) for each in (meant, found)]
    except pl.exceptions.PolarsError:
        return False
    return pair[0].equals(pair[1], check_names=False)


def _text(values: pl.Series) -> pl.Series:
    """Return text as it is read: without spaces around it, and nothing as null."""
    return values.cast(pl.String).str.strip_chars().replace("", None)
