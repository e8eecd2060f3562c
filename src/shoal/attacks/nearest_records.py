"""The published records nearest to people by some columns and by others, and how likely the two meet.

How far original values are from what is published of a column.

*Distance.* 0 if the published label may stand for the value. Otherwise, of numbers and dates, how far the value is from
the nearest of the original values that the label may stand for, by the span of the original values; a label that is
itself a number or a date which nobody has, such as a mean, stands for itself. Of all other values, and from or to a
missing one, it is 1. So it is from a label that stands for nothing that is known: what cannot be read is no match.

Distances are whole billionths, at least one where a label does not stand for a value.
"""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, Vocabulary
from shoal.data.written_label import ROOT
from shoal.kernels.matching.matching_records import label_gaps
from shoal.kernels.neighbors.nearest_records import (
    BOTH_TIED,
    NEAR_LEFT,
    NEAR_RIGHT,
    OWN_LEFT,
    OWN_RIGHT,
    TIED_LEFT,
    TIED_RIGHT,
    meeting_neighbors,
)
from shoal.labels import covered_values

__all__ = ["LabelDistances", "Meeting", "NearestRecords"]


_DISTANCES_AT_A_TIME = 1 << 24


class LabelDistances:
    """The labels of one published column, and how far values are from them."""

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
    """The number of its label for each published record."""
    n_labels: int

    def numbers(self, column: Column) -> np.ndarray:
        """Return the number of each record's value, of the original column or of the one outside."""
        return self._vocabulary.codes(column.vocabulary.values)[column.codes].astype(np.int64)

    def to_labels(self, numbers: np.ndarray) -> np.ndarray:
        """Return the distance of each of some values, in a line, to each label."""
        return label_gaps(self._places[numbers], *self._stretches, self._span)


class _Line:
    """Where values are: numbers and dates at some distance from the lowest, words one after another."""

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
        # words are alike or not: no gap is within a span of 0
        self.span = float(np.ptp(known[~np.isnan(known)])) if self.is_ordered and not np.isnan(known).all() else 0.0

    def of_points(self, labels: pl.Series) -> np.ndarray:
        """Return where labels are that are numbers or dates themselves; NaN for the others."""
        kind, numeric = self._values.dtype, self._values.dtype.is_numeric()
        if self.is_ordered and numeric and (labels.dtype.is_numeric() or labels.dtype == pl.String):
            return _above(labels.cast(pl.Float64, strict=False), self._lowest)
        if self.is_ordered and not numeric and labels.dtype.is_temporal():
            return _above(labels.cast(kind, strict=False).to_physical().cast(pl.Float64), self._lowest)
        return np.full(len(labels), np.nan)


