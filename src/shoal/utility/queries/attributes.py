"""Items and columns that COUNT queries ask about: their domains, their original values and their published labels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal.data import Microdata, Ratings, Role
from shoal.labels import PublishedColumn
from shoal.utility.comparison import Comparison, nearest_original_codes
from shoal.utility.published_columns import published_columns

__all__ = ["Name", "QueryAttribute", "domain_sizes", "ordered_names", "query_attributes"]


Name = tuple[bool, int]
"""Whether it is sensitive, and which item or column it is."""


@dataclass(frozen=True)
class QueryAttribute:
    """A value of the domain 0, 1, … for each original record, a label for each published one."""

    before: np.ndarray
    labels: np.ndarray
    listing: np.ndarray
    """The values that labels may stand for, label after label; values repeat."""
    begins: np.ndarray
    """By label, where its values begin in the listing."""
    ends: np.ndarray

    def likely(self, chosen: np.ndarray) -> np.ndarray:
        """Return for each published record the share of the chosen values among all that its label may stand for."""
        wanted = np.concatenate([[0], np.cumsum(chosen[self.listing])])
        return ((wanted[self.ends] - wanted[self.begins]) / (self.ends - self.begins))[self.labels]


def domain_sizes(comparison: Comparison) -> dict[Name, int]:
    """Return the number of values of each attribute that can be queried.

    These are the items that somebody rated, null being a value where not everybody did; or the quasi-identifiers and
    the sensitive columns.
    """
    if isinstance(comparison.whole, Ratings):
        return _sizes_of_items(comparison.whole)
    return {name: len(column.values) for name, column in _columns(comparison).items()}


def ordered_names(comparison: Comparison) -> frozenset[Name]:
    """Return the names of columns of numbers and dates, which are queried by ranges; items are not among them."""
    if isinstance(comparison.whole, Ratings):
        return frozenset()
    kinds = {name: column.values.dtype for name, column in _columns(comparison).items()}
    return frozenset(name for name, kind in kinds.items() if kind.is_numeric() or kind.is_temporal())


def _sizes_of_items(ratings: Ratings) -> dict[Name, int]:
    sizes = {}
    for sensitive, matrix in ((False, ratings.observable), (True, ratings.sensitive)):
        rated = np.bincount(matrix.indices, minlength=len(matrix.items))
        for item in np.flatnonzero(rated).tolist():
            sizes[sensitive, item] = ratings.scale.points + bool(rated[item] < len(ratings))
    return sizes


def query_attributes(comparison: Comparison) -> Callable[[Name], QueryAttribute]:
    """Return a cached function from the name of an attribute to the attribute."""
    make = _item if isinstance(comparison.whole, Ratings) else _column
    return cache(lambda name: make(comparison, name))


def _columns(comparison: Comparison) -> dict[Name, PublishedColumn]:
    assert isinstance(comparison.published, Microdata)
    columns = comparison.once(published_columns)
    return {
        (column.role is Role.SENSITIVE, place): columns[column.name]
        for place, column in enumerate(comparison.published.columns)
        if column.name in columns
    }


def _column(comparison: Comparison, name: Name) -> QueryAttribute:
    """Return a column with its labels."""
    column = _columns(comparison)[name]
    return QueryAttribute(column.before, column.labels, column.listing, column.begins, column.ends)


def _item(comparison: Comparison, name: Name) -> QueryAttribute:
    """Return an item: a label stands for one rating, and null is the value above the highest.

    On a finer scale than the original a rating stands for the nearest original one, the higher of two.
    """
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.published, Ratings)
    codes, labels = (_codes(records, name) for records in (comparison.whole, comparison.published))
    scale = comparison.whole.scale
    nearest = np.append(nearest_original_codes(scale, comparison.published.scale), scale.points)
    values = np.arange(scale.points + 1)
    return QueryAttribute(codes, nearest[labels], values, values, values + 1)


def _codes(ratings: Ratings, name: Name) -> np.ndarray:
    sensitive, item = name
    matrix = ratings.sensitive if sensitive else ratings.observable
    places = np.flatnonzero(matrix.indices == item)
    codes = np.full(len(matrix), ratings.scale.points, ratings.scale.dtype)
    codes[np.searchsorted(matrix.indptr, places, side="right") - 1] = matrix.codes[places]
    return codes
