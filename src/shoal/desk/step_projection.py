"""The projection ``steps``: a table of degrees, each from some trust on."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from shoal.errors import WordingError

from .projection import Projection, projections

__all__ = ["StepProjection"]


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
