"""How an attack went, person by person."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from .by_person import by_person

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
    control_persons: np.ndarray | None = None
    """Whose record each of the control is, where they are not the targets."""

    def by_person(self, persons: np.ndarray, *, worst: bool) -> "Outcome":
        """Return the same with one target a person instead of one a record: see :func:`.by_person.by_person`."""
        assert self.rows is not None, "an attack on a table says which records it attacked"
        of_targets = persons[self.rows]
        of_control = of_targets if self.control_persons is None else self.control_persons
        main = by_person(self.main, of_targets, worst=worst)
        control = by_person(self.control, of_control, worst=worst)
        return replace(self, main=main, control=control, rows=None, control_persons=None)
