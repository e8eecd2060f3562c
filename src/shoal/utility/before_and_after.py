"""Columns and items before and after: how the records are spread over a few classes of values.

*Classes.* Up to twelve of a column: its values, or of many numbers and dates stretches with about as many original
records each, or of many words the most frequent and all others together. Of an item: no rating, then each point of the
scale, or stretches of them.

*Before* are all original records, the withheld ones included; *after* the published ones. A label counts in equal parts
for each value it may stand for, as the measure *attribute distribution distance* has it; a rating on a finer scale
counts at the nearest original point. Of two columns together, a record counts for each pair of classes by the product
of its parts, as an analyst would who takes what is not told of one column to be independent of the other.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import PARTS, RatingMatrix, Ratings, Survey
from shoal.labels import PublishedColumn

from .comparison import Comparison, nearest_original_codes
from .published_columns import published_columns

__all__ = ["ColumnSpread", "joint_shares", "names_to_compare", "spread_of"]

_MOST = 12
"""The most classes of a column."""
_OTHERS = "others"
_MISSING = "missing"
_UNRATED = "no rating"


@dataclass(frozen=True, eq=False)
class ColumnSpread:
    """How the records are spread over the classes of one column or item."""

    name: str
    classes: tuple[str, ...]
    before: np.ndarray
    """The class of each original record."""
    labels: np.ndarray
    """The label of each published record."""
    parts: np.ndarray
    """By label, the part of a record with it that counts for each class."""

    @property
    def shares_before(self) -> np.ndarray:
        """The share of the original records in each class."""
        return _shares(np.bincount(self.before, minlength=len(self.classes)))

    @property
    def shares_after(self) -> np.ndarray:
        """The share of the published records in each class."""
        return _shares(np.bincount(self.labels, minlength=len(self.parts)) @ self.parts)

    @property
    def distance(self) -> float:
        """The share of the records that would have to move for both to be equal (total variation)."""
        return float(np.abs(self.shares_before - self.shares_after).sum() / 2)


def joint_shares(one: ColumnSpread, other: ColumnSpread) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of records by the classes of two columns, before and after."""
    wide = len(other.classes)
    before = np.bincount(one.before * wide + other.before, minlength=len(one.classes) * wide)
    pairs, times = np.unique(one.labels * len(other.parts) + other.labels, return_counts=True)
    mine, theirs = one.parts[pairs // len(other.parts)], other.parts[pairs % len(other.parts)]
    return _shares(before.reshape(len(one.classes), wide)), _shares(mine.T @ (theirs * times[:, None]))


def names_to_compare(comparison: Comparison) -> list[str]:
    """Return the columns, then the items, those with most ratings first."""
    found: list[str] = []
    for part in _parts(comparison):
        if isinstance(part.whole, Ratings):
            found += [name for _, name in sorted(_raters(part.whole), key=lambda each: (-each[0], each[1]))]
        else:
            found += published_columns(part)
    return found


def spread_of(comparison: Comparison, name: str) -> ColumnSpread | None:
    """Return how records are spread over the classes of a column or an item; None where there is no such thing."""
    for part in _parts(comparison):
        if isinstance(part.whole, Ratings):
            found = _of_item(part, name)
        else:
            column = part.once(published_columns).get(name)
            found = None if column is None else _of_column(name, column)
        if found is not None:
            return found
    return None


def _parts(comparison: Comparison) -> list[Comparison]:
    return [comparison.part(part) for part in PARTS] if isinstance(comparison.whole, Survey) else [comparison]


def _raters(ratings: Ratings) -> list[tuple[int, str]]:
    matrices = (ratings.observable, ratings.sensitive)
    names = (zip(each.raters.tolist(), each.items.values.cast(pl.String).to_list(), strict=True) for each in matrices)
    return [pair for pairs in names for pair in pairs]


def _of_column(name: str, column: PublishedColumn) -> ColumnSpread:
    counts = np.bincount(column.before, minlength=len(column.values))
    classes, class_of = _classes(column.values, counts)
    onehot = np.zeros((len(column.listing) + 1, len(classes)))
    onehot[np.arange(len(column.listing)) + 1, class_of[column.listing]] = 1
    sums = np.cumsum(onehot, axis=0)
    parts = (sums[column.ends] - sums[column.begins]) / column.covers[:, None]
    return ColumnSpread(name, classes, class_of[column.before], column.labels, parts)


def _classes(values: pl.Series, counts: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the names of the classes, and the class of each value; a missing value comes first and has its own."""
    names = [_MISSING if each is None else str(each) for each in values.to_list()]
    if len(names) <= _MOST:
        return tuple(names), np.arange(len(names))
    first = int(names[0] is _MISSING)
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        return _stretches(names, counts, first)
    frequent = np.sort(first + np.argsort(-counts[first:], kind="stable")[: _MOST - 1 - first])
    shown = np.concatenate([np.arange(first), frequent])
    class_of = np.full(len(names), len(shown))
    class_of[shown] = np.arange(len(shown))
    return (*(names[place] for place in shown), _OTHERS), class_of


def _stretches(names: list[str], counts: np.ndarray, first: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Return stretches of ordered values, each with about as many records as the others."""
    before = np.cumsum(counts[first:]) - counts[first:]
    room = _MOST - first
    raw = np.minimum(before * room // max(int(counts[first:].sum()), 1), room - 1)
    _, place = np.unique(raw, return_inverse=True)
    class_of = np.concatenate([np.arange(first), place + first])
    borders = [np.flatnonzero(class_of == each)[[0, -1]].tolist() for each in range(first, int(class_of.max()) + 1)]
    stretches = [names[low] if low == high else f"{names[low]}–{names[high]}" for low, high in borders]
    return (*names[:first], *stretches), class_of


def _of_item(comparison: Comparison, item: str) -> ColumnSpread | None:
    whole, released = comparison.whole, comparison.released
    assert isinstance(whole, Ratings)
    assert isinstance(released, Ratings)
    before, after = _codes(whole, item), _codes(released, item)
    if before is None:
        return None
    places = np.arange(len(released)) if comparison.places is None else comparison.places
    nearest = nearest_original_codes(whole.scale, released.scale)
    points = [f"{float(whole.scale.lowest + code * whole.scale.step):g}" for code in range(whole.scale.points)]
    names = ["held"] if whole.is_sets else points
    counts = np.bincount(before[before > 0] - 1, minlength=len(points))
    classes, class_of = _point_classes(names, counts)
    class_of = np.concatenate([[0], class_of + 1])
    at_original = np.concatenate([[0], nearest + 1])[np.zeros(len(released), np.int64) if after is None else after]
    return ColumnSpread(
        item,
        ("not held" if whole.is_sets else _UNRATED, *classes),
        class_of[before],
        class_of[at_original][places],
        np.eye(len(classes) + 1),
    )


def _point_classes(names: list[str], counts: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    if len(names) < _MOST:
        return tuple(names), np.arange(len(names))
    return _stretches(names, counts, 0)


def _codes(ratings: Ratings, item: str) -> np.ndarray | None:
    """Return 0 for each record without a rating of an item, and one more than the code for the others."""
    for matrix in (ratings.observable, ratings.sensitive):
        place = int(matrix.items.codes(pl.Series([item], dtype=pl.String))[0])
        if place >= 0:
            return _column_of(matrix, place)
    return None


def _column_of(matrix: RatingMatrix, place: int) -> np.ndarray:
    found = np.flatnonzero(matrix.indices == place)
    rows = np.searchsorted(matrix.indptr, found, side="right") - 1
    codes = np.zeros(len(matrix), np.int64)
    codes[rows] = matrix.codes[found].astype(np.int64) + 1
    return codes


def _shares(counts: np.ndarray) -> np.ndarray:
    return counts / max(float(counts.sum()), 1.0)
