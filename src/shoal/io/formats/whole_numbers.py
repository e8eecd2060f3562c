"""Whole numbers of files that know only one kind of number."""

import polars as pl

__all__ = ["with_whole_numbers"]

_LARGEST = 2**53
"""Up to here every whole number is a number of double precision, and no two are the same."""


def with_whole_numbers(data: pl.DataFrame) -> pl.DataFrame:
    """Return a frame in which every column of floats that are all whole is one of whole numbers."""
    floats = [name for name, dtype in data.schema.items() if dtype.is_float()]
    if not floats:
        return data
    numbers = pl.col(floats)
    is_whole = ((numbers == numbers.round(0)) & (numbers.abs() <= _LARGEST)).all()  # missing ones are not counted
    whole = data.select(is_whole).row(0, named=True)
    given = {name: data[name].null_count() < data.height for name in floats}
    return data.cast({name: pl.Int64 for name in floats if whole[name] and given[name]})
