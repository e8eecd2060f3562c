"""The tree of a table: every group is cut at a value of a quasi-identifier, or into nodes of its hierarchy.

Cuts refer to quasi-identifiers and to values by their numbers (:class:`.CutRules`), so that a tree that is kept holds
no value of a record.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from shoal.anonymizers.generalization.cuts import Attribute

from .group_tree import GroupTree

__all__ = ["CutTree"]


@dataclass(frozen=True, eq=False)
class CutTree(GroupTree):
    """Where each group is cut."""

    on: np.ndarray
    """For each group, the number of the quasi-identifier that it is cut on; -1 where it is never cut."""
    at: np.ndarray
    """For each group, the highest value of its first part, or the level of the hierarchy."""
    nodes: np.ndarray
    """Lines of three numbers, in order: a group, a node of its level, and the part; others are in the last part."""
    priorities: tuple[Fraction, ...]
    """How useful each quasi-identifier was for the purpose of the tree."""

    @classmethod
    def read(cls, written: str) -> Self:
        """Read what :attr:`written` is."""
        kept = json.loads(written)
        on, at, parts = (np.array(kept[key], np.int64) for key in ("on", "at", "parts"))
        nodes, withheld = np.array(kept["nodes"], np.int64).reshape(-1, 3), np.array(kept["withheld"], np.int64)
        return cls(parts, withheld, on, at, nodes, tuple(map(Fraction, kept["priorities"])))

    def _numbers(self) -> dict[str, Any]:
        numbers = {key: getattr(self, key).tolist() for key in ("on", "at", "parts", "nodes", "withheld")}
        return {**numbers, "priorities": [str(each) for each in self.priorities]}

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
