"""What a node of the lattice costs by its degree of anonymisation."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.evidence import PrivacyHashTable

__all__ = ["DegreeLoss"]

_UNWEIGHED = 1e-6
"""The share of the cost that counts all attributes alike, so that no step up is free, be its attribute of no use."""


class DegreeLoss:
    """The degree of the table told at a node; a withheld record costs 1. A loss for the search of the lattice."""

    exact = True

    def __init__(
        self, records: int, level_degrees: Sequence[Sequence[Fraction]], priorities: Sequence[Fraction]
    ) -> None:
        weights = np.array(priorities, np.float64) if any(priorities) else np.ones(len(priorities))
        shares = (1 - _UNWEIGHED) * weights / weights.sum() + _UNWEIGHED / len(weights)
        pairs = zip(shares, level_degrees, strict=True)
        self._records = records
        self._costs = [share * np.array(degrees, np.float64) for share, degrees in pairs]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray | None = None) -> np.ndarray:  # noqa: ARG002
        """Give what each node, a line of levels, costs if nobody is withheld."""
        out = np.zeros(len(nodes))
        for i, costs in enumerate(self._costs):
            out += costs[nodes[:, i]]
        return out

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Give the least that nodes cost that withhold so many records at least."""
        bounds = self.bounds(nodes)
        return bounds + (1 - bounds) * withheld / self._records

    def least(self, table: PrivacyHashTable) -> float:
        """Give the least that a node and those above it can cost."""
        return float(self.bounds(np.array([table.node]))[0])

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> float:
        """Give what a node costs if these groups are withheld."""
        share = float(table.counts.sizes[withheld].sum()) / self._records
        return self.least(table) + (1 - self.least(table)) * share
