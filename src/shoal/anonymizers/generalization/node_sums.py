"""What is counted of the groups of a node: sums over groups, from which its cost follows wherever the groups are."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from shoal.evidence import PrivacyHashTable

__all__ = ["NodeSums"]


@dataclass(frozen=True)
class NodeSums:
    """Sums over the groups of a node; those of disjoint groups add up."""

    node: tuple[int, ...]
    groups: int
    squares: int
    """The sum of the squared group sizes."""
    withheld: int
    """The number of records in groups that are withheld."""
    withheld_groups: int
    withheld_squares: int
    withheld_labels: tuple[np.ndarray, ...]
    """By attribute, the number of withheld records with each label."""

    @classmethod
    def of(cls, table: PrivacyHashTable, withheld: np.ndarray, *, labels: bool) -> "NodeSums":
        """Return the sums over the groups of a table, of which those of a mask are withheld.

        Withheld labels are counted only if asked: a node that breaks the promises has no cost.
        """
        sizes, gone = table.counts.sizes, table.counts.sizes[withheld]
        counted = tuple(table.label_counts(withheld)) if labels and len(gone) else ()
        return cls(table.node, len(table), int(sizes @ sizes), int(gone.sum()), len(gone), int(gone @ gone), counted)

    def __add__(self, other: "NodeSums") -> "NodeSums":
        """Return the sums over the groups of both."""
        assert self.node == other.node
        labels = self.withheld_labels or other.withheld_labels
        if self.withheld_labels and other.withheld_labels:
            labels = tuple(one + two for one, two in zip(self.withheld_labels, other.withheld_labels, strict=True))
        return NodeSums(
            self.node,
            self.groups + other.groups,
            self.squares + other.squares,
            self.withheld + other.withheld,
            self.withheld_groups + other.withheld_groups,
            self.withheld_squares + other.withheld_squares,
            labels,
        )

    @staticmethod
    def total(parts: Sequence["NodeSums"]) -> "NodeSums":
        """Return the sums over the groups of all parts."""
        return reduce(NodeSums.__add__, parts)
