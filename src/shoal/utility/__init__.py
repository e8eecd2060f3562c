"""What is left of use, and what of truth: numbers from original and published records.

:mod:`.comparison` holds both sides, :mod:`.measure` says what a measure is; the measures lie in families, of ratings,
of tables, of groups, of predictions and of queries. :data:`MEASURES` finds every one that lies in this room, and
:data:`QUICK` are those that every release is reported with.
"""

from typing import TYPE_CHECKING, Any

from .comparison import Comparison
from .measure import MEASURES, Measure, Measured, measured
from .tables.published_columns import nothing_left
from .words import WarnAt, kept_in_words, warnings_of

if TYPE_CHECKING:
    QUICK: tuple[Measure, ...]

__all__ = [
    "MEASURES",
    "QUICK",
    "Comparison",
    "Measure",
    "Measured",
    "WarnAt",
    "kept_in_words",
    "measured",
    "nothing_left",
    "warnings_of",
]


def __getattr__(name: str) -> Any:
    """List the quick measures when they are first asked for: that imports every measure."""
    if name == "QUICK":
        return tuple(each for each in MEASURES.values() if each.quick)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
