"""What attacks have in common that know some items of a person and look for records that agree."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.errors import WordingError
from shoal.randomness import Randomness

from .base import Attack
from .enough_ratings import enough_ratings
from .exposure import Exposure
from .finding import Yardstick
from .known_items import known_items
from .matching_candidates import MatchingCandidates
from .outcome import Outcome

__all__ = ["ByKnownItems"]

_USUAL_TARGETS = 10_000


@dataclass(frozen=True)
class ByKnownItems(Attack):
    """Knows some items of each target, drawn among all of theirs or among those outside the most rated."""

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})
    yardstick: ClassVar[Yardstick] = "singling out"

    items: int = 4
    outside_top: int = 0
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.items < 1:
            raise WordingError(f"{self.name} needs at least one known item.")
        if self.outside_top < 0:
            raise WordingError(f"{self.name}: outside_top says how many items are left out, and cannot be negative.")
        if self.targets is not None and self.targets < 1:
            raise WordingError(f"{self.name} needs at least one target.")

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Self, ...]:
        """Attack everybody, or so many as tell the rate well enough."""
        return (cls(targets=_USUAL_TARGETS if len(exposure.published) > _USUAL_TARGETS else None),)

    @property
    def _items(self) -> str:
        where = f" outside the {self.outside_top:,} most rated" if self.outside_top else ""
        return f"{self.items:,} item{'' if self.items == 1 else 's'}{where}"

    def _misfit(self, exposure: Exposure) -> str | None:
        if not len(self._with_enough(exposure)):
            return f"Nobody who is published has ratings of {self._items} to know of."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        # attacks draw alike, so that what more one of them knows is all that tells it from another
        generator = randomness.generator("known items")
        chosen = exposure.targets(self.targets, generator, self._with_enough(exposure))
        drawn = known_items(exposure.ratings[0].observable, chosen, self.items, self.outside_top, generator)
        return MatchingCandidates(exposure).outcome(drawn, self._tolerance_in_steps(exposure), generator)

    def _with_enough(self, exposure: Exposure) -> np.ndarray:
        """Give the published rows of the truth that have so many ratings to know of."""
        matrix = exposure.ratings[0].observable
        return enough_ratings(matrix, exposure.published, self.items, self.outside_top)

    @abstractmethod
    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:
        """Say by how many steps of the published scale a rating may differ from what is known; None: by any."""
