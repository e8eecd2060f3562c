"""Bounds on the nodes of the lattice from projections on two or three attributes.

Records that some of the attributes distinguish are distinguished by all of them. So if a projection on two or three
attributes has more records in groups that are too small than may be withheld, every node breaks the promises that has
these attributes at the same levels or lower, whatever the levels of the others. And where the others have c
combinations of labels, the squared group sizes of a node add up to at least 1/c of those of the projection. Few
attributes have few combinations, so their tables are small.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from shoal.data import Hierarchy

__all__ = ["CountedTable", "Projected", "crowded_projections"]

_MOST_CELLS = 1 << 18
"""The most combinations of values of the attributes of one projection."""
_FAR_LESS = 4
"""Attributes are counted together as long as there are at least this many groups for each combination of values."""
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Projected:
    """Bounds from projections on a few attributes: arrays with an axis for each attribute of the lattice."""

    possible: np.ndarray
    """Whether a node is not ruled out."""
    squares: np.ndarray
    """A lower bound on the sum of the squared group sizes; meaningless for a node that is ruled out."""


class CountedTable(Protocol):
    """Records that can be counted by the values of a few attributes."""

    @property
    def hierarchies(self) -> Sequence[Hierarchy]:
        """The hierarchy of each attribute."""
        ...

    @property
    def records(self) -> int:
        """How many records there are."""
        ...

    def __len__(self) -> int: ...

    def value_counts(self, attributes: Sequence[int]) -> np.ndarray:
        """Count records by the values of some attributes: an array with one axis each."""
        ...


def crowded_projections(base: CountedTable, fewest: int, max_withheld: int) -> Projected:
    """Project on one, two and three attributes; groups of less than ``fewest`` records break the promises."""
    projections = _Projections(base, fewest, max_withheld)
    sizes = [[max(len(labels), 1) for labels in hierarchy.labels] for hierarchy in base.hierarchies]
    cells = np.ones([1] * len(sizes))
    for i, each in enumerate(sizes):
        cells = cells * np.expand_dims(np.array(each, np.float64), [j for j in range(len(sizes)) if j != i])
    possible, spread = np.ones(cells.shape, bool), np.full(cells.shape, float(base.records) ** 2)
    for size in (1, 2, 3):
        for attributes in combinations(range(len(sizes)), size):
            found = projections.at(attributes)
            if found is not None:
                others = [i for i in range(len(sizes)) if i not in attributes]
                possible &= np.expand_dims(found.possible, others)
                np.maximum(spread, np.expand_dims(found.squares * found.cells, others), out=spread)
    return Projected(possible, spread / cells * (1 - _ROUNDING))


@dataclass(frozen=True)
class _Projection:
    """Bounds from one projection, with an axis for each of its attributes."""

    possible: np.ndarray
    squares: np.ndarray
    cells: np.ndarray


class _Projections:
    """The projections of one table, of which larger ones build on smaller ones."""

    def __init__(self, base: CountedTable, fewest: int, max_withheld: int) -> None:
        self._base, self._fewest, self._max_withheld = base, fewest, max_withheld
        self._hierarchies = base.hierarchies
        self._possible: dict[tuple[int, ...], np.ndarray] = {}
        self._counted: dict[tuple[int, ...], np.ndarray] = {}
        # by attribute and level: values in the order of their labels, and where labels begin
        self._labels = [[_in_order(codes) for codes in hierarchy.maps] for hierarchy in self._hierarchies]

    def at(self, attributes: tuple[int, ...]) -> _Projection | None:
        """Project on some attributes; None where there would be too many combinations."""
        if self._cells(attributes) > _MOST_CELLS:
            return None
        possible = self._by_fewer(attributes)
        squares, cells = np.zeros(possible.shape), np.zeros(possible.shape)
        for levels, sizes in self._generalized(attributes, self._counts(attributes), (), possible):
            squares[levels], cells[levels] = np.vdot(sizes, sizes), sizes.size
            if sizes[sizes < self._fewest].sum() > self._max_withheld:
                possible[tuple(slice(0, level + 1) for level in levels)] = False  # all nodes below break it too
        self._possible[attributes] = possible
        return _Projection(possible, squares, cells)

    def _generalized(
        self, attributes: tuple[int, ...], counts: np.ndarray, levels: tuple[int, ...], possible: np.ndarray
    ) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
        """Yield the counts at each possible node of the projection, from the highest down; ``levels`` are done."""
        axis = len(levels)
        if axis == len(attributes):
            yield levels, counts
            return
        for level in range(len(possible) - 1, -1, -1):
            if possible[level].any():
                order, begins = self._labels[attributes[axis]][level]
                sums = np.add.reduceat(np.take(counts, order, axis=axis), begins, axis=axis) if level else counts
                yield from self._generalized(attributes, sums, (*levels, level), possible[level])

    def _cells(self, attributes: tuple[int, ...]) -> int:
        return math.prod(self._hierarchies[i].n_values for i in attributes)

    def _counts(self, attributes: tuple[int, ...]) -> np.ndarray:
        """Count records by the values of some attributes: together with others where the table stays small."""
        covering = [more for more in self._counted if set(attributes) <= set(more)]
        if covering:
            more = min(covering, key=self._cells)
            return self._counted[more].sum(axis=tuple(axis for axis, i in enumerate(more) if i not in attributes))
        more = attributes
        for i in sorted(range(len(self._hierarchies)), key=lambda i: self._hierarchies[i].n_values, reverse=True):
            if i not in more and self._cells((*more, i)) <= len(self._base) // _FAR_LESS:
                more = tuple(sorted((*more, i)))
        counts = self._base.value_counts(more)
        if more == attributes:
            return counts
        self._counted[more] = counts
        return self._counts(attributes)

    def _by_fewer(self, attributes: tuple[int, ...]) -> np.ndarray:
        """Return the mask of the nodes that no projection on one attribute less rules out."""
        possible = np.ones([self._hierarchies[i].height + 1 for i in attributes], bool)
        for left_out in range(len(attributes)):
            fewer = self._possible.get(attributes[:left_out] + attributes[left_out + 1 :])
            if fewer is not None:
                possible &= np.expand_dims(fewer, left_out)
        return possible


def _in_order(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(codes, kind="stable")
    return order, np.flatnonzero(np.diff(codes[order], prepend=-1))
