"""A chain of generalisations as it was written down."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from shoal.anonymizers import GeneralisationChain

__all__ = ["FixedChain", "Node"]

Node = tuple[int, ...]


@dataclass(frozen=True)
class FixedChain:
    """Nodes of the lattice, each above the one before it, and the degree of anonymisation of each.

    What was given on a chain stays nested only as long as it is the same chain. Its nodes are therefore kept, and not
    reckoned anew from data that may have changed since.
    """

    nodes: tuple[Node, ...]
    degrees: tuple[Fraction, ...]

    @classmethod
    def of(cls, chain: GeneralisationChain) -> Self:
        """Write a chain down."""
        return cls(chain.nodes, chain.degrees)

    @classmethod
    def of_json(cls, told: dict[str, Any]) -> Self:
        """Read what :meth:`to_json` gave."""
        return cls(tuple(map(tuple, told["nodes"])), tuple(map(Fraction, told["degrees"])))

    def to_json(self) -> dict[str, Any]:
        """Give what is kept."""
        return {"nodes": [list(node) for node in self.nodes], "degrees": [str(degree) for degree in self.degrees]}

    def place(self, degree: Fraction) -> int:
        """Give the place whose degree is closest: of two as close the coarser, and the lowest for degree 0 alone."""
        if degree == 0:
            return 0
        return min(range(len(self.nodes)), key=lambda place: (abs(self.degrees[place] - degree), -place))

    @staticmethod
    def meet(nodes: Sequence[Node]) -> Node:
        """Give the node that tells as much as these together: of each attribute the finest level among them.

        Levels of a hierarchy nest, so whoever has several of an attribute has no more than the finest.
        """
        return tuple(map(min, zip(*nodes, strict=True)))
