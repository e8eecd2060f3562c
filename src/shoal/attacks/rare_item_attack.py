"""What attacks on the columns of rare items have in common: whom they are after, and what they look at."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.data import Ratings
from shoal.errors import WordingError
from shoal.randomness import Randomness

from .base import Attack
from .exposure import Exposure
from .outcome import Outcome
from .rare_columns import RareColumns, rare_items
from .someone_else import someone_else

__all__ = ["RareItemAttack", "RatedRarely"]


@dataclass(frozen=True, eq=False)
class RatedRarely:
    """Ratings of rare items: each is a target."""

    people: np.ndarray
    """Rows of the truth."""
    columns: np.ndarray
    """Which of the rare items they rated."""
    codes: np.ndarray
    """And how."""


@dataclass(frozen=True)
class RareItemAttack(Attack):
    """Knows that somebody rated an item which few people rated, and looks at the item in all that is published."""

    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    fewest: int = 1
    """Items that fewer people rated are not looked at."""
    most: int | None = None
    """Nor are those that more did; None: as many as rated the rarest of the others."""
    targets: int | None = None

    def __post_init__(self) -> None:
        if self.fewest < 1 or (self.most is not None and self.most < self.fewest):
            raise WordingError(
                f"{self.name} looks at items with at least one rater, and at most as many as at least.",
                "Write fewest=5,most=9, for example.",
            )
        if self.targets is not None and self.targets < 1:
            raise WordingError(f"{self.name} needs at least one target.")

    @property
    def known(self) -> str:
        """What the attacker knows, in words."""
        if self.most is None:
            few = "as few people as any" if self.fewest == 1 else f"{self.fewest:,} people, or few more,"
        else:
            few = f"at most {self.most:,} people" if self.fewest == 1 else f"{self.fewest:,} to {self.most:,} people"
        return f"Knows that a person rated an item that {few} rated, and looks at it in all profiles."

    def _misfit(self, exposure: Exposure) -> str | None:
        assert isinstance(exposure.truth, Ratings)
        if exposure.truth.people is not None:
            return "Who rated what behind profiles that stand for several is only in the ledger."
        if not len(rare_items(exposure, self.fewest, self.most)):
            return "Nobody who is published rated an item that so many people rated."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        generator = randomness.generator(self.name)
        items = rare_items(exposure, self.fewest, self.most)
        rated = self._rated(exposure, items, generator)
        columns = RareColumns.of(exposure, items)
        others = rated.columns[someone_else(np.arange(len(rated.people)), generator)]
        return self._outcome(exposure, columns, rated, others)

    def _rated(self, exposure: Exposure, items: np.ndarray, generator: np.random.Generator) -> RatedRarely:
        assert isinstance(exposure.truth, Ratings)
        matrix = exposure.truth.observable.of_items(items)
        people = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
        chosen = np.flatnonzero(exposure.place[people] >= 0)
        if self.targets is not None and self.targets < len(chosen):
            chosen = np.sort(generator.choice(chosen, self.targets, replace=False))
        return RatedRarely(people[chosen], matrix.indices[chosen].astype(np.int64), matrix.codes[chosen])

    @abstractmethod
    def _outcome(self, exposure: Exposure, columns: RareColumns, rated: RatedRarely, others: np.ndarray) -> Outcome:
        """Return how it went; others are the columns of which those know who are mistaken."""
