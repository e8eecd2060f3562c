"""A sample of the records, on which most of what does not hold is refuted before all records are looked at."""

from collections.abc import Sequence

import numpy as np

from .column_values import ColumnValues

__all__ = ["SAMPLED", "RowSample"]

SAMPLED = 20_000
"""So many records are drawn."""


class RowSample:
    """The codes of records drawn at random, in random order, so that any first part of them is a sample as well."""

    def __init__(self, columns: Sequence[ColumnValues], size: int = SAMPLED) -> None:
        rows = len(columns[0]) if columns else 0
        self.is_all = rows <= size
        """Whether there are no more records than these."""
        # always the same of as many, so that a description can be repeated
        drawn = None if self.is_all else np.random.default_rng(rows).choice(rows, size, replace=False)
        self._columns = {each.name: each if drawn is None else each.sampled(drawn) for each in columns}
        self._n = rows if drawn is None else size

    def __len__(self) -> int:
        return self._n

    def codes(self, name: str) -> tuple[np.ndarray, int]:
        """Return the codes of a column, and how many codes there may be."""
        return self._columns[name].codes

    def n_different(self, names: Sequence[str], first: int | None = None) -> int:
        """Return how many different combinations of values the first so many records have."""
        n = len(self) if first is None else min(first, len(self))
        keys, span = np.zeros(n, np.int64), 1
        for name in names:
            codes, width = self.codes(name)
            if span * width >= _LARGEST_KEY:
                keys, span = np.unique(keys, return_inverse=True)[1].ravel(), n
            keys, span = keys * width + codes[:n], span * width
        if span <= _PLACES * n:
            return int(np.count_nonzero(np.bincount(keys, minlength=1)))
        keys.sort()
        return int(np.count_nonzero(np.diff(keys))) + min(n, 1)


_LARGEST_KEY = 2**62
_PLACES = 4
