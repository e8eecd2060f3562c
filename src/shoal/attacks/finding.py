"""What an attack found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .normalized_risk import normalized_risk

__all__ = ["Finding", "Yardstick"]

Yardstick = Literal["singling out", "linkability", "inference"]
"""What regulators ask about: is one person isolated, are records of one person linked, is something learnt."""


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
        """Give what ``--json`` prints."""
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
