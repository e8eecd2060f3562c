"""Which records have the same values in several columns."""

from collections.abc import Iterable

import numpy as np

from shoal.data import Column
from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["equal_codes", "equal_tuples"]

_LARGEST_KEY = 2**62


def equal_tuples(columns: Iterable[Column], n_records: int) -> tuple[np.ndarray, int]:
    """Number equal combinations of values exactly, in the order in which they first occur."""
    return equal_codes(((column.codes, len(column.vocabulary)) for column in columns), n_records)


def equal_codes(parts: Iterable[tuple[np.ndarray, int]], n_records: int) -> tuple[np.ndarray, int]:
    """Number equal combinations of codes, of which each part has so many, as many parts at a time as one key holds."""
    keys, span = np.zeros(n_records, np.int64), 1
    for codes, width in parts:
        if span * width >= _LARGEST_KEY:
            keys, span = distinct_keys(keys)
        keys = keys * width + codes
        span *= width
    return distinct_keys(keys)
