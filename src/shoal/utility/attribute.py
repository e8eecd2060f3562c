"""An item or a column that can be asked about: what the originals say, and what published labels may stand for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal.data import Microdata, Ratings, Role

from .comparison import Comparison
from .original_points import original_points

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
        n_labels = max(int(of_label.max(initial=0)), int(self.labels.max(initial=0))) + 1
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


def attributes(comparison: Comparison) -> Callable[[Name], Attribute]:
    """Give the way from names to attributes."""
    make = _item if isinstance(comparison.whole, Ratings) else _column
    return cache(lambda name: make(comparison, name))


def _column(comparison: Comparison, name: Name) -> Attribute:
    """Give a column: a label may stand for the values that are published under it."""
    assert isinstance(comparison.whole, Microdata)
    assert isinstance(comparison.published, Microdata)
    after = comparison.published.columns[name[1]]
    domain, before = np.unique(comparison.whole[after.name].codes, return_inverse=True)
    pairs = np.unique(after.codes.astype(np.int64) * len(domain) + before[comparison.origins])
    return Attribute(before, after.codes, np.stack([pairs // len(domain), pairs % len(domain)]))


def _item(comparison: Comparison, name: Name) -> Attribute:
    """Give an item: a rating is taken at its word, and null is the value above the highest.

    On a finer scale than the original a rating is taken for the nearest there, the higher of two.
    """
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.published, Ratings)
    codes, labels = (_codes(records, name) for records in (comparison.whole, comparison.published))
    scale = comparison.whole.scale
    nearest = np.append(original_points(scale, comparison.published.scale), scale.points)
    return Attribute(codes, nearest[labels], np.stack([np.arange(scale.points + 1)] * 2))


def _codes(ratings: Ratings, name: Name) -> np.ndarray:
    sensitive, item = name
    matrix = ratings.sensitive if sensitive else ratings.observable
    places = np.flatnonzero(matrix.indices == item)
    codes = np.full(len(matrix), ratings.scale.points, ratings.scale.dtype)
    codes[np.searchsorted(matrix.indptr, places, side="right") - 1] = matrix.codes[places]
    return codes
