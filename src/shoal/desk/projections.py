"""Projections from the trust in a requester to a degree of anonymization.

The thesis (§4.5.2) speaks of a quadratic projection and does not say which. Here ``quadratic`` falls with the square of
trust: at a trust of 1/2 a quarter of the way down, so that half the trust gets much less than half of the detail.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Final

from shoal.errors import WordingError
from shoal.wording import Registry, Worded

__all__ = ["LinearProjection", "OwnProjection", "Projection", "QuadraticProjection", "StepProjection", "projections"]


_FINENESS: Final = 1000


@dataclass(frozen=True)
class Projection(Worded, ABC):
    """A degree of anonymization for every trust; more trust never gets a larger degree.

    Trust is read to thousandths, rounded down. All of them are tried when a projection is made, so that this law holds
    for every trust there is, whatever the projection.
    """

    def __post_init__(self) -> None:
        degrees = [self._degree(Fraction(step, _FINENESS)) for step in range(_FINENESS + 1)]
        if not all(0 <= degree <= 1 for degree in degrees):
            raise WordingError("The projection has a degree below 0 or above 1 for some trust.")
        if not all(less >= more for less, more in pairwise(degrees)):
            raise WordingError("The projection has a larger degree of anonymization for more trust.")

    def degree(self, trust: Fraction | float) -> Fraction:
        """Return the degree for a trust between 0 (none) and 1 (full)."""
        if not 0 <= trust <= 1:
            raise WordingError("Trust is at least 0 and at most 1.")
        return self._degree(Fraction(int(Fraction(trust) * _FINENESS), _FINENESS))

    @abstractmethod
    def _degree(self, trust: Fraction) -> Fraction: ...


projections: Registry[Projection] = Registry("projection")


@projections.add
@dataclass(frozen=True)
class LinearProjection(Projection):
    """The degree falls evenly, from ``without`` trust to ``full`` trust."""

    name: ClassVar[str] = "linear"

    without: Fraction = Fraction(1)
    full: Fraction = Fraction(0)

    def _degree(self, trust: Fraction) -> Fraction:
        return self.without - (self.without - self.full) * trust


@dataclass(frozen=True)
class OwnProjection(Projection):
    """Any function from trust to degree that keeps the law of projections. It cannot be written in words."""

    name: ClassVar[str] = "own"

    function: Callable[[Fraction], Fraction | float]

    def _degree(self, trust: Fraction) -> Fraction:
        try:
            return Fraction(self.function(trust))
        except (TypeError, ValueError, OverflowError):
            raise WordingError("The projection is not a finite number for some trust.") from None


@projections.add
@dataclass(frozen=True)
class QuadraticProjection(Projection):
    """The degree falls with the square of trust, from ``without`` trust to ``full`` trust."""

    name: ClassVar[str] = "quadratic"

    without: Fraction = Fraction(1)
    full: Fraction = Fraction(0)

    def _degree(self, trust: Fraction) -> Fraction:
        return self.without - (self.without - self.full) * trust**2


@projections.add
@dataclass(frozen=True)
class StepProjection(Projection):
    """The degree of the last line whose trust is reached: ``0:1;0.5:0.6;0.9:0.2``."""

    name: ClassVar[str] = "steps"

    table: str

    def _degree(self, trust: Fraction) -> Fraction:
        return [degree for least, degree in self._lines if least <= trust][-1]

    @cached_property
    def _lines(self) -> list[tuple[Fraction, Fraction]]:
        try:
            pairs = [line.split(":") for line in filter(None, self.table.split(";"))]
            lines = sorted((Fraction(trust.strip()), Fraction(degree.strip())) for trust, degree in pairs)
        except (ValueError, ZeroDivisionError):
            raise WordingError("steps needs a table such as 0:1;0.5:0.6;0.9:0.2.") from None
        if not lines or lines[0][0] != 0 or lines[-1][0] > 1:
            raise WordingError("steps needs a line for trust 0, and none for a trust above 1.")
        if len({trust for trust, _ in lines}) < len(lines):
            raise WordingError("steps has more than one line for the same trust.")
        return lines
