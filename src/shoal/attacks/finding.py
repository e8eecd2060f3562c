"""The finding of an attack: its success rate, baseline and control, and the risk above the control.

*Definition.* risk = (main − control) / (1 − control): among the targets about whom the control attack is wrong, the
share about whom this attack is right. It is 0 where the control does as well as the attack or better, and also where
the control is always right, because nothing is left to achieve then.

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

from .exposure import aggregate_by_person

__all__ = ["Finding", "Outcome", "Yardstick", "normalized_risk"]


Interval = tuple[float, float]


def normalized_risk(
    main: float, main_interval: Interval, control: float, control_interval: Interval
) -> tuple[float, Interval]:
    """Return the risk of an attack above its control, with its confidence interval."""
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
"""The questions of the Article 29 Working Party: singling out, linkability and inference (attribute disclosure)."""


@dataclass(frozen=True)
class Finding:
    """The success rate of an attack, beside the baseline (guessing) and the control (knowledge about somebody else)."""

    attack: str
    """The wording of the attack."""
    meaning: str
    yardstick: Yardstick
    main: float
    baseline: float
    control: float
    interval: tuple[float, float]
    """The 95 % confidence interval of the main rate, for targets sampled from a large population."""
    targets: int
    largest: float
    """The probability of success for the target at the highest risk."""
    details: Mapping[str, int | float]
    control_interval: tuple[float, float]
    """The 95 % confidence interval of the control rate."""
    control_of: str = "somebody else"
    """The subject of the control's knowledge."""

    @property
    def risk(self) -> float:
        """The success above the control, as a share of what the control leaves: (main − control) / (1 − control)."""
        return self._normalized[0]

    @property
    def risk_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the risk."""
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
    """The probability of success for each target, beside that of guessing and that of the control attack."""

    main: np.ndarray
    """For each target, the probability that the attack is right: 1 divided by the number of candidates, for example."""
    baseline: float
    """The mean probability of success of guessing without the release."""
    control: np.ndarray
    """The probability of success with background knowledge about somebody else: for each target or control person."""
    details: Mapping[str, int | float] = field(default_factory=dict)
    """Other figures by self-explanatory names."""
    control_of: str = "somebody else"
    """The subject of the control's knowledge, in words that follow "knowledge about"."""
    rows: np.ndarray | None = None
    """For each target, its row of the truth; required of attacks on tables, where a person may have several records."""
    control_persons: np.ndarray | None = None
    """The persons of the control records, where these are not the targets."""

    def by_person(self, persons: np.ndarray, *, worst: bool) -> "Outcome":
        """Return the outcome with one target per person: see :func:`.exposure.aggregate_by_person`."""
        assert self.rows is not None, "an attack on a table returns the rows it attacked"
        of_targets = persons[self.rows]
        of_control = of_targets if self.control_persons is None else self.control_persons
        main = aggregate_by_person(self.main, of_targets, worst=worst)
        control = aggregate_by_person(self.control, of_control, worst=worst)
        return replace(self, main=main, control=control, rows=None, control_persons=None)
