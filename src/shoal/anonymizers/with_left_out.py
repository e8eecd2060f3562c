"""A table of which a method tells some records and leaves out the others."""

import numpy as np

from shoal.data import Column, Microdata

from .base import Recoding

__all__ = ["with_left_out"]


def with_left_out(table: Microdata, rows: np.ndarray, told: Microdata) -> Recoding:
    """Return the recoding in which these ``rows`` of the table are ``told`` and all others are withheld."""
    if len(rows) == len(table):
        return Recoding(told)
    withheld = np.ones(len(table), bool)
    withheld[rows] = False
    columns = tuple(_spread(column, rows, len(table)) for column in told.quasi_identifiers)
    return Recoding(table.replaced(columns), withheld=withheld)


def _spread(column: Column, rows: np.ndarray, n: int) -> Column:
    """Return the column of all records; how those that are left out are told does not matter."""
    codes = np.full(n, column.codes[0], np.int32)
    codes[rows] = column.codes
    return column.recoded(column.vocabulary, codes)
