"""Allowable cuts: how published groups could have been cut once more, given everybody's quasi-identifiers."""

from collections.abc import Iterator, Sequence

import numpy as np

from shoal.attacks.exposure import Exposure
from shoal.data import Column
from shoal.evidence import GroupCounts
from shoal.kernels.groups.segments import cut_at_middle, segment_ranges
from shoal.labels import published_column
from shoal.models import PrivacyModel

from .minimal_labels import MinimalLabel, cuts_in_value_order, minimal_labels

__all__ = ["AllowableCuts"]


class AllowableCuts:
    """One cut per quasi-identifier: a range at its median, a node of a hierarchy into its branches.

    Any other label is cut only where it covers two values: there is only one way to do it.
    """

    def __init__(self, exposure: Exposure, on_sizes: Sequence[PrivacyModel]) -> None:
        """Find the cuts; those that break ``on_sizes``, the promises about group sizes, were not allowable anyway."""
        self._on_sizes = on_sizes
        groups = exposure.group_of[exposure.published]
        order = np.argsort(groups, kind="stable")
        self._order = exposure.published[order]
        self._begins = np.flatnonzero(np.diff(groups[order], prepend=-1, append=groups.max() + 1))
        truth, seen = exposure.tables
        self._sides = [self._sides_of(exposure, of, seen[of.name]) for of in truth.quasi_identifiers]

    def __len__(self) -> int:
        return len(self._begins) - 1

    def __iter__(self) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
        """Return for each group its rows of the truth, and every allowable cut as the part of each row: 0, 1, …"""
        for begin, end in zip(self._begins[:-1].tolist(), self._begins[1:].tolist(), strict=True):
            cuts = [_numbered(sides[begin:end]) for sides in self._sides if _cuts(sides[begin:end])]
            yield self._order[begin:end], [cut for cut in cuts if self._large_enough(cut)]

    def _large_enough(self, cut: np.ndarray) -> bool:
        sizes = GroupCounts(np.bincount(cut).astype(np.int64))
        return all(promise.judge(sizes).holds for promise in self._on_sizes)

    def _sides_of(self, exposure: Exposure, original: Column, published: Column) -> np.ndarray:
        """Return the part to which a cut by one column would assign each record; −1 where the cut is unknown."""
        column = published_column(original, published.take(exposure.place[self._order]), self._order)
        readings, values = (
            minimal_labels(column, in_order=cuts_in_value_order(exposure)),
            column.before.astype(np.int32),
        )
        sides = _branches(readings, column.labels, column.before[self._order], len(column.values))
        firsts = column.labels[self._begins[:-1]]
        ranges = np.flatnonzero(np.array([reading.form == "range" for reading in readings])[firsts])
        low, high = segment_ranges(self._order, self._begins, ranges, values)
        cut_at_middle(self._order, self._begins, ranges[low < high], values, False, sides)
        return sides


def _branches(readings: list[MinimalLabel], labels: np.ndarray, values: np.ndarray, n_values: int) -> np.ndarray:
    """Return the branch of each value under its label."""
    known = [reading.form != "unknown" or len(reading.values) <= 2 for reading in readings]
    owners = np.repeat(np.arange(len(readings)), [len(reading.values) for reading in readings])
    keys = owners * n_values + np.concatenate([reading.values for reading in readings])
    branches = np.concatenate([reading.branches for reading in readings])
    asked = labels * n_values + values
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where((keys[place] == asked) & np.array(known)[labels], branches[place], -1)


def _cuts(sides: np.ndarray) -> bool:
    return bool(0 <= sides.min() < sides.max())


def _numbered(sides: np.ndarray) -> np.ndarray:
    return np.unique(sides, return_inverse=True)[1].ravel()
