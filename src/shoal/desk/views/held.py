"""What somebody holds of one version of the data: several views, which reveal as much as one together."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.desk.request import FixedChain, Node

__all__ = ["Held"]


@dataclass(frozen=True)
class Held:
    """The finest levels of the views on a chain, and all cuts of the views of the tree; None where there is no view."""

    levels: Node | None = None
    packed: bytes | None = None
    """The mask of the cuts, eight in a byte."""

    @classmethod
    def of_cuts(cls, cuts: np.ndarray) -> Self:
        """Return what a view of a tree is."""
        return cls(packed=np.packbits(cuts).tobytes())

    def cuts(self, n_groups: int) -> np.ndarray:
        """Return the mask of the cuts in a tree of so many groups."""
        assert self.packed is not None
        return np.unpackbits(np.frombuffer(self.packed, np.uint8), count=n_groups).astype(bool)

    def __or__(self, other: "Held") -> "Held":
        """Return what both are together."""
        levels = [each for each in (self.levels, other.levels) if each is not None]
        packed = [each for each in (self.packed, other.packed) if each is not None]
        return Held(FixedChain.meet(levels) if levels else None, _either(packed) if packed else None)


def _either(packed: list[bytes]) -> bytes:
    return np.bitwise_or.reduce([np.frombuffer(each, np.uint8) for each in packed]).tobytes()
