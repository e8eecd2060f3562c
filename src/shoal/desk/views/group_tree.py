"""A tree of groups: all records at its root, each cut of a group into parts below it.

*Definition.* A view is a set of cuts that has, with each cut, the one that made its group: the groups of the view are
those that are made and not cut.

*Law.* Of two views of one tree, the cuts of both are a view, and it is what they reveal together: the group of a person
in it is the smaller of their two groups. So whoever has several views has no more than the view of all their cuts, and
never more than the finest one, in which everything is cut.
"""

import base64
import hashlib
import json
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.desk.store.log import canonical

__all__ = ["GroupTree", "read_cuts", "write_cuts"]


@dataclass(frozen=True, eq=False)
class GroupTree(ABC):
    """Groups numbered from the root on, depth by depth, those that are parts of one group next to each other."""

    parts: np.ndarray
    """For each group, into how many parts it is cut; 0 where it is never cut."""
    withheld: np.ndarray
    """The numbers of the records that are withheld from all views."""

    def __len__(self) -> int:
        return len(self.parts)

    @abstractmethod
    def _numbers(self) -> dict[str, Any]:
        """Return all that is kept of the tree, in JSON's terms; it holds no value of a record."""

    @cached_property
    def written(self) -> str:
        """The tree as it is kept."""
        return canonical(self._numbers())

    @cached_property
    def sha256(self) -> str:
        """The name of the tree."""
        return hashlib.sha256(self.written.encode()).hexdigest()

    @cached_property
    def first_part(self) -> np.ndarray:
        """For each group, the number of its first part, where it is cut."""
        return 1 + np.cumsum(self.parts) - self.parts

    @cached_property
    def parents(self) -> np.ndarray:
        """For each group, the one that it is a part of; the root is its own."""
        parents = np.zeros(len(self), np.int64)
        parents[1:] = np.repeat(np.arange(len(self)), self.parts)
        return parents

    @cached_property
    def depths(self) -> list[tuple[int, int]]:
        """The first group of each depth, and the first of the next."""
        found, begin, end = [], 0, 1
        while begin < end:
            found.append((begin, end))
            begin, end = end, end + int(self.parts[begin:end].sum())
        return found

    def closed(self, cuts: np.ndarray) -> np.ndarray:
        """Return the mask of those cuts of a mask that are made: the cut of a group needs the cut that makes it."""
        made = cuts & (self.parts > 0)
        for begin, end in self.depths[1:]:
            made[begin:end] &= made[self.parents[begin:end]]
        return made

    def shown(self, cuts: np.ndarray) -> np.ndarray:
        """Return, for each group, the one of a view that it is in: itself, or the one above it that is not cut."""
        shown = np.zeros(len(self), np.int64)
        for begin, end in self.depths[1:]:
            above = self.parents[begin:end]
            shown[begin:end] = np.where(cuts[above], np.arange(begin, end), shown[above])
        return shown

    def without(self, cuts: np.ndarray, unsafe: np.ndarray) -> np.ndarray:
        """Return the finest view among the cuts of a mask that shows no group of the mask ``unsafe``, but for the root.

        A cut is left out where one of its parts is unsafe, and with it all those below.
        """
        spoiled = np.zeros(len(self), bool)
        spoiled[self.parents[1:][unsafe[1:]]] = True
        return self.closed(cuts & ~spoiled)

    def summed(self, by_smallest: np.ndarray) -> np.ndarray:
        """Return the sum over all that lies in each group, from counts by smallest group."""
        sums = by_smallest.copy()
        for begin, end in reversed(self.depths[1:]):
            np.add.at(sums, self.parents[begin:end], sums[begin:end])
        return sums


def write_cuts(tree: str, cuts: np.ndarray) -> str:
    """Write a view of a tree, which is known by its name, as it is kept."""
    packed = base64.b64encode(zlib.compress(np.packbits(cuts).tobytes(), 9)).decode()
    return canonical({"tree": tree, "cuts": packed, "groups": len(cuts)})


def read_cuts(written: str) -> tuple[str, np.ndarray]:
    """Return the name of the tree, and the mask of the cuts of a view that was written."""
    kept = json.loads(written)
    packed = np.frombuffer(zlib.decompress(base64.b64decode(kept["cuts"])), np.uint8)
    return kept["tree"], np.unpackbits(packed, count=kept["groups"]).astype(bool)
