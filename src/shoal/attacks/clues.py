"""What is known of ratings, not always rightly."""

from dataclasses import dataclass

import numpy as np

from shoal.data import Ratings
from shoal.kernels.scoreboard import UNKNOWN_DAY

from .exposure import Exposure
from .known_items import KnownItems

__all__ = ["Clues", "clues"]


@dataclass(frozen=True, eq=False)
class Clues:
    """For each target a line: items, and what is taken for their ratings and days."""

    items: np.ndarray
    codes: np.ndarray
    """On the scale of what is seen."""
    days: np.ndarray
    """Empty where the days are not known."""

    def of(self, lines: np.ndarray) -> "Clues":
        """Give these lines in this order."""
        return Clues(self.items[lines], self.codes[lines], self.days[lines])


def clues(
    exposure: Exposure,
    known: KnownItems,
    wrong: np.ndarray,
    error: int,
    date_error: int,
    generator: np.random.Generator,
) -> Clues:
    """Spoil what is known: a line of ratings of anybody replaces as many of each target's, and all are somewhat off.

    Every error up to so many steps of the true scale, and up to so many days, is as likely; ratings end at the ends of
    the scale.
    """
    truth, seen = exposure.truth, exposure.seen
    assert isinstance(truth, Ratings)
    assert isinstance(seen, Ratings)
    entries = generator.permuted(known.entries, axis=1)
    entries[:, : wrong.shape[1]] = wrong
    off = generator.integers(-error, error + 1, entries.shape)
    codes = np.clip(truth.observable.codes[entries] + off, 0, truth.scale.points - 1)
    parts = int(truth.scale.step / seen.scale.step)
    days_off = generator.integers(-date_error, date_error + 1, entries.shape)
    return Clues(truth.observable.indices[entries], codes * parts, _days(exposure.dates, entries, days_off))


def _days(dates: np.ndarray | None, entries: np.ndarray, off: np.ndarray) -> np.ndarray:
    if dates is None:
        return off[:, :0]
    return np.where(dates[entries] == UNKNOWN_DAY, UNKNOWN_DAY, dates[entries] + off)
