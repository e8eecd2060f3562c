"""A hierarchy as a tree of lines, for the terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Hierarchy
from shoal.display.summary import printable
from shoal.wording.format import format_count

__all__ = ["hierarchy_drawing"]

_LONGEST = 60


@dataclass(frozen=True)
class _Node:
    """A label with what is below it."""

    label: str
    level: int
    codes: np.ndarray
    """The values under it, in their order."""
    records: int | None


def hierarchy_drawing(
    hierarchy: Hierarchy, counts: np.ndarray | None = None, *, most: int = 10, values: bool = True
) -> tuple[str, ...]:
    """Draw a hierarchy from its root down, one line per label, branches in the order of their first values.

    Of more than ``most`` branches the last are only counted. A label that is alone below the same label is drawn once.
    ``counts`` are the numbers of records with each value; without ``values``, the values themselves are only counted.
    """
    tree = _Tree(hierarchy, counts, most, 0 if values else 1)
    root = tree.node(hierarchy.height, np.arange(hierarchy.n_values))
    return (tree.line(root), *tree.branches(root, ""))


class _Tree:
    def __init__(self, hierarchy: Hierarchy, counts: np.ndarray | None, most: int, lowest: int) -> None:
        self._hierarchy = hierarchy
        self._counts = counts
        self._most = max(most, 2)
        self._lowest = lowest

    def node(self, level: int, codes: np.ndarray) -> _Node:
        label = self._hierarchy.labels[level].values[int(self._hierarchy.maps[level][codes[0]])]
        records = None if self._counts is None else int(self._counts[codes].sum())
        return _Node("(missing)" if label is None else str(label), level, codes, records)

    def line(self, node: _Node) -> str:
        parts = [] if node.level == 0 else [format_count(len(node.codes), "value")]
        parts += [] if node.records is None else [format_count(node.records, "record")]
        return printable(node.label, _LONGEST) + (f"  ({', '.join(parts)})" if parts else "")

    def branches(self, node: _Node, indent: str) -> Iterator[str]:
        level, parts = self._below(node)
        shown = parts if len(parts) <= self._most else parts[: self._most - 1]
        for at, codes in enumerate(shown):
            last = at == len(parts) - 1
            branch = self.node(level, codes)
            yield f"{indent}{'└── ' if last else '├── '}{self.line(branch)}"
            yield from self.branches(branch, indent + ("    " if last else "│   "))
        if len(shown) < len(parts):
            yield f"{indent}└── {self._elided(parts[len(shown) :])}"

    def _below(self, node: _Node) -> tuple[int, list[np.ndarray]]:
        """Return the level of the branches, and the values under each."""
        for level in range(node.level - 1, self._lowest - 1, -1):
            parts = self._parts(node.codes, level)
            if len(parts) > 1 or self.node(level, parts[0]).label != node.label:
                return level, parts
        return 0, []

    def _parts(self, codes: np.ndarray, level: int) -> list[np.ndarray]:
        labels = self._hierarchy.maps[level][codes]
        order = np.argsort(labels, kind="stable")
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        return sorted(np.split(codes[order], starts[1:]), key=lambda part: int(part[0]))

    def _elided(self, parts: Sequence[np.ndarray]) -> str:
        more = f"… {len(parts):,} more"
        if self._counts is None:
            return more
        return f"{more}  ({format_count(int(self._counts[np.concatenate(parts)].sum()), 'record')})"
