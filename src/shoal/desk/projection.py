"""How far data are anonymised for somebody who is trusted so much: the projection of trust to a degree."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from shoal.errors import WordingError
from shoal.wording import Registry, Worded

__all__ = ["Projection", "projections"]

_FINENESS: Final = 1000


@dataclass(frozen=True)
class Projection(Worded, ABC):
    """A degree of anonymisation for every trust: who is trusted more never gets a larger one.

    Trust is read to thousandths, rounded down. All of them are tried when a projection is made, so that this law holds
    for every trust there is, whatever the projection.
    """

    def __post_init__(self) -> None:
        degrees = [self._degree(Fraction(step, _FINENESS)) for step in range(_FINENESS + 1)]
        if not all(0 <= degree <= 1 for degree in degrees):
            raise WordingError("A projection gives a degree below 0 or above 1 for some trust.")
        if not all(less >= more for less, more in pairwise(degrees)):
            raise WordingError("A projection gives more trust a larger degree of anonymisation.")

    def degree(self, trust: Fraction | float) -> Fraction:
        """Give the degree for a trust between 0 (none) and 1 (full)."""
        if not 0 <= trust <= 1:
            raise WordingError("Trust is at least 0 and at most 1.")
        return self._degree(Fraction(int(Fraction(trust) * _FINENESS), _FINENESS))

    @abstractmethod
    def _degree(self, trust: Fraction) -> Fraction: ...


projections: Registry[Projection] = Registry("projection")
