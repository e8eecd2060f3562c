"""The loss of a group from the stretches that its records span in each quasi-identifier.

Values are put in an order in which those under one label of the hierarchy are adjacent. The lowest label that covers a
group is then that of the stretch from its first value to its last, and is found without scanning the group. Numbers
that are labeled by the range of the group are in their own order. A missing number has no position, as it widens no
range; an extra attribute says whether it is missing, and costs what the label loses by allowing for missing values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.node_loss import leaf_costs
from shoal.anonymizers.generalization.tree_order import tree_places
from shoal.data import Column, Hierarchy
from shoal.kernels.groups.partition import stretch_cost, stretch_table

__all__ = ["StretchCosts"]

_TABULATED = 300
"""The costs of all stretches are tabulated for attributes with at most this many values."""

_SAMPLED = 500
"""The number of pairs of records from which it is learned in which attributes records differ most."""


@dataclass(frozen=True, eq=False)
class StretchCosts:
    """Positions of records, and the costs of stretches as :mod:`shoal.kernels.groups.group_moves` reads them."""

    positions: np.ndarray
    """By record and attribute; the attributes in which records differ most come first: most comparisons end there."""
    ruler: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, columns: Sequence[Column], hierarchies: Sequence[Hierarchy], order: np.ndarray, *, tight: bool) -> Self:
        """Return the costs for columns, records in this order; with ``tight``, numbers and dates have range labels."""
        n_values = max(len(column.vocabulary) for column in columns)
        n_levels = max(hierarchy.height for hierarchy in hierarchies) + 1
        n_powers = max(n_values - 1, 1).bit_length()
        positions = np.empty((len(columns[0]), len(columns)), np.int32)
        peaks = np.zeros((len(columns), n_powers, n_values), np.int32)
        costs = np.zeros((len(columns), n_levels, n_values))
        at = np.zeros((len(columns), n_values))
        ranged = np.zeros(len(columns), np.bool_)
        for i, (column, hierarchy) in enumerate(zip(columns, hierarchies, strict=True)):
            n = len(column.vocabulary)
            ranged[i] = tight and column.vocabulary.is_ordered
            place = column.rank_of if ranged[i] else tree_places(column, hierarchy)
            assert place is not None
            positions[:, i] = place[column.codes[order]]
            values = np.argsort(place)
            if ranged[i]:
                at[i, :n] = _on_line(column)[values]
                continue
            levels = np.stack([codes[values] for codes in hierarchy.maps])
            peaks[i, :, : max(n - 1, 0)] = _peaks(levels, n_powers)
            for level, (each, codes) in enumerate(zip(leaf_costs(hierarchy), levels, strict=True)):
                costs[i, level, :n] = each[codes]
        positions, ruler = _with_missing(columns, positions, (peaks, costs, at, ranged))
        n_others = len(ruler[3]) - len(columns)
        ruler = _tabulated(ruler, [*(len(column.vocabulary) for column in columns), *[2] * n_others])
        return cls(positions, (*ruler, np.array([float(len(columns))]))).with_widest_first()

    def with_widest_first(self) -> Self:
        """Return the same costs with those attributes first in which pairs of records differ most."""
        n = len(self.positions)
        rows = np.arange(0, n, max(n // _SAMPLED, 1))
        some, others = self.positions[rows], self.positions[(rows + n // 2) % max(n, 1)]
        apart = np.zeros(self.positions.shape[1])
        for a in range(len(apart)):
            pairs = [pair for pair in zip(some[:, a].tolist(), others[:, a].tolist(), strict=True) if min(pair) >= 0]
            apart[a] = sum(stretch_cost(self.ruler, a, min(pair), max(pair)) for pair in pairs)
        order = np.argsort(-apart, kind="stable")
        peaks, costs, at, ranged, table, begins, widths, whole = self.ruler
        ruler = peaks[order], costs[order], at[order], ranged[order], table, begins[order], widths[order], whole
        return type(self)(np.ascontiguousarray(self.positions[:, order]), ruler)


def _tabulated(ruler: tuple[np.ndarray, ...], n_values: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Add the tabulated costs of all stretches for attributes of few values."""
    nothing = np.zeros(len(n_values), np.int64)
    widths = np.array([n if n <= _TABULATED else 0 for n in n_values], np.int64)
    begins = np.concatenate([[0], np.cumsum(widths**2)[:-1]])
    bare = (*ruler, np.zeros(0), nothing, nothing, np.zeros(1))
    tables = [stretch_table(bare, a, n) for a, n in enumerate(widths.tolist()) if n]
    return (*ruler, np.concatenate([*tables, np.zeros(0)]), begins, widths)


def _with_missing(
    columns: Sequence[Column], positions: np.ndarray, ruler: tuple[np.ndarray, ...]
) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Remove the positions of missing values from ranged columns; add an attribute for each that marks them."""
    peaks, costs, at, ranged = ruler
    lacking = [i for i, column in enumerate(columns) if ranged[i] and column.vocabulary.values.null_count()]
    if not lacking:
        return positions, ruler
    missing = (positions[:, lacking] == 0).astype(np.int32)
    positions[:, lacking] -= positions[:, lacking] == 0
    more = len(lacking)
    also = np.zeros((more, max(at.shape[1], 2)))
    also[:, 1] = [1 / max(_n_leaves(columns[i]) - 1, 1) for i in lacking]
    at = np.concatenate([np.pad(at, ((0, 0), (0, also.shape[1] - at.shape[1]))), also])
    peaks = np.concatenate([peaks, np.zeros((more, *peaks.shape[1:]), peaks.dtype)])
    costs = np.concatenate([costs, np.zeros((more, *costs.shape[1:]))])
    ranged = np.concatenate([ranged, np.ones(more, np.bool_)])
    return np.concatenate([positions, missing], axis=1), (peaks, costs, at, ranged)


def _n_leaves(column: Column) -> int:
    hierarchy = column.hierarchy
    if hierarchy is None or hierarchy.declared is None or not column.vocabulary.is_numeric:
        return len(column.vocabulary)
    return len(hierarchy.declared.labels[0])


def _peaks(levels: np.ndarray, n_powers: int) -> np.ndarray:
    """Return the lowest levels on which neighbors share a label, and the maxima over 2, 4, … neighbors in a row."""
    alike = levels[:, 1:] == levels[:, :-1]
    peaks = np.zeros((n_powers, alike.shape[1]), np.int32)
    peaks[:1] = alike.argmax(axis=0)
    for power in range(1, n_powers):
        half = 1 << (power - 1)
        peaks[power] = peaks[power - 1]
        peaks[power, :-half] = np.maximum(peaks[power - 1, :-half], peaks[power - 1, half:])
    return peaks


def _on_line(column: Column) -> np.ndarray:
    """Return the position of each value on a line of length 1: its place among all leaves, used or not."""
    ranks = column.rank_of
    assert ranks is not None
    hierarchy = column.hierarchy
    if hierarchy is None or hierarchy.declared is None or not column.vocabulary.is_numeric:
        return ranks / max(len(ranks) - 1, 1)
    leaves = hierarchy.declared.labels[0].values.cast(pl.Float64, strict=False)
    numbers = column.vocabulary.numbers
    places = np.searchsorted(leaves.drop_nulls().sort().to_numpy(), numbers) + leaves.null_count()
    return np.where(np.isnan(numbers), 0, places) / max(len(leaves) - 1, 1)
