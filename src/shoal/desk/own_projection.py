"""A projection of the owner's own."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.errors import WordingError

from .projection import Projection

__all__ = ["OwnProjection"]


@dataclass(frozen=True)
class OwnProjection(Projection):
    """Any function from trust to degree that keeps the law of projections. It cannot be written in words."""

    name: ClassVar[str] = "own"

    function: Callable[[Fraction], Fraction | float]

    def _degree(self, trust: Fraction) -> Fraction:
        try:
            return Fraction(self.function(trust))
        except (TypeError, ValueError, OverflowError):
            raise WordingError("A projection gives something for some trust that is no finite number.") from None
