"""A listing of values in which those of every label stand together, so that sums over a label are differences."""

from typing import NamedTuple

import numpy as np

from shoal.data import Hierarchy

from .halved_hierarchy import HalvedHierarchy

__all__ = ["Stretch", "Stretches"]


class Stretch(NamedTuple):
    """The values that one label stands for: those from ``begin`` to ``end`` of a listing."""

    begin: int
    end: int
    lowest: int
    highest: int
    leaves: int
    height: int
    """The level in the hierarchy of the column; for a half between two levels, the upper one."""
    level: int = 0
    """For a label of the hierarchy or a half: the level when halves count as levels too."""


class Stretches:
    """Lists values in their order, then so that those under a label of the hierarchy stand together, then pairs.

    Values of labels that stand together in none of these are listed after them, label by label.
    """

    def __init__(
        self, hierarchy: Hierarchy | None, halved: HalvedHierarchy | None, codes: np.ndarray, under: np.ndarray
    ) -> None:
        """``codes`` are those of the values in the hierarchy; ``under`` the values of labels, label after label.

        ``halved`` is the hierarchy with halves between its levels, where labels may be halves.
        """
        n = len(codes)
        maps = [np.arange(n), np.zeros(n, np.int64)] if hierarchy is None else [each[codes] for each in hierarchy.maps]
        finer = maps if halved is None else [each[codes] for each in halved.hierarchy.maps]
        tree = np.lexsort(finer)  # the highest level first, so that those of every level stand together
        self._listing = np.concatenate([np.arange(n), tree, under])
        self._others: list[np.ndarray] = []
        self._end = len(self._listing)
        self._maps = maps
        self._leaves_are_values = hierarchy is None
        self.n_leaves = n if hierarchy is None else hierarchy.n_leaves
        self.height = max(len(maps) - 1, 1)
        self.levels = tuple(finer)
        self.level_heights = tuple(range(len(finer))) if halved is None else halved.heights
        self._n = n
        self._changes = [np.cumsum(np.diff(each[self._listing], prepend=0) != 0) for each in maps]
        in_tree = np.argsort(tree)
        self._in_tree = in_tree[under]
        self._named: dict[str | None, list[Stretch]] = {}
        named = hierarchy if halved is None else halved.hierarchy
        for level in range(1, 0 if named is None else len(finer)):
            assert named is not None
            self._name(named, level, self.level_heights[level], finer[level], in_tree)

    def _name(self, hierarchy: Hierarchy, level: int, height: int, nodes: np.ndarray, in_tree: np.ndarray) -> None:
        """Note the stretches of the labels of a level that have values."""
        order = np.argsort(nodes, kind="stable")
        used, firsts = np.unique(nodes[order], return_index=True)
        names = hierarchy.labels[level].words
        for node, values in zip(used.tolist(), np.split(order, firsts[1:]), strict=True):
            begin = self._n + int(in_tree[values].min())
            leaves = len(values) if self._leaves_are_values else int(hierarchy.leaves[level][node])
            stretch = Stretch(begin, begin + len(values), int(values[0]), int(values[-1]), leaves, height, level)
            self._named.setdefault(names[node], []).append(stretch)

    @property
    def listing(self) -> np.ndarray:
        """Values, some of them more than once: those of a label stand together."""
        return np.concatenate([self._listing, *self._others])

    @property
    def everything(self) -> Stretch:
        """All values: the stretch of the root."""
        return Stretch(0, self._n, 0, self._n - 1, self.n_leaves, self.height, len(self.levels) - 1)

    def between(self, lowest: int, highest: int, leaves: int) -> Stretch:
        """Return the values from one to another."""
        height = self._common(lowest, highest + 1)
        return Stretch(lowest, highest + 1, lowest, highest, leaves, height)

    def apart(self, places: tuple[range, ...], leaves: int) -> Stretch:
        """Return the values of several stretches, which are listed for it."""
        values = np.concatenate([np.arange(each.start, each.stop) for each in places])
        self._others.append(values)
        begin, self._end = self._end, self._end + len(values)
        height = next(i for i, codes in enumerate(self._maps) if (codes[values] == codes[values[0]]).all())
        return Stretch(begin, self._end, int(values[0]), int(values[-1]), leaves, height)

    def values_under(self, begin: int, end: int) -> np.ndarray:
        """Return the values of some pairs, ascending."""
        return self._listing[begin + 2 * self._n : end + 2 * self._n]

    def under(self, begin: int, end: int) -> Stretch:
        """Return the values of some pairs."""
        first, last = begin + 2 * self._n, end + 2 * self._n
        lowest, highest = int(self._listing[first]), int(self._listing[last - 1])
        return Stretch(first, last, lowest, highest, end - begin, self._common(first, last))

    def named(self, text: str | None, begin: int, end: int) -> Stretch | None:
        """Return the lowest label of that name that covers the values of some pairs."""
        for stretch in self._named.get(text, []):
            places = self._in_tree[begin:end] + self._n
            if stretch.begin <= places.min() and places.max() < stretch.end:
                return stretch
        return None

    def has_two_meanings(self, text: str | None) -> bool:
        """Decide whether the name has different meanings on different levels."""
        return len({stretch[:2] for stretch in self._named[text]}) > 1

    def _common(self, begin: int, end: int) -> int:
        """Return the lowest level on which the values of a stretch have one label."""
        return next(i for i, changes in enumerate(self._changes) if changes[begin] == changes[end - 1])
