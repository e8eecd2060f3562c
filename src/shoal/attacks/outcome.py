"""How an attack went, person by person."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

__all__ = ["Outcome"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The chance of success for each target, and what attackers achieve who do not look, or look for somebody else."""

    main: np.ndarray
    """For each target, the probability with which the attack is right: 1 by the number of candidates, for example."""
    baseline: float
    """The same on average for somebody who guesses without what is published."""
    control: np.ndarray
    """The same for an attacker whose knowledge is of somebody else: for each target, or for each who stands for it."""
    details: Mapping[str, int | float] = field(default_factory=dict)
    """Other figures, by names that explain themselves."""
    control_of: str = "somebody else"
    """Whom the attacker of the control knows about, in words that follow "knowledge about"."""
    rows: np.ndarray | None = None
    """For each target, the record of the truth: attacks on tables say it, as a person may have several records."""

    def by_person(self, persons: np.ndarray, *, worst: bool) -> "Outcome":
        """Return the same with one target a person instead of one a record.

        ``worst`` takes the record by which a person is found most surely: whoever knows all of a person's records
        looks for that one. Otherwise the records of a person are averaged, so that everybody counts alike.
        """
        assert self.rows is not None, "an attack on a table says which records it attacked"
        _, numbers, times = np.unique(persons[self.rows], return_inverse=True, return_counts=True)

        def of_each(chances: np.ndarray) -> np.ndarray:
            if len(chances) != len(numbers):  # those who stand for the targets are others
                return chances
            if not worst:
                return np.bincount(numbers, chances) / times
            largest = np.zeros(len(times))
            np.maximum.at(largest, numbers, chances)
            return largest

        return replace(self, main=of_each(self.main), control=of_each(self.control), rows=None)
