"""Columns that determine one another: always, or with few exceptions.

What *determines* means is defined in :mod:`shoal.column_audit.dependency`. A pair of columns that a sample of the
records refutes is not looked at again; every dependency that is reported was found in all records.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from shoal.column_audit.dependency import determination
from shoal.evidence import PairCounts

from .column_values import ColumnValues
from .row_sample import RowSample

__all__ = ["ColumnDependency", "column_dependencies"]

_FIRST_LOOK = 2_000
_REFUTED = 10
"""One exception in so many refutes; one in twenty is allowed, and a sample may have somewhat more."""
_ENOUGH = 200
"""So many records must share their value with others before they refute anything."""
_DRAWN_VALUES = 1_000


@dataclass(frozen=True)
class ColumnDependency:
    """A column whose values determine those of another."""

    column: str
    determines: str
    exact: bool
    """Whether there is no exception."""
    mutual: bool
    """Whether the other determines this one as well: both then carry the same information."""
    same: bool = False
    """Whether both have the same values."""

    def __str__(self) -> str:
        if self.same:
            return f"{self.column!r} and {self.determines!r} are the same column twice"
        nearly = "" if self.exact else "nearly always "
        if self.mutual:
            return f"{self.column!r} and {self.determines!r} {nearly}determine each other"
        return f"{self.column!r} {nearly}determines {self.determines!r}"

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return asdict(self)


def column_dependencies(
    columns: Sequence[ColumnValues], persons: np.ndarray | None = None, sample: RowSample | None = None
) -> tuple[ColumnDependency, ...]:
    """Return every dependency between two of the columns; constant ones and those that tell all records apart are out.

    ``persons`` has the person of each record: a person who has a pair of values in several records counts once.
    """
    telling = [each for each in columns if each.counted.told_apart > 1 and not each.counted.is_unique]
    pairs = list(combinations(telling, 2))
    sample = RowSample(telling) if sample is None else sample
    if not sample.is_all:
        drawn = {each.name: _Drawn(each, sample) for each in telling}
        pairs = [(a, b) for a, b in pairs if drawn[a.name].may_determine(b) or drawn[b.name].may_determine(a)]
    return tuple(found for a, b in pairs for found in _between(a, b, persons))


class _Drawn:
    """Records that share their value of a column with others, drawn to see whether they agree in another column."""

    def __init__(self, column: ColumnValues, sample: RowSample) -> None:
        self._column, self._sample = column, sample

    def may_determine(self, other: ColumnValues) -> bool:
        """Return whether a sample leaves it open that the column determines another, at least nearly."""
        others, width = self._sample.codes(other.name)
        for rows, codes in self._looks:
            if _REFUTED * _exceptions(codes, others[rows], width) > len(rows):
                return False
        if self._is_enough:
            return True
        # nearly all values are rare, so records are drawn by their values
        return _REFUTED * _exceptions(self._of_rows, *other.sampled(self._rows).codes) <= len(self._rows)

    @cached_property
    def _looks(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The records that share their value with others of the sample, and their codes: of a part first, then of all.

        A look at too few such records is left out.
        """
        looks = (_sharing(self._sample.codes(self._column.name)[0][:n]) for n in (_FIRST_LOOK, len(self._sample)))
        return [(rows, codes) for rows, codes in looks if len(rows) >= _ENOUGH]

    @property
    def _is_enough(self) -> bool:
        """Whether enough records of the whole sample share their value, which then hold those of any part."""
        return len(self._looks) > 0

    @cached_property
    def _rows(self) -> np.ndarray:
        shared = np.flatnonzero(self._column.counted.counts > 1)
        if len(shared) > _DRAWN_VALUES:
            shared = np.random.default_rng(len(shared)).choice(shared, _DRAWN_VALUES, replace=False)
        return self._column.sharing(shared)

    @cached_property
    def _of_rows(self) -> np.ndarray:
        return self._column.sampled(self._rows).codes[0]


def _sharing(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the records that share their code, and their codes numbered anew."""
    _, numbers, counts = np.unique(codes, return_inverse=True, return_counts=True)
    rows = np.flatnonzero(counts[numbers.ravel()] > 1)
    return rows, np.unique(numbers.ravel()[rows], return_inverse=True)[1].ravel()


def _exceptions(codes: np.ndarray, others: np.ndarray, width: int) -> int:
    """Return how many records do not have the other code that is usual for their code."""
    n_codes = int(codes.max(initial=-1)) + 1
    keys = codes.astype(np.int64) * width + others
    if n_codes * width <= _PLACES * len(keys):
        usual = np.bincount(keys, minlength=n_codes * width).reshape(n_codes, width).max(axis=1)
        return len(keys) - int(usual.sum())
    found, counts = np.unique(keys, return_counts=True)
    starts = np.flatnonzero(np.diff(found // width, prepend=-1))
    return len(keys) - int(np.maximum.reduceat(counts, starts).sum())


_PLACES = 4
"""Up to so many places for pairs per record, pairs are counted in an array; beyond, they are sorted."""


def _between(one: ColumnValues, other: ColumnValues, persons: np.ndarray | None) -> Iterator[ColumnDependency]:
    pairs = PairCounts.of(one.codes[0], one.codes[1], other.codes[0], other.codes[1], persons)
    forward, backward = determination(pairs), determination(pairs.swapped)
    if forward.whole and backward.whole:
        exact = forward.exact and backward.exact
        yield ColumnDependency(one.name, other.name, exact, True, same=exact and _are_same(one, other))
    elif forward.whole:
        yield ColumnDependency(one.name, other.name, forward.exact, False)
    elif backward.whole:
        yield ColumnDependency(other.name, one.name, backward.exact, False)


def _are_same(one: ColumnValues, other: ColumnValues) -> bool:
    return one.type == other.type and bool(one.values.eq_missing(other.values).all())
