"""How combinations of values are written in few columns, and how they are told at a node of the lattice."""

import math
from collections.abc import Sequence

import numpy as np

from shoal.data import Hierarchy

__all__ = ["LevelMaps"]

_WIDEST = 1 << 13
"""So many combinations of values one column stands for, at most, unless one attribute alone has more values."""


class LevelMaps:
    """The hierarchies of some attributes. Several attributes share a column, so that fewer numbers are looked up.

    A code of a column says the values of all its attributes, the last of which counts up first.
    """

    def __init__(self, hierarchies: Sequence[Hierarchy]) -> None:
        self.hierarchies = tuple(hierarchies)
        self._sizes = [[len(labels) for labels in hierarchy.labels] for hierarchy in self.hierarchies]
        self._sharing = _sharing([hierarchy.n_values for hierarchy in self.hierarchies])
        self._column = {i: column for column, attributes in enumerate(self._sharing) for i in attributes}
        self._known: dict[tuple[int, int], np.ndarray] = {}

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self._sharing)

    def sizes(self, node: Sequence[int]) -> list[int]:
        """Give how many labels each attribute has at the level of a node."""
        return [sizes[level] for sizes, level in zip(self._sizes, node, strict=True)]

    def packed(self, values: Sequence[np.ndarray]) -> np.ndarray:
        """Write the codes of values of each attribute as columns that lie across: int32."""
        rows = np.zeros((self.n_columns, len(values[0])), np.int32)
        for column, attributes in enumerate(self._sharing):
            for i in attributes:
                rows[column] *= self.hierarchies[i].n_values
                rows[column] += values[i]
        return rows

    def labels(self, rows: np.ndarray, attribute: int, level: int) -> np.ndarray:
        """Give for each line the label of an attribute at a level: int64."""
        return self._labels(attribute, level)[rows[self._column[attribute]]]

    def label_counts(self, rows: np.ndarray, amounts: np.ndarray, node: Sequence[int]) -> list[np.ndarray]:
        """Add up amounts of lines, by attribute and label at the level of a node; they are whole and below 2⁵³."""
        counts = [np.bincount(rows[column], amounts) for column in range(self.n_columns)]
        told = []
        for i, size in enumerate(self.sizes(node)):
            mine = counts[self._column[i]]
            told.append(np.bincount(self._labels(i, node[i])[: len(mine)], mine, minlength=size))
        return told

    def places(self, node: Sequence[int], attributes: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number combinations of labels of some attributes at a node, the last of which counts up first.

        Given are the columns they are in, for these one after another what each code adds to the number, and where
        each column begins there.
        """
        sizes, stride = self.sizes(node), 1
        worths: dict[int, np.ndarray] = {}
        for i in reversed(attributes):
            worth = self._labels(i, node[i]) * stride
            worths[self._column[i]] = worths.get(self._column[i], 0) + worth
            stride *= sizes[i]
        columns = sorted(worths)
        return np.array(columns, np.int64), *_joined([worths[column] for column in columns])

    def told(self, node: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Give for all columns, one after another, a code of their labels at a node, and where each column begins."""
        maps = []
        for attributes in self._sharing:
            codes, stride = np.zeros(math.prod(self.hierarchies[i].n_values for i in attributes), np.int64), 1
            for i in reversed(attributes):
                codes += self._labels(i, node[i]) * stride
                stride *= self._sizes[i][node[i]]
            maps.append(codes)
        return _joined(maps)

    def _labels(self, attribute: int, level: int) -> np.ndarray:
        """Give for each code of the column of an attribute its label at a level."""
        if (attribute, level) not in self._known:
            attributes = self._sharing[self._column[attribute]]
            shape = [self.hierarchies[i].n_values if i == attribute else 1 for i in attributes]
            labels = self.hierarchies[attribute].maps[level].astype(np.int64).reshape(shape)
            whole = [self.hierarchies[i].n_values for i in attributes]
            self._known[attribute, level] = np.broadcast_to(labels, whole).ravel()
        return self._known[attribute, level]


def _sharing(sizes: Sequence[int]) -> list[list[int]]:
    """Put attributes that follow one another into columns."""
    columns: list[list[int]] = []
    for i, size in enumerate(sizes):
        if columns and math.prod(sizes[j] for j in columns[-1]) * size <= _WIDEST:
            columns[-1].append(i)
        else:
            columns.append([i])
    return columns


def _joined(parts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=begins[1:])
    return np.concatenate([*parts, np.zeros(0, np.int64)]).astype(np.int32), begins[:-1]
