"""What was published unchanged: cells kept and changed, records withheld, and records that are original and unique.

**Cells kept**: the share of the original cells that are published exactly as they were.

*Definition.* On ratings, the non-sensitive ratings given that are published unchanged, divided by all of them; 0 where
a method publishes something else in the place of ratings. On tables, the quasi-identifier cells whose published label
is the original value, divided by all of them. Cells of withheld records are not kept. *Unit.* A share.

**Original and unique**: the share of published records that equal their original and no other published record.

*Definition.* A published record counts when its observable part (non-sensitive ratings with their gaps, or
quasi-identifiers) equals that of its original, and no published record of another person has the same. Whoever knows
that part exactly finds the record, and knows that it is the right one. Where items of sets are published generalized,
the original is taken under the published labels, because whoever knows an item can look up its label. *Unit.* A share
of the published records; where a record stands for several people, of the people.
"""

import numpy as np
import polars as pl

from shoal.data import PARTS, Column, Microdata, RatingMatrix, Ratings, Records, Survey, Vocabulary
from shoal.engines import LocalEngine
from shoal.utility.comparison import Comparison
from shoal.utility.measure import measure

__all__ = ["cells_changed", "cells_kept", "changed_cells", "original_and_unique", "records_withheld"]


@measure("cells changed", unit="cells", place=40, unchanged=0)
def cells_changed(comparison: Comparison) -> int:
    """The number of ratings published with another value, or of items or quasi-identifier cells generalized."""
    if comparison.ratings is not None:
        return comparison.ratings.changed
    return comparison.once(_n_changed)


def _n_changed(comparison: Comparison) -> int:
    return sum(int(np.count_nonzero(changed_cells(before, after))) for before, after in comparison.columns)


def changed_cells(before: Column, after: Column) -> np.ndarray:
    """Return the mask of the cells of a column that are not published with their original value."""
    if before.vocabulary is after.vocabulary:
        return before.codes != after.codes
    words = [column.vocabulary.values.cast(pl.String) for column in (before, after)]
    _, numbers = Vocabulary.encode(pl.concat(words))  # equal words have equal numbers
    mine, theirs = numbers[: len(words[0])], numbers[len(words[0]) :]
    return mine[before.codes] != theirs[after.codes]


@measure("cells kept", unit="share of cells", place=100, unchanged=1)
def cells_kept(comparison: Comparison) -> float:
    """The share of the ratings given, or of the quasi-identifier cells, that are published unchanged."""
    whole, ratings = comparison.whole, comparison.ratings
    if ratings is not None:
        cells, there = comparison.n_given[0], comparison.n_given[1] - ratings.dropped
    else:
        width = len(comparison.columns)
        cells, there = len(whole) * width, len(comparison.origins) * width
    if comparison.replaced:
        return 0.0
    return (there - cells_changed(comparison)) / cells if cells else 1.0


@measure("records withheld", unit="records", place=70, unchanged=0, whole=True)
def records_withheld(comparison: Comparison) -> int:
    """The number of original records that are not published."""
    return comparison.withheld


@measure("original and unique", unit="share of records", place=120, whole=True)
def original_and_unique(comparison: Comparison) -> float:
    """The share of published records that equal their original and no other published record."""
    if not _has_classes_in_people(comparison.released) and comparison.sizes.min(initial=2) > 1:
        return 0.0  # nobody is unique, so no record need be compared
    engine = LocalEngine()
    grouping = engine.group(comparison.released)
    sizes = engine.count(comparison.released, grouping, sensitive=False).sizes
    alone = sizes[grouping.labels] == 1
    rows = np.arange(len(comparison.released)) if comparison.places is None else comparison.places
    people = np.flatnonzero(alone[rows])
    return int(np.count_nonzero(_unchanged(comparison, people, rows[people]))) / len(comparison.origins)


def _has_classes_in_people(records: Records) -> bool:
    """Return whether a class of several records may be of one person, so that it counts as one."""
    return isinstance(records, Microdata) and records.has_repeated_people


def _unchanged(comparison: Comparison, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the mask of the ``people`` whose published record equals their original."""
    if isinstance(comparison.whole, Survey):
        return np.all([_unchanged(comparison.part(part), people, rows) for part in PARTS], axis=0)
    original, released = comparison.original, comparison.released
    if isinstance(original, Ratings) and isinstance(released, Ratings):
        return _equal(original.observable.take(people), released.observable.take(rows))
    changed = np.zeros(len(people), bool)
    for before, after in comparison.columns:
        changed |= changed_cells(before, after)[people]
    return ~changed


def _equal(one: RatingMatrix, other: RatingMatrix) -> np.ndarray:
    """Return the mask of the rows that are equal in two matrices of the same height."""
    equal = np.diff(one.indptr) == np.diff(other.indptr)
    rows = np.flatnonzero(equal)
    mine, theirs = one.take(rows), other.take(rows)  # of equal lengths, so that they can be compared entry by entry
    unlike = np.flatnonzero((mine.indices != theirs.indices) | (mine.codes != theirs.codes))
    equal[rows[np.searchsorted(mine.indptr, unlike, side="right") - 1]] = False
    return equal
