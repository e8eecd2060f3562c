"""The projection ``linear``: the degree falls as trust grows, at the same pace throughout."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .projection import Projection, projections

__all__ = ["LinearProjection"]


@projections.add
@dataclass(frozen=True)
class LinearProjection(Projection):
    """The degree falls evenly, from ``without`` trust to ``full`` trust."""

    name: ClassVar[str] = "linear"

    without: Fraction = Fraction(1)
    full: Fraction = Fraction(0)

    def _degree(self, trust: Fraction) -> Fraction:
        return self.without - (self.without - self.full) * trust
