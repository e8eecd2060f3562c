"""How far original values are from the published labels of a column.

*Distance.* 0 if the published label may stand for the value. Otherwise, of numbers and dates, how far the value is from
the nearest of the original values that the label may stand for, divided by the range of the original values; a label
that is itself a number or a date which nobody has, such as a mean, stands for itself. For all other values, and from or
to a missing one, the distance is 1; so it is from a label that stands for no known value: a label that cannot be read
matches nobody.

Distances are whole billionths, at least one where a label does not stand for a value.
"""

from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Vocabulary
from shoal.data.written_label import ROOT
from shoal.kernels.matching.matching_records import label_gaps
from shoal.labels import covered_values

__all__ = ["LabelDistances"]


_DISTANCES_AT_A_TIME = 1 << 24


class LabelDistances:
    """The labels of one published column, and the distances of values from them."""

    def __init__(self, original: Column, published: Column, outside: Column | None = None) -> None:
        """Read the labels; ``outside`` has values that need not be in the original column."""
        values = _together(original, outside)
        used, self.codes = np.unique(published.codes, return_inverse=True)
        self._vocabulary = Vocabulary(values)
        line = _Line(original, values)
        self._places, self._span = line.places, line.span
        labels = published.vocabulary.take(used)
        self._stretches = _stretches(labels, original, values, line)
        self.n_labels = len(labels)

    codes: np.ndarray
    """The code of each published record's label."""
    n_labels: int

    def numbers(self, column: Column) -> np.ndarray:
        """Return the code of each record's value, of the original column or of the one outside."""
        return self._vocabulary.codes(column.vocabulary.values)[column.codes].astype(np.int64)

    def to_labels(self, numbers: np.ndarray) -> np.ndarray:
        """Return a row of distances to all labels for each value."""
        return label_gaps(self._places[numbers], *self._stretches, self._span)


class _Line:
    """Positions of values: numbers and dates by their distance from the lowest, words one after another."""

    def __init__(self, original: Column, values: pl.Series) -> None:
        self.is_ordered = original.vocabulary.is_ordered
        self._values = values
        in_turn = pl.select(pl.when(values.is_not_null()).then(pl.int_range(len(values)))).to_series()
        physical = values.to_physical() if self.is_ordered else in_turn
        self._lowest = physical.min()
        self.places = _above(physical, self._lowest)
        """NaN for a missing value."""
        occurring = np.bincount(original.codes, minlength=len(original.vocabulary)) > 0
        known = self.places[: len(occurring)][occurring]
        # words are equal or not: no gap is within a span of 0
        self.span = float(np.ptp(known[~np.isnan(known)])) if self.is_ordered and not np.isnan(known).all() else 0.0

    def of_points(self, labels: pl.Series) -> np.ndarray:
        """Return the positions of labels that are numbers or dates themselves; NaN for the others."""
        kind, numeric = self._values.dtype, self._values.dtype.is_numeric()
        if self.is_ordered and numeric and (labels.dtype.is_numeric() or labels.dtype == pl.String):
            return _above(labels.cast(pl.Float64, strict=False), self._lowest)
        if self.is_ordered and not numeric and labels.dtype.is_temporal():
            return _above(labels.cast(kind, strict=False).to_physical().cast(pl.Float64), self._lowest)
        return np.full(len(labels), np.nan)


def _above(numbers: pl.Series, lowest: Any) -> np.ndarray:
    """Return the distance of numbers above the lowest, exact for whole numbers; NaN for a missing one."""
    there = numbers.is_not_null().to_numpy()
    above = np.full(len(numbers), np.nan)
    if numbers.dtype.is_signed_integer():  # doubles would merge numbers beyond 2⁵³; 64 bits hold every difference
        wrapped = numbers.drop_nulls().cast(pl.Int64).to_numpy().view(np.uint64)
        above[there] = wrapped - np.int64(lowest or 0).view(np.uint64)
    else:
        above[there] = numbers.drop_nulls().cast(pl.Float64).to_numpy() - float(lowest or 0)
    return above


def _together(original: Column, outside: Column | None) -> pl.Series:
    """Return the original values, then those that only people outside have."""
    values = original.vocabulary.values
    if outside is None:
        return values
    others = outside.vocabulary.values
    kind = values.dtype if values.dtype == others.dtype else pl.Float64()
    return pl.concat([values.cast(kind), others.cast(kind)]).unique(maintain_order=True)


def _stretches(
    labels: pl.Series, original: Column, values: pl.Series, line: _Line
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the stretches that labels stand for: where those of each begin, their ends, and which cover missing."""
    plain = _plain_values(labels, original, values)
    is_plain, with_missing = plain >= 0, np.zeros(len(labels), bool)
    places = line.places[plain[is_plain]]
    found = [(np.flatnonzero(is_plain), places, places)]
    others = np.flatnonzero(~is_plain)
    step = max(_DISTANCES_AT_A_TIME // len(values), 1)
    for some in np.split(others, range(step, len(others), step)):
        covered = covered_values(labels.gather(some), original, values).covered
        with_missing[some] = covered[:, np.isnan(line.places)].any(axis=1)
        found.append(_runs(covered, some, line.places))
    is_read = with_missing | np.isin(np.arange(len(labels)), np.concatenate([owners for owners, *_ in found]))
    points = np.where(is_read, np.nan, line.of_points(labels))
    alone = np.flatnonzero(~np.isnan(points))
    found.append((alone, points[alone], points[alone]))
    owners, lows, highs = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(owners, kind="stable")
    begins = np.searchsorted(owners[order], np.arange(len(labels) + 1))
    return begins, lows[order], highs[order], with_missing


def _runs(covered: np.ndarray, labels: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the runs of adjacent values that labels cover: the label, the first and the last value of each."""
    order = np.argsort(places)[: np.count_nonzero(~np.isnan(places))]  # the missing value would be last
    edges = np.diff(np.pad(covered[:, order].astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, firsts = np.nonzero(edges == 1)
    lasts = np.nonzero(edges == -1)[1] - 1
    return labels[rows], places[order[firsts]], places[order[lasts]]


def _plain_values(labels: pl.Series, original: Column, values: pl.Series) -> np.ndarray:
    """Return the code of the value for each label that can only be that value; −1 for the others."""
    if not (labels.dtype.is_numeric() and values.dtype.is_numeric()):
        labels, values = labels.cast(pl.String), values.cast(pl.String)
    found = Vocabulary(values).codes(labels)
    levels = () if original.hierarchy is None else original.hierarchy.labels[1:]
    nodes = {ROOT, *(name for level in levels for name in level.values.cast(pl.String))}
    is_plain = [label is not None and label not in nodes for label in labels.cast(pl.String)]
    return np.where(is_plain, found, -1)
