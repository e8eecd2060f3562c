"""The attack ``structure``: which items somebody has rated gives their record away.

*Knowledge.* That the target rated some ``items``, drawn among all of theirs, or among those outside the
``outside_top`` most rated. Not how they rated them.

*Success.* The candidates are the published records that hold all of these items. The attacker takes one of the people
behind them, so success is 1 by their number if the target is among them. Without any candidate the attacker guesses.

*Reference.* The structure-based attack of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), Definition
3.1.
"""

from dataclasses import dataclass
from typing import ClassVar

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure

from .matching import KnownItemsAttack

__all__ = ["Structure"]


@attacks.add
@dataclass(frozen=True)
class Structure(KnownItemsAttack):
    """Finds records by which items they rate."""

    name: ClassVar[str] = "structure"

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        return f"Knows {self._items} that a person rated, not how, and looks for the person's record."

    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:  # noqa: ARG002
        return None
