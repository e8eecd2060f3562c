"""Original and unique: the share of published records that tell a person exactly and like nobody else.

*Definition.* A published record counts when its observable part (non-sensitive ratings with their gaps, or
quasi-identifiers) equals that of its original, and no published record of another person has the same. Whoever knows
that part exactly finds the record, and knows that it is the right one. *Unit.* A share of the published
records; of the people they stand for, where one stands for several.
"""

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.engines import LocalEngine

from .cells_changed import changed_cells
from .comparison import Comparison
from .measure import measure

__all__ = ["original_and_unique"]


@measure("original and unique", unit="share of records")
def original_and_unique(comparison: Comparison) -> float:
    """Return the share of published records that equal their original and no other published record."""
    if isinstance(comparison.released, Ratings) and comparison.sizes.min(initial=2) > 1:
        return 0.0  # nobody is alone, so nobody need be looked at
    engine = LocalEngine()
    grouping = engine.group(comparison.released)
    sizes = engine.count(comparison.released, grouping, sensitive=False).sizes
    alone = sizes[grouping.labels] == 1
    rows = np.arange(len(comparison.released)) if comparison.places is None else comparison.places
    people = np.flatnonzero(alone[rows])
    return int(np.count_nonzero(_unchanged(comparison, people, rows[people]))) / len(comparison.origins)


def _unchanged(comparison: Comparison, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the mask of those people whose record in the release equals their original."""
    original, released = comparison.original, comparison.released
    if isinstance(original, Ratings) and isinstance(released, Ratings):
        return _equal(original.observable.take(people), released.observable.take(rows))
    changed = np.zeros(len(people), bool)
    for before, after in comparison.columns:
        changed |= changed_cells(before, after)[people]
    return ~changed


def _equal(one: RatingMatrix, other: RatingMatrix) -> np.ndarray:
    """Return the mask of the rows that are equal in two matrices with as many rows."""
    equal = np.diff(one.indptr) == np.diff(other.indptr)
    rows = np.flatnonzero(equal)
    mine, theirs = one.take(rows), other.take(rows)  # as long as each other, so that place by place can be compared
    unlike = np.flatnonzero((mine.indices != theirs.indices) | (mine.codes != theirs.codes))
    equal[rows[np.searchsorted(mine.indptr, unlike, side="right") - 1]] = False
    return equal
