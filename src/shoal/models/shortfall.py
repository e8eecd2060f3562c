"""By how much groups or neighborhoods fall short of a promise, and in which sensitive attribute: for explanations.

Numbers are rounded to six digits, and never look as if they were enough: promises are judged elsewhere, exactly.
"""

from dataclasses import dataclass

import numpy as np

__all__ = ["Shortfall"]

_UNIT = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Shortfall:
    """By group or record, the sensitive attribute that falls shortest, what it reaches, and what it should reach."""

    worst: np.ndarray
    """Which attribute, by number; −1 where it is not the sensitive values that break the promise."""
    reached: np.ndarray
    """In the units of the promise, such as different values, a spread or a distance; NaN where it has no number."""
    needed: np.ndarray

    @classmethod
    def nowhere(cls, n: int) -> "Shortfall":
        """Return a shortfall of ``n`` groups or records none of which falls short; it is filled in later."""
        return cls(np.full(n, -1, np.int64), np.full(n, np.nan), np.full(n, np.nan))

    def take(self, places: np.ndarray) -> "Shortfall":
        """Return those of some groups or records, in this order."""
        return Shortfall(self.worst[places], self.reached[places], self.needed[places])

    def blame(self, broken: np.ndarray) -> None:
        """Name the first attribute that breaks the promise by itself; ``broken`` has a line for each attribute."""
        here = np.flatnonzero(broken.any(axis=0))
        self.worst[here] = broken[:, here].argmax(axis=0)

    def measure(self, broken: np.ndarray, reached: np.ndarray, needed: float, *, at_most: bool = False) -> None:
        """Name the worst of the attributes that break the promise, for the groups in which one does.

        ``broken`` and ``reached`` have a line for each attribute; with ``at_most``, what is needed is an upper bound.
        """
        here = np.flatnonzero(broken.any(axis=0))
        rounded = np.round(reached[:, here] / _UNIT) * _UNIT  # sums may differ by the order in which they were taken
        worst = np.where(broken[:, here], rounded if at_most else -rounded, -np.inf).argmax(axis=0)
        shown = rounded[worst, np.arange(len(here))]
        self.worst[here] = worst
        self.reached[here] = np.maximum(shown, needed + _UNIT) if at_most else np.minimum(shown, needed - _UNIT)
        self.needed[here] = needed
