"""The first cuts of a table, as a tree: which segment a record belongs to follows from its values.

A few records may be told by what was drawn for them, and go elsewhere than others with their values.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.kernels.groups.cut_tree import follow_cuts
from shoal.partitioned.write_parts import DRAWN

__all__ = ["Cut", "CutTree"]


@dataclass(frozen=True)
class Cut:
    """A segment is cut by one quasi-identifier: runs of its values go to other segments."""

    attribute: int
    starts: np.ndarray
    """The lowest value of each run, ascending; each run ends before the next."""
    children: np.ndarray
    """By run, the segment that it goes to."""


@dataclass
class CutTree:
    """Segments, numbered from 0 on, which is all records; those that are cut are no leaves."""

    cuts: list[Cut | None] = field(default_factory=lambda: [None])
    lifted: dict[int, dict[int, int]] = field(default_factory=dict)
    """By number drawn, the segments that a record leaves for another one than its values say."""

    def copy(self) -> "CutTree":
        """Return a tree that can be cut further by itself."""
        return CutTree(self.cuts.copy(), {each: moves.copy() for each, moves in self.lifted.items()})

    def cut(self, segment: int, attribute: int, values: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """Cut a leaf, whose ``values`` of an attribute, ascending, go to these parts; return the segment of each part.

        The values are all that occur: where another one would go does not matter.
        """
        children = len(self.cuts) + np.arange(int(parts.max()) + 1)
        begins = np.flatnonzero(np.diff(parts, prepend=-1))
        self.cuts[segment] = Cut(attribute, values[begins], children[parts[begins]])
        self.cuts += [None] * len(children)
        return children

    def lift(self, segment: int, child: int, numbers: Iterable[int]) -> None:
        """Let the records of a segment for which these numbers were drawn go to a child, whatever their values."""
        for number in numbers:
            self.lifted.setdefault(number, {})[segment] = child

    def followed(self) -> "FollowCuts":
        """Return what finds the leaf of each record."""
        attributes = np.array([-1 if cut is None else cut.attribute for cut in self.cuts], np.int64)
        sizes = [0 if cut is None else len(cut.starts) for cut in self.cuts]
        cuts = [cut for cut in self.cuts if cut is not None]
        starts = np.concatenate([np.zeros(0, np.int64), *(cut.starts for cut in cuts)]).astype(np.int64)
        children = np.concatenate([np.zeros(0, np.int64), *(cut.children for cut in cuts)]).astype(np.int64)
        return FollowCuts(attributes, np.concatenate([[0], np.cumsum(sizes)]), starts, children, self.lifted)


@dataclass(frozen=True)
class FollowCuts:
    """Finds the leaf of each record."""

    attributes: np.ndarray
    begins: np.ndarray
    starts: np.ndarray
    children: np.ndarray
    lifted: Mapping[int, Mapping[int, int]]

    def __call__(self, rows: pl.DataFrame, names: Sequence[str]) -> np.ndarray:
        """Return the leaf of each row, whose quasi-identifiers are the columns of these names."""
        codes = np.empty((rows.height, len(names)), np.int32)
        for place, name in enumerate(names):
            codes[:, place] = rows[name].to_numpy()
        leaves = follow_cuts(codes, self.attributes, self.begins, self.starts, self.children)
        if self.lifted:
            drawn = rows[DRAWN].to_numpy()
            for row in np.flatnonzero(np.isin(drawn, np.array(list(self.lifted), np.uint64))).tolist():
                leaves[row] = self._leaf(codes[row], self.lifted[int(drawn[row])])
        return leaves

    def _leaf(self, codes: np.ndarray, moves: Mapping[int, int]) -> int:
        """Return the leaf of a record that leaves some segments for others than its values say."""
        segment = 0
        while (attribute := self.attributes[segment]) >= 0:
            if segment in moves:
                segment = moves[segment]
                continue
            begin, end = self.begins[segment : segment + 2]
            run = begin + np.searchsorted(self.starts[begin:end], codes[attribute], side="right") - 1
            segment = int(self.children[run])
        return segment
