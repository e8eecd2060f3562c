"""Which records have the same values in several columns."""

from collections.abc import Iterable

import numpy as np

from shoal.data import Column
from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["equal_tuples"]

_LARGEST_KEY = 2**62


def equal_tuples(columns: Iterable[Column], n_records: int) -> tuple[np.ndarray, int]:
    """Number equal combinations of values exactly, as many columns at a time as one key can hold."""
    keys, span = np.zeros(n_records, np.int64), 1
    for column in columns:
        width = len(column.vocabulary)
        if span * width >= _LARGEST_KEY:
            keys, span = distinct_keys(keys)
        keys = keys * width + column.codes
        span *= width
    return distinct_keys(keys)
