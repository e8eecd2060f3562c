"""How an attack went, person by person."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
