"""One measure: its name, its unit, whether it is quick, and how it is computed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from shoal.progress import stage

from .comparison import Comparison

__all__ = ["Measure", "Measured", "Unmeasurable", "measure", "measured"]


Compute = Callable[[Comparison], int | float]


class Unmeasurable(Exception):  # noqa: N818 - it never leaves the room: it becomes the reason why a number is missing
    """These records do not allow a measure to be computed; the text says why, without a value of a record."""


@dataclass(frozen=True)
class Measure:
    """A number from original and published records."""

    name: str
    unit: str
    compute: Compute
    quick: bool
    """Whether it takes no longer than reading the data; a release is measured by the quick ones alone."""

    def __call__(self, comparison: Comparison) -> int | float:
        """Return the number, or raise :class:`Unmeasurable`."""
        return self.compute(comparison)

    @property
    def meaning(self) -> str:
        """What it is, in one sentence."""
        assert self.compute.__doc__, "every measure says what it is"
        return self.compute.__doc__.strip().splitlines()[0]


def measure(name: str, *, unit: str, quick: bool = True) -> Callable[[Compute], Measure]:
    """Make a measure of a function that computes it."""
    return lambda compute: Measure(name, unit, compute, quick)


@dataclass(frozen=True)
class Measured:
    """Numbers by name; and for measures that these records do not allow, the reasons."""

    values: Mapping[str, int | float]
    reasons: Mapping[str, str]


def measured(comparison: Comparison, measures: Iterable[Measure]) -> Measured:
    """Compute measures one after the other."""
    values: dict[str, int | float] = {}
    reasons: dict[str, str] = {}
    for each in measures:
        with stage(f"measuring: {each.name}"):
            try:
                values[each.name] = each(comparison)
            except Unmeasurable as unmeasurable:
                reasons[each.name] = str(unmeasurable)
    return Measured(values, reasons)
