"""Utility: what the published records are still good for, measured against the originals.

A measure is a number with a name, a unit and a meaning. Read :mod:`.comparison` first (original and published records,
and who became which; it carries the settings of measures, :mod:`.query_settings` and :mod:`.prediction_settings`), then
:mod:`.measure` (what a measure is) and :mod:`.summary` (the measures of a release in a sentence, and the warnings they
give rise to). :mod:`.published_columns` reads the labels of a table once for all
measures. Every other room is a family of measures that imports none of the others. :data:`MEASURES` finds every measure
that lies here, and :data:`QUICK` are those that every release is reported with.
"""

from typing import TYPE_CHECKING, Any

from .comparison import Comparison
from .measure import MEASURES, Measure, Measured, figures_of, measure_behind, measured
from .prediction_settings import Prediction
from .published_columns import nothing_left
from .query_settings import Queries
from .summary import WarnAt, kept_in_words, unique_in_words, warnings_of

if TYPE_CHECKING:
    QUICK: tuple[Measure, ...]

__all__ = [
    "MEASURES",
    "QUICK",
    "Comparison",
    "Measure",
    "Measured",
    "Prediction",
    "Queries",
    "WarnAt",
    "figures_of",
    "kept_in_words",
    "measure_behind",
    "measured",
    "nothing_left",
    "unique_in_words",
    "warnings_of",
]


def __getattr__(name: str) -> Any:
    """List the quick measures when they are first asked for: that imports every measure."""
    if name == "QUICK":
        return tuple(each for each in MEASURES.values() if each.quick)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
