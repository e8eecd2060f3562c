"""An item or a column that can be asked about: what the originals say, and what published labels may stand for."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from shoal.data import Microdata, RatingMatrix, Ratings, Role

from .comparison import Comparison

__all__ = ["Attribute", "Name", "attributes", "domain_sizes"]

Name = tuple[bool, int]
"""Whether it is sensitive, and which item or column it is."""


@dataclass(frozen=True)
class Attribute:
    """A value of the domain 0, 1, … for each original record, a label for each published one."""

    before: np.ndarray
    labels: np.ndarray
    stands: np.ndarray
    """Pairs of a label and a value that it may stand for, each once."""

    def likely(self, chosen: np.ndarray) -> np.ndarray:
        """Give for each published record the share of the chosen values among all that its label may stand for."""
        of_label, value = self.stands
        n_labels = max(int(of_label.max(initial=-1)), int(self.labels.max(initial=-1))) + 1
        covered = np.bincount(of_label, minlength=n_labels)
        wanted = np.bincount(of_label[chosen[value]], minlength=n_labels)
        return (wanted / np.maximum(covered, 1))[self.labels]


def domain_sizes(comparison: Comparison) -> dict[Name, int]:
    """Name what can be asked about, and say how many values it has.

    That is the items that somebody rated, null being a value where not everybody did; or the quasi-identifiers and the
    sensitive columns.
    """
    if isinstance(comparison.whole, Ratings):
        return _sizes_of_items(comparison.whole)
    assert isinstance(comparison.whole, Microdata)
    assert isinstance(comparison.published, Microdata)
    return {
        (column.role is Role.SENSITIVE, place): len(np.unique(comparison.whole[column.name].codes))
        for place, column in enumerate(comparison.published.columns)
        if column.role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE)
    }


def _sizes_of_items(ratings: Ratings) -> dict[Name, int]:
    sizes = {}
    for sensitive, matrix in ((False, ratings.observable), (True, ratings.sensitive)):
        rated = np.bincount(matrix.indices, minlength=len(matrix.items))
        for item in np.flatnonzero(rated).tolist():
            sizes[sensitive, item] = ratings.scale.points + bool(rated[item] < len(ratings))
    return sizes


def attributes(comparison: Comparison, names: Collection[Name]) -> Callable[[Name], Attribute]:
    """Give the way from these names to their attributes."""
    if isinstance(comparison.whole, Ratings):
        return _items(comparison, names)
    return {name: _column(comparison, name) for name in names}.__getitem__


def _column(comparison: Comparison, name: Name) -> Attribute:
    """Give a column: a label may stand for the values that are published under it."""
    assert isinstance(comparison.whole, Microdata)
    assert isinstance(comparison.published, Microdata)
    after = comparison.published.columns[name[1]]
    domain, before = np.unique(comparison.whole[after.name].codes, return_inverse=True)
    pairs = np.unique(after.codes.astype(np.int64) * len(domain) + before[comparison.origins])
    return Attribute(before, after.codes, np.stack([pairs // len(domain), pairs % len(domain)]))


def _items(comparison: Comparison, names: Collection[Name]) -> Callable[[Name], Attribute]:
    """Give items one by one, since all of them for all records would fill the memory.

    A rating is taken at its word, and null is the value above the highest.
    """
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.published, Ratings)
    null = comparison.whole.scale.points
    both = [
        {side: _by_item(records, names, sensitive=side) for side in (False, True)}
        for records in (comparison.whole, comparison.published)
    ]

    def item(name: Name) -> Attribute:
        side, number = name
        codes, labels = (_codes(each[side], number, null) for each in both)
        return Attribute(codes, labels, np.stack([np.arange(null + 1)] * 2))

    return item


def _by_item(records: Ratings, names: Collection[Name], *, sensitive: bool) -> csc_array:
    """Give some items column by column; what is stored is one more than the code, since a zero would be lost."""
    matrix: RatingMatrix = records.sensitive if sensitive else records.observable
    wanted = np.zeros(len(matrix.items), bool)
    wanted[[item for side, item in names if side == sensitive]] = True
    places = np.flatnonzero(wanted[matrix.indices])
    rows = np.searchsorted(matrix.indptr, places, side="right") - 1
    data = matrix.codes[places].astype(np.int32) + 1
    return csc_array((data, (rows, matrix.indices[places])), shape=(len(matrix), len(matrix.items)))


def _codes(columns: csc_array, item: int, null: int) -> np.ndarray:
    """Give the code of each record, null where it has none."""
    stored = columns[:, [item]].toarray()[:, 0]
    return np.where(stored > 0, stored - 1, null)
