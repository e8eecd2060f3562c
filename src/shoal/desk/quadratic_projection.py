"""The projection ``quadratic``: trust must be high before the degree falls much.

The thesis (§4.5.2) speaks of a quadratic projection and does not say which. This one falls with the square of trust:
at a trust of 1/2 a quarter of the way down, so that who is trusted half gets much less than half of the detail.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .projection import Projection, projections

__all__ = ["QuadraticProjection"]


@projections.add
@dataclass(frozen=True)
class QuadraticProjection(Projection):
    """The degree falls with the square of trust, from ``without`` trust to ``full`` trust."""

    name: ClassVar[str] = "quadratic"

    without: Fraction = Fraction(1)
    full: Fraction = Fraction(0)

    def _degree(self, trust: Fraction) -> Fraction:
        return self.without - (self.without - self.full) * trust**2
