"""Every measure of a release that can be computed, and why the others cannot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shoal.progress import stage

from .comparison import Comparison
from .measure import Measure, Unmeasurable

__all__ = ["Measured", "measured"]


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
