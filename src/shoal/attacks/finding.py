"""What an attack found.

How much of what the control leaves over an attack achieves.

*Definition.* risk = (main − control) / (1 − control): of the targets about whom an attacker who knows nothing of them
is wrong, the share about whom this attacker is right. It is 0 where the control does as well as the attack or better,
and also where the control is always right, because nothing is left to achieve then.

*Interval.* The margins of the two rates, from each rate to the ends of its Wilson interval, are carried over by the
derivatives of the risk and added as squares: downwards the lower margin of the main rate and the upper one of the
control, upwards the other two. It is cut off at 0 and 1, and is all of [0, 1] where the control is always right.

*Reference.* Giomi, Boenisch, Wehmeyer and Tasnádi, A Unified Framework for Quantifying Privacy Risk in Synthetic Data
(2023), equation 2; there the margins are symmetric around the middle of the Wilson interval.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .exposure import by_person

__all__ = ["Finding", "Outcome", "Yardstick", "normalized_risk"]


Interval = tuple[float, float]


def normalized_risk(
    main: float, main_interval: Interval, control: float, control_interval: Interval
) -> tuple[float, Interval]:
    """Return the risk of an attack above its control, and the interval of the risk."""
    left = 1 - control
    if left <= 0:
        return 0.0, (0.0, 1.0)
    risk = (main - control) / left
    by_main, by_control = 1 / left, (1 - main) / left**2
    down = math.hypot((main - main_interval[0]) * by_main, (control_interval[1] - control) * by_control)
    up = math.hypot((main_interval[1] - main) * by_main, (control - control_interval[0]) * by_control)
    return _share(risk), (_share(risk - down), _share(risk + up))


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


Yardstick = Literal["singling out", "linkability", "inference"]
"""What regulators ask about: is one person isolated, are records of one person linked, is something learned."""


@dataclass(frozen=True)
class Finding:
    """The rate of success of an attack, beside that of guessing and that of looking for somebody else."""

    attack: str
    """The wording of the attack."""
    meaning: str
    yardstick: Yardstick
    main: float
    baseline: float
    control: float
    interval: tuple[float, float]
    """Of the main rate, were the targets drawn from many more: 95 %."""
    targets: int
    largest: float
    """The probability of success for the target who is worst off."""
    details: Mapping[str, int | float]
    control_interval: tuple[float, float]
    """Of the control, were those who stand for it drawn from many more: 95 %."""
    control_of: str = "somebody else"
    """Whom the attacker of the control knows about."""

    @property
    def risk(self) -> float:
        """What the attack achieves above its control, as a share of what the control leaves over."""
        return self._normalized[0]

    @property
    def risk_interval(self) -> tuple[float, float]:
        """Of the risk: 95 %."""
        return self._normalized[1]

    @property
    def _normalized(self) -> tuple[float, tuple[float, float]]:
        return normalized_risk(self.main, self.interval, self.control, self.control_interval)

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "attack": self.attack,
            "yardstick": self.yardstick,
            "main": self.main,
            "baseline": self.baseline,
            "control": self.control,
            "interval": list(self.interval),
            "control_interval": list(self.control_interval),
            "control_of": self.control_of,
            "risk": self.risk,
            "risk_interval": list(self.risk_interval),
            "targets": self.targets,
            "largest": self.largest,
            "details": dict(self.details),
        }


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
