"""Rule out nodes of the lattice by two or three attributes at a time.

Records that are told apart by some of the attributes are told apart by all of them. So if, told by two or three of them
alone, more records lie in groups that are too small than may be withheld, every node breaks the promises that tells
these as exactly, whatever the others are. Few attributes have few combinations, and their tables are small.
"""

import math
from itertools import combinations, product

import numpy as np

from shoal.evidence import PrivacyHashTable
from shoal.kernels.roll_up import add_in_place

__all__ = ["crowded_projections"]

_MOST_CELLS = 1 << 18
"""Combinations of values of the attributes looked at together, at most."""


def crowded_projections(base: PrivacyHashTable, nodes: np.ndarray, fewest: int, spare: int) -> np.ndarray:
    """Give the mask of the nodes that are not ruled out; groups of less than the fewest records break the promises."""
    projections = _Projections(base, fewest, spare)
    left = np.ones(len(nodes), bool)
    for size in (1, 2, 3):
        for attributes in combinations(range(nodes.shape[1]), size):
            crowded = projections.crowded(attributes)
            if crowded is not None:
                left &= crowded[tuple(nodes[:, i] for i in attributes)]
    return left


class _Projections:
    """What is known of some attributes without the others."""

    def __init__(self, base: PrivacyHashTable, fewest: int, spare: int) -> None:
        self._base, self._fewest, self._spare = base, fewest, spare
        self._hierarchies = base.maps.hierarchies
        self._known: dict[tuple[int, ...], np.ndarray] = {}
        # by attribute and level: values in the order of their labels, and where labels begin
        self._labels = [[_in_order(codes) for codes in hierarchy.maps] for hierarchy in self._hierarchies]

    def crowded(self, attributes: tuple[int, ...]) -> np.ndarray | None:
        """Tell by their levels whether few enough records lie in small groups; None where it is not known."""
        counts = self._counts(attributes)
        if counts is None:
            return None
        crowded = self._by_fewer(attributes)
        for levels in product(*(range(size - 1, -1, -1) for size in crowded.shape)):  # what breaks, breaks below too
            if not crowded[levels]:
                continue
            told = counts
            for axis, (attribute, level) in enumerate(zip(attributes, levels, strict=True)):
                if level:
                    order, begins = self._labels[attribute][level]
                    told = np.add.reduceat(np.take(told, order, axis=axis), begins, axis=axis)
            if told[told < self._fewest].sum() > self._spare:
                crowded[tuple(slice(0, level + 1) for level in levels)] = False
        self._known[attributes] = crowded
        return crowded

    def _counts(self, attributes: tuple[int, ...]) -> np.ndarray | None:
        """Count records by the values of some attributes; None where there would be too many combinations."""
        shape = [self._hierarchies[i].n_values for i in attributes]
        if np.prod([float(n) for n in shape]) > _MOST_CELLS:
            return None
        counts = np.zeros(math.prod(shape), np.int64)
        add_in_place(self._base.places(self._base.node, attributes), self._base.counts.sizes, counts)
        return counts.reshape(shape)

    def _by_fewer(self, attributes: tuple[int, ...]) -> np.ndarray:
        """Give what is known already from one attribute less."""
        crowded = np.ones([self._hierarchies[i].height + 1 for i in attributes], bool)
        for left_out in range(len(attributes)):
            fewer = self._known.get(attributes[:left_out] + attributes[left_out + 1 :])
            if fewer is not None:
                crowded &= np.expand_dims(fewer, left_out)
        return crowded


def _in_order(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(codes, kind="stable")
    return order, np.flatnonzero(np.diff(codes[order], prepend=-1))
