"""The attack ``label``: a record is re-identified by how its owner rated some items.

*Knowledge.* Some ``items`` that the target rated, drawn among all of theirs, or among those outside the
``outside_top`` most rated, and how they rated them, up to ``tolerance`` points of the rating scale.

*Success.* The candidates are the published records with a rating of each of these items that is at most the tolerance
away from the true one. The attacker picks one of the people behind them, so the probability of success is 1 divided by
their number if the target is among them. Without any candidate the attacker guesses.

*Reference.* The label-based attack of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), Definition 3.2;
there ratings are known exactly, here a tolerance may be given.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

from shoal.attacks.base import attacks
from shoal.attacks.exposure import Exposure
from shoal.data import Ratings
from shoal.errors import WordingError

from .matching import KnownItemsAttack

__all__ = ["Label"]


@attacks.add
@dataclass(frozen=True)
class Label(KnownItemsAttack):
    """Re-identifies records by the ratings of some known items."""

    name: ClassVar[str] = "label"

    tolerance: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance < 0:
            raise WordingError("label: a tolerance cannot be negative.", "Write tolerance=0 for ratings known exactly.")

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Return the attack with exact ratings, and with ratings known within one step of the original scale."""
        (exactly,) = super().usual(exposure)
        if not isinstance(exposure.truth, Ratings):
            return (exactly,)
        return exactly, replace(exactly, tolerance=exposure.truth.scale.step)

    @property
    def needs_ratings(self) -> bool:
        """The ratings of the known items are known."""
        return True

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        how = f"each rating within {float(self.tolerance):g}" if self.tolerance else "with the exact ratings"
        return f"Knows {self._items} that a person rated, {how}, and looks for the person's record."

    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:
        scale = exposure.ratings[1].scale
        return min(scale.steps_within(self.tolerance), scale.points)
