"""The attack ``structure``: a record is re-identified by which items its owner rated.

*Knowledge.* That the target rated some ``items``, drawn among all of theirs, or among those outside the
``outside_top`` most rated, but not how they rated them.

*Success.* The candidates are the published records that hold all of these items. The attacker picks one of the
people behind them, so the probability of success is 1 divided by their number if the target is among them. Without any
candidate the attacker guesses.

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
    """Re-identifies records by the items they hold, whatever the ratings."""

    name: ClassVar[str] = "structure"

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        return f"Knows {self._items} that a person rated, but not the ratings, and looks for the person's record."

    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:  # noqa: ARG002
        return None