def _above(numbers: pl.Series, lowest: Any) -> np.ndarray:
    """Return how far numbers are above the lowest, NaN for a missing one; whole numbers, none lower, exactly."""
    there = numbers.is_not_null().to_numpy()
    above = np.full(len(numbers), np.nan)
    if numbers.dtype.is_signed_integer():  # beyond 2⁵³ doubles would be alike; 64 bits hold every difference
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
    """Return what labels stand for: where the stretches of each begin, their ends, and which stand for missing."""
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
    """Return where values that a label covers follow each other on the line: the label, the first and the last."""
    order = np.argsort(places)[: np.count_nonzero(~np.isnan(places))]  # the missing value would be last
    edges = np.diff(np.pad(covered[:, order].astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, firsts = np.nonzero(edges == 1)
    lasts = np.nonzero(edges == -1)[1] - 1
    return labels[rows], places[order[firsts]], places[order[lasts]]


def _plain_values(labels: pl.Series, original: Column, values: pl.Series) -> np.ndarray:
    """Return for each label that is a value and can be nothing else the number of that value; −1 for the others."""
    if not (labels.dtype.is_numeric() and values.dtype.is_numeric()):
        labels, values = labels.cast(pl.String), values.cast(pl.String)
    found = Vocabulary(values).codes(labels)
    levels = () if original.hierarchy is None else original.hierarchy.labels[1:]
    nodes = {ROOT, *(name for level in levels for name in level.values.cast(pl.String))}
    is_plain = [label is not None and label not in nodes for label in labels.cast(pl.String)]
    return np.where(is_plain, found, -1)


_CELLS_AT_A_TIME = 1 << 24
"""So many distances of values to labels are held at once."""


@dataclass(frozen=True, eq=False)
class Meeting:
    """Of each who was looked for, how likely the records picked on both sides meet, and how many were tied."""

    chances: np.ndarray
    at_own_record: np.ndarray
    """The same at the record that is theirs."""
    candidates_left: np.ndarray
    """Among how many records the nearest were picked."""
    candidates_right: np.ndarray


class NearestRecords:
    """Published records, to be found by the columns of a left and of a right side."""

    def __init__(
        self,
        truth: Microdata,
        seen: Microdata,
        left: tuple[str, ...],
        right: tuple[str, ...],
        outside: Microdata | None = None,
    ) -> None:
        """Read the labels of all columns; ``outside`` are people who may be looked for beside those of the truth."""
        self._left, self._right = _Side(truth, seen, left, outside), _Side(truth, seen, right, outside)
        both = self._left.class_of * len(self._right.sizes) + self._right.class_of
        pairs, counts = np.unique(both, return_counts=True)
        of_left, of_right = np.divmod(pairs, len(self._right.sizes))
        self._pairs = np.searchsorted(of_left, np.arange(len(self._left.sizes) + 1)), of_right, counts
        self._n = len(seen)

    def met(self, left: Microdata, right: Microdata, places: np.ndarray | None, neighbors: int) -> Meeting:
        """Look for people by the left values of some records and the right values of as many others.

        ``places`` are the published records of those who are looked for; None where they have none.
        """
        by_left, by_right = self._left.numbers(left), self._right.numbers(right)
        own = np.full((len(left), 2), -1)
        if places is not None:
            own = np.stack([self._left.class_of[places], self._right.class_of[places]], axis=1)
        wanted = min(neighbors, self._n)
        step = max(_CELLS_AT_A_TIME // (self._left.n_labels + self._right.n_labels), 1)
        told = []
        for some in (slice(begin, begin + step) for begin in range(0, len(left), step)):
            (one, asked_left), (other, asked_right) = self._left.asked(by_left[some]), self._right.asked(by_right[some])
            told.append(meeting_neighbors(one, other, self._pairs, asked_left, asked_right, own[some], wanted))
        return _meeting(np.concatenate(told), wanted)


class _Side:
    """Some columns: records that are published alike in them are one class."""

    def __init__(self, truth: Microdata, seen: Microdata, names: tuple[str, ...], outside: Microdata | None) -> None:
        self._names = names
        self._columns = [
            LabelDistances(truth[name], seen[name], None if outside is None else outside[name]) for name in names
        ]
        self.n_labels = sum(column.n_labels for column in self._columns)
        keys = np.zeros(len(seen), np.int64)
        for column in self._columns:
            keys = np.unique(keys * column.n_labels + column.codes, return_inverse=True)[1]
        self.class_of = keys
        """The class of each published record."""
        firsts = np.unique(keys, return_index=True)[1]
        self._classes = np.stack([column.codes[firsts] for column in self._columns], axis=1).astype(np.int32)
        self.sizes = np.bincount(keys)

    def numbers(self, people: Microdata) -> np.ndarray:
        """Return the numbers of people's values, by column."""
        return np.stack([each.numbers(people[name]) for name, each in zip(self._names, self._columns, strict=True)], 1)

    def asked(self, numbers: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
        """Return the side as it is for some people, and where in it the distances of their values start."""
        distances, starts, begin = [], np.empty(numbers.shape, np.int64), 0
        for at, column in enumerate(self._columns):
            values, which = np.unique(numbers[:, at], return_inverse=True)
            distances.append(column.to_labels(values).ravel())
            starts[:, at] = begin + which * column.n_labels
            begin += len(distances[-1])
        return (np.concatenate(distances), self._classes, self.sizes), starts


def _meeting(told: np.ndarray, wanted: int) -> Meeting:
    distinct, which = np.unique(told[:, : BOTH_TIED + 1], axis=0, return_inverse=True)
    chances = np.array([_meet(wanted, *line) for line in distinct.tolist()])
    left = _picked(wanted, told[:, NEAR_LEFT], told[:, TIED_LEFT], told[:, OWN_LEFT])
    right = _picked(wanted, told[:, NEAR_RIGHT], told[:, TIED_RIGHT], told[:, OWN_RIGHT])
    candidates = told[:, NEAR_LEFT] + told[:, TIED_LEFT], told[:, NEAR_RIGHT] + told[:, TIED_RIGHT]
    return Meeting(chances[which.ravel()], left * right, *candidates)


def _picked(wanted: int, near: np.ndarray, tied: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return how likely the own record is among those picked on a side."""
    return np.where(own == 2, 1.0, np.where(own == 1, (wanted - near) / tied, 0.0))


def _meet(
    wanted: int,
    near_left: int,
    tied_left: int,
    near_right: int,
    tied_right: int,
    both_near: int,
    near_tied: int,
    tied_near: int,
    both_tied: int,
) -> float:
    """Return the probability that some record is picked on both sides, exactly but for the last digit.

    None is where of those tied on the left so many are picked as none of which is near on the right, ``some`` of them
    tied there too, and of those tied on the right so many as are neither near on the left nor among these.
    """
    if both_near:
        return 1.0
    from_left, from_right = wanted - near_left, wanted - near_right
    elsewhere = tied_left - tied_near - both_tied
    ways = sum(
        comb(both_tied, some) * comb(elsewhere, from_left - some) * comb(tied_right - near_tied - some, from_right)
        for some in range(min(both_tied, from_left) + 1)
    )
    all_ways = comb(tied_left, from_left) * comb(tied_right, from_right)
    return (all_ways - ways) / all_ways
