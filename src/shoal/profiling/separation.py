"""How well sets of columns tell records apart: distinction and separation (Motwani and Xu 2007).

The *distinction ratio* of a set is the number of its different combinations of values as a share of the records. The
*separation ratio* is the share of the pairs of records that differ in at least one of its columns. A set of columns
that others may know is the more of a risk the higher both are; a set with ratios of 1 is a key. Everything is counted
in whole numbers and in all records; only which sets are worth showing is chosen on a sample of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from shoal.evidence import equal_codes, people_by_class, sizes_of_equal_codes
from shoal.wording.format import format_count

from .column_values import ColumnValues
from .row_sample import RowSample

__all__ = ["Separation", "riskiest_sets", "separation"]


@dataclass(frozen=True)
class Separation:
    """How a set of columns tells records apart."""

    columns: tuple[str, ...]
    records: int
    classes: int
    """How many different combinations of values there are."""
    pairs_alike: int
    """How many pairs of records have equal values in all of the columns."""
    alone: int
    """How many people (records, where no column names the person) nobody else equals."""

    @property
    def distinction(self) -> Fraction:
        """Different combinations as a share of the records."""
        return Fraction(self.classes, self.records)

    @property
    def separation(self) -> Fraction:
        """The share of pairs of records that are told apart; 1 of a single record."""
        pairs = self.records * (self.records - 1) // 2
        return 1 - Fraction(self.pairs_alike, pairs) if pairs else Fraction(1)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "columns": list(self.columns),
            "distinct": self.classes,
            "distinction": float(self.distinction),
            "separation": float(self.separation),
            "alone": self.alone,
        }

    def __str__(self) -> str:
        return f"{', '.join(self.columns)}: {format_count(self.classes, 'combination')}, {self.alone:,} alone"


def separation(columns: Sequence[ColumnValues], persons: np.ndarray | None = None) -> Separation:
    """Count how a set of columns tells records apart, and how many people it singles out."""
    rows = len(columns[0])
    if persons is None:
        sizes = _sizes(columns)
        alone = int(np.count_nonzero(sizes == 1))
    else:
        labels, found = equal_codes((column.codes for column in columns), rows)
        sizes = np.bincount(labels, minlength=found)
        alone = _people_alone(labels, people_by_class(labels, found, persons), persons)
    alike = int((sizes * (sizes - 1) // 2).sum())
    return Separation(tuple(column.name for column in columns), rows, len(sizes), alike, alone)


def _sizes(columns: Sequence[ColumnValues]) -> np.ndarray:
    if len(columns) > 1:
        return sizes_of_equal_codes((column.codes for column in columns), len(columns[0]))
    counted = columns[0].counted
    return np.append(counted.counts, counted.missing) if counted.missing else counted.counts


def _people_alone(labels: np.ndarray, people: np.ndarray, persons: np.ndarray) -> int:
    """Return how many people have a record in a class of nobody else."""
    return len(np.unique(persons[people[labels] == 1]))


_ROUNDS = ((4_000, 12), (20_000, 3))
"""The sets that tell most of so many sampled records apart stay, so many of them."""
_WIDEST = 3
_CANDIDATES = 12


def riskiest_sets(
    columns: Sequence[ColumnValues], persons: np.ndarray | None = None, sample: RowSample | None = None
) -> tuple[Separation, ...]:
    """Return single columns, pairs and triples that tell most records apart, three of each size.

    Of more than twelve columns, those with most distinct values are looked at. Larger data are first looked at in a
    sample, which decides what is shown; what is shown is then counted in all records.
    """
    telling = sorted((each for each in columns if each.counted.told_apart > 1), key=lambda each: -len(each.counted))
    telling = telling[:_CANDIDATES]
    sample = RowSample(telling) if sample is None else sample
    shown = []
    for width in range(1, min(_WIDEST, len(telling)) + 1):
        sets = [*combinations(telling, width)]
        for n, left in _ROUNDS:
            if len(sets) > left:  # sorting keeps equals in their order
                sets.sort(key=lambda columns: -sample.n_different([column.name for column in columns], n))
                sets = sets[:left]
        shown += [separation(columns, persons) for columns in sets]
    return tuple(shown)
