"""What an attack found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

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

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {
            "attack": self.attack,
            "yardstick": self.yardstick,
            "main": self.main,
            "baseline": self.baseline,
            "control": self.control,
            "interval": list(self.interval),
            "targets": self.targets,
            "largest": self.largest,
            "details": dict(self.details),
        }
