"""Two comparisons as one: the records of a release for training, and after them those of another for testing."""

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role, Vocabulary
from shoal.data.written_label import written_values
from shoal.errors import HierarchyError
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable

__all__ = ["joined"]


def joined(training: Comparison, testing: Comparison) -> Comparison:
    """Return one comparison of both, person by person: items, values and labels of one name have one code."""
    return replace(
        training,
        whole=_together(training.whole, testing.whole),
        origins=np.concatenate([training.origins, len(training.whole) + testing.origins]),
        released=_together(training.published, testing.published),
        sizes=np.concatenate([training.sizes, testing.sizes]),
        places=None,
        tested_on=None,
    )


def _together(one: Records, other: Records) -> Records:
    if isinstance(one, Ratings) and isinstance(other, Ratings):
        return _ratings(one, other)
    if isinstance(one, Microdata) and isinstance(other, Microdata):
        return _table(one, other)
    raise Unmeasurable("A model of ratings cannot be tested on a table, nor one of a table on ratings.")


def _ratings(one: Ratings, other: Ratings) -> Ratings:
    if one.scale != other.scale:
        raise Unmeasurable("The two releases are on different scales.")
    observable, sensitive = (
        _matrix(*sides) for sides in ((one.observable, other.observable), (one.sensitive, other.sensitive))
    )
    names = pl.concat([observable.items.values, sensitive.items.values])
    if names.n_unique() < len(names):
        raise Unmeasurable("An item is sensitive in one of the two releases and not in the other.")
    return Ratings(Vocabulary.numbered(len(one) + len(other)), observable, sensitive, one.scale)


def _matrix(one: RatingMatrix, other: RatingMatrix) -> RatingMatrix:
    """Return one block over the items of both, those of the first in their order first."""
    names = pl.concat([each.items.values.cast(pl.String) for each in (one, other)]).unique(maintain_order=True)
    parts = [each.over(Vocabulary(names)) for each in (one, other)]
    indptr = np.concatenate([parts[0].indptr, parts[0].indptr[-1] + parts[1].indptr[1:]])
    indices, codes = (np.concatenate([getattr(part, what) for part in parts]) for what in ("indices", "codes"))
    return RatingMatrix(Vocabulary(names), indptr, indices, codes)


def _table(one: Microdata, other: Microdata) -> Microdata:
    """Return the columns that leave, of both; whose records they are does not matter to a classifier."""
    first, second = ({column.name: column for column in each.columns if column.role.leaves} for each in (one, other))
    if first.keys() != second.keys():
        raise Unmeasurable("The two releases have different columns.")
    return Microdata(tuple(_column(column, second[name]) for name, column in first.items()))


def _column(one: Column, other: Column) -> Column:
    """Return the values of both; as they are written, where they are of different types."""
    values = [one.values, other.values]
    if values[0].dtype != values[1].dtype:
        values = [written_values(each) for each in values]
    column = Column.encode(one.name, one.role, pl.concat(values))
    if one.hierarchy is None or one.role is not Role.QUASI_IDENTIFIER:
        return column
    try:
        return column.with_hierarchy((one.hierarchy.declared or one.hierarchy).rebased(column.vocabulary))
    except HierarchyError:  # it lacks values that only the other has: labels are then read without it
        return column
