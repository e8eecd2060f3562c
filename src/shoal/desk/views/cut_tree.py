"""A tree of cuts: all records at its root, each cut of a group into parts below it.

*Definition.* A view is a set of cuts that has, with each cut, the one that made its group: the groups of the view are
those that are made and not cut.

*Law.* Of two views of one tree, the cuts of both are a view, and it is what they reveal together: the group of a person
in it is the smaller of their two groups. So whoever has several views has no more than the view of all their cuts, and
never more than the finest one, in which everything is cut.

Cuts refer to quasi-identifiers and to values by their numbers (:class:`.CutRules`), so that a tree that is kept holds
no value of a record.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from shoal.anonymizers.generalization.cuts import Attribute
from shoal.desk.store.log import canonical

__all__ = ["CutTree", "read_cuts", "write_cuts"]


@dataclass(frozen=True, eq=False)
class CutTree:
    """Groups numbered from the root on, depth by depth, those that are parts of one group next to each other."""

    on: np.ndarray
    """For each group, the number of the quasi-identifier that it is cut on; -1 where it is never cut."""
    at: np.ndarray
    """For each group, the highest value of its first part, or the level of the hierarchy."""
    parts: np.ndarray
    """For each group, into how many parts it is cut; 0 where it is never cut."""
    nodes: np.ndarray
    """Lines of three numbers, in order: a group, a node of its level, and the part; others are in the last part."""
    priorities: tuple[Fraction, ...]
    """How useful each quasi-identifier was for the purpose of the tree."""
    withheld: np.ndarray
    """The numbers of the records that are withheld from all views."""

    def __len__(self) -> int:
        return len(self.on)

    @classmethod
    def read(cls, written: str) -> Self:
        """Read what :meth:`written` is."""
        kept = json.loads(written)
        on, at, parts = (np.array(kept[key], np.int64) for key in ("on", "at", "parts"))
        nodes, withheld = np.array(kept["nodes"], np.int64).reshape(-1, 3), np.array(kept["withheld"], np.int64)
        return cls(on, at, parts, nodes, tuple(map(Fraction, kept["priorities"])), withheld)

    @cached_property
    def written(self) -> str:
        """The tree as it is kept."""
        numbers = {key: getattr(self, key).tolist() for key in ("on", "at", "parts", "nodes", "withheld")}
        return canonical({**numbers, "priorities": [str(each) for each in self.priorities]})

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

    def smallest_groups(self, attributes: Sequence[Attribute]) -> np.ndarray:
        """Return for each record its group where everything is cut; ``attributes`` are the quasi-identifiers."""
        n_records = len(attributes[0].codes)
        groups, moving = np.zeros(n_records, np.int64), np.arange(n_records)
        while len(moving := moving[self.on[groups[moving]] >= 0]):
            here = groups[moving]
            for index, each in enumerate(attributes):
                some = self.on[here] == index
                rows, own = moving[some], here[some]
                groups[rows] = self.first_part[own] + self._part(each, own, each.codes[rows])
        return groups

    def _part(self, attribute: Attribute, groups: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the part of each group to which the value of a record belongs."""
        if attribute.hierarchy is None:
            return (codes > self.at[groups]).astype(np.int64)
        nodes = np.stack(attribute.hierarchy.maps)[self.at[groups], codes]
        width = max(int(nodes.max(initial=0)), int(self.nodes[:, 1].max(initial=0))) + 1
        known, wanted = self.nodes[:, 0] * width + self.nodes[:, 1], groups * width + nodes
        place = np.searchsorted(known, wanted)
        found = place < len(known)
        found[found] = known[place[found]] == wanted[found]
        parts = self.parts[groups] - 1
        parts[found] = self.nodes[place[found], 2]
        return parts

    def closed(self, cuts: np.ndarray) -> np.ndarray:
        """Return the mask of those cuts of a mask that are made: the cut of a group needs the cut that makes it."""
        made = cuts & (self.on >= 0)
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
