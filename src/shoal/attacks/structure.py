"""The attack ``structure``: which items somebody has rated gives their record away.

*Knowledge.* That the target rated ``known`` items, drawn among all of theirs, or among those outside the
``outside_top`` most rated. Not how they rated them.

*Success.* The candidates are the published records that hold all of these items. The attacker takes one of the people
behind them, so success is 1 by their number if the target is among them. Without any candidate the attacker guesses.

*Reference.* The structure-based attack of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), section 3.
"""

from dataclasses import dataclass
from typing import ClassVar

from shoal.errors import WordingError
from shoal.randomness import Randomness

from .base import Attack, attacks
from .exposure import Exposure
from .finding import Yardstick
from .known_items import known_items
from .matching_candidates import MatchingCandidates
from .outcome import Outcome

__all__ = ["Structure"]


@attacks.add
@dataclass(frozen=True)
class Structure(Attack):
    """Finds records by which items they rate."""

    name: ClassVar[str] = "structure"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "singling out"

    known: int = 4
    outside_top: int = 0
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.known < 1:
            raise WordingError("structure needs at least one known item.")

    @property
    def meaning(self) -> str:
        """What the attacker knows and wants."""
        where = f" outside the {self.outside_top:,} most rated" if self.outside_top else ""
        return f"Knows {self.known} items{where} that a person rated, and looks for the person's record."

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator("structure")
        candidates = MatchingCandidates(exposure)
        chosen = exposure.targets(self.targets, generator)
        drawn = known_items(exposure.ratings[0].observable, chosen, self.known, self.outside_top, generator)
        return candidates.outcome(drawn, None, generator)
