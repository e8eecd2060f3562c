"""Minimal keys: sets of columns that no two records agree in, and of which no column can be left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from shoal.evidence import sizes_of_equal_codes

from .column_values import ColumnValues
from .row_sample import RowSample
from .separation import Separation

__all__ = ["MinimalKeys", "minimal_keys"]

_WIDEST = 4
_LOOKS = (500, 4_000)
"""So many records of the sample are looked at first, since most sets that are no keys show it soon."""
_CANDIDATES = 12
_BUDGET = 2_000_000
"""Sets that a sample does not refute are counted in all records, as long as these are no more than so many together."""


@dataclass(frozen=True)
class MinimalKeys:
    """The minimal keys that were found."""

    keys: tuple[tuple[str, ...], ...]
    widest: int
    """Keys of more columns were not looked for."""
    complete: bool
    """Whether every set of at most so many columns was decided."""


def minimal_keys(
    columns: Sequence[ColumnValues], sample: RowSample | None = None, counted: Sequence[Separation] = ()
) -> MinimalKeys:
    """Return all minimal keys of up to four columns, as far as the budget reaches.

    A set in which two records of a sample agree is no key. What the sample does not refute is counted in all records,
    unless it is among the sets that have been ``counted`` already. Of more than twelve columns, those with most
    distinct values are looked at.
    """
    telling = sorted((each for each in columns if each.counted.told_apart > 1), key=lambda each: -len(each.counted))
    search = _Search(telling[:_CANDIDATES], RowSample(telling) if sample is None else sample)
    search.decided = {frozenset(each.columns): each.distinction == 1 for each in counted}
    keys = tuple(search.run())
    return MinimalKeys(keys, _WIDEST, complete=search.complete and len(telling) <= _CANDIDATES)


class _Search:
    def __init__(self, columns: Sequence[ColumnValues], sample: RowSample) -> None:
        self._columns, self._sample = columns, sample
        self._rows = len(columns[0]) if columns else 0
        self._values = {each.name: each.counted.told_apart for each in columns}
        self._left, self._is_used_up = _BUDGET, False
        self.complete = True
        self.decided: dict[frozenset[str], bool] = {}

    def run(self) -> Iterator[tuple[str, ...]]:
        found: list[set[str]] = []
        for width in range(1, min(_WIDEST, len(self._columns)) + 1):
            for columns in combinations(self._columns, width):
                names = tuple(column.name for column in columns)
                if any(key <= set(names) for key in found) or not self._is_key(columns, names):
                    continue
                found.append(set(names))
                yield names

    def _is_key(self, columns: Sequence[ColumnValues], names: Sequence[str]) -> bool:
        if prod(self._values[name] for name in names) < self._rows:
            return False  # there are fewer combinations than records
        if len(names) == 1:
            return self._values[names[0]] == self._rows
        if self._is_used_up and frozenset(names) not in self.decided:
            return False
        for n in (*_LOOKS, len(self._sample)):
            if n <= len(self._sample) and self._sample.n_different(names, n) < n:
                return False
        if self._sample.is_all:
            return True
        if frozenset(names) in self.decided:
            return self.decided[frozenset(names)]
        if self._left < self._rows:
            self._is_used_up, self.complete = True, False
            return False
        self._left -= self._rows
        return len(sizes_of_equal_codes([column.codes for column in columns], self._rows)) == self._rows
