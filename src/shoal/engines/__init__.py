"""Where it runs: an engine turns records into evidence, and knows no thresholds."""

from .base import Engine, rating_amounts
from .judge import Judgment, judge, refuse_misfits
from .local import LocalEngine

__all__ = ["Engine", "Judgment", "LocalEngine", "judge", "rating_amounts", "refuse_misfits"]
