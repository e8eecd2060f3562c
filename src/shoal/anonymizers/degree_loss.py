"""What a node of the lattice costs by its degree of anonymisation."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.evidence import PrivacyHashTable

__all__ = ["DegreeLoss"]

_UNWEIGHED = Fraction(1, 10**6)
"""The share of the cost that counts all attributes alike, so that no step up is free, be its attribute of no use."""


class DegreeLoss:
    """The degree of the table told at a node; a withheld record costs 1. A loss for the search of the lattice."""

    exact = True

    def __init__(
        self, records: int, level_degrees: Sequence[Sequence[Fraction]], priorities: Sequence[Fraction]
    ) -> None:
        weights = list(priorities) if any(priorities) else [Fraction(1)] * len(priorities)
        shares = [(1 - _UNWEIGHED) * each / sum(weights) + _UNWEIGHED / len(weights) for each in weights]
        pairs = zip(shares, level_degrees, strict=True)
        self._records = records
        self._costs = [[share * degree for degree in degrees] for share, degrees in pairs]
        self._doubles = [np.array(costs, np.float64) for costs in self._costs]

    def bounds(self, nodes: np.ndarray, squares: np.ndarray | None = None) -> np.ndarray:  # noqa: ARG002
        """Give what each node, a line of levels, costs if nobody is withheld."""
        out = np.zeros(len(nodes))
        for i, costs in enumerate(self._doubles):
            out += costs[nodes[:, i]]
        return out

    def withholding(self, nodes: np.ndarray, withheld: int) -> np.ndarray:
        """Give the least that nodes cost that withhold so many records at least."""
        bounds = self.bounds(nodes)
        return bounds + (1 - bounds) * withheld / self._records

    def alone(self, node: Sequence[int]) -> Fraction:
        """Return what a node costs that withholds nobody."""
        return sum((costs[level] for costs, level in zip(self._costs, node, strict=True)), Fraction(0))

    def least(self, table: PrivacyHashTable) -> float:
        """Give the least that a node and those above it can cost."""
        return float(self.alone(table.node))

    def of(self, table: PrivacyHashTable, withheld: np.ndarray) -> Fraction:
        """Give what a node costs if these groups are withheld."""
        cost = self.alone(table.node)
        return cost + (1 - cost) * Fraction(int(table.counts.sizes[withheld].sum()), self._records)
