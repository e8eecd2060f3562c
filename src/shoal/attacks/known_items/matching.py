"""The search for published records that agree with known items of a person, for ``structure`` and ``label``."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.attacks.base import Attack
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import RatingMatrix
from shoal.errors import WordingError
from shoal.kernels.matching.matching_records import count_matching, rows_matching
from shoal.randomness import Randomness

from .background_knowledge import KnownItems, draw_known_items, rows_with_enough_ratings

__all__ = ["KnownItemsAttack", "MatchingCandidates", "known_ranges"]


def known_ranges(truth: RatingMatrix, known: KnownItems, tolerance: int | None) -> tuple[np.ndarray, ...]:
    """Return the known items, and the lowest and highest code that a matching rating of each may have."""
    true = truth.codes[known.entries].astype(np.int64)
    reach = np.iinfo(np.int32).max if tolerance is None else tolerance
    return truth.indices[known.entries], true - reach, true + reach


class MatchingCandidates:
    """The published records as candidates, indexed by record and by item."""

    def __init__(self, exposure: Exposure) -> None:
        self._exposure = exposure
        self._truth, self._seen = (ratings.observable for ratings in exposure.ratings)
        self._by_item = self._seen.by_item()

    def outcome(self, known: KnownItems, tolerance: int | None, generator: np.random.Generator) -> Outcome:
        """Attack each target by the known ratings, within ``tolerance`` steps; None: by the items alone."""
        n = int(self._exposure.people.sum())
        own = self._exposure.place[known.targets]
        sought = known_ranges(self._truth, known, tolerance)
        found, matches = self._found(sought), self._matches(own, sought)
        others = control_targets(np.arange(len(own)), generator)
        mistaken = self._matches(own, tuple(each[others] for each in sought))
        return Outcome(
            _chances(found, matches, n),
            1 / n,
            _chances(found[others], mistaken, n),
            {
                "singled_out": float(np.mean((found == 1) & matches)),
                "among_candidates": float(np.mean(matches)),
                "without_candidates": float(np.mean(found == 0)),
                "average_candidates": float(found.mean()),
                # where the target is a candidate; a target whom no candidate matches hides among all
                "fewest_candidates": int(found[matches].min(initial=n)),
            },
        )

    def _found(self, sought: tuple[np.ndarray, ...]) -> np.ndarray:
        seen, raters = self._seen, self._by_item
        records = seen.indptr, seen.indices, seen.codes
        return count_matching(*records, raters.indptr, raters.indices, self._exposure.people, *sought)

    def _matches(self, rows: np.ndarray, sought: tuple[np.ndarray, ...]) -> np.ndarray:
        seen = self._seen
        return rows_matching(seen.indptr, seen.indices, seen.codes, len(seen.items), rows, *sought)


def _chances(found: np.ndarray, matches: np.ndarray, n: int) -> np.ndarray:
    """Return the probability of picking the target among the candidates, or among all where there is none."""
    return np.where(found == 0, 1 / n, matches / np.maximum(found, 1))


_USUAL_TARGETS = 10_000


@dataclass(frozen=True)
class KnownItemsAttack(Attack):
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
        """Attack everybody, or a sample large enough to estimate the rate."""
        return (cls(targets=_USUAL_TARGETS if len(exposure.published) > _USUAL_TARGETS else None),)

    @property
    def _items(self) -> str:
        return self._described(self.items)

    def _described(self, items: int) -> str:
        where = f" outside the {self.outside_top:,} most rated" if self.outside_top else ""
        return f"{items:,} item{'' if items == 1 else 's'}{where}"

    @property
    def _drawn(self) -> int:
        """The number of items drawn for each target."""
        return self.items

    def _misfit(self, exposure: Exposure) -> str | None:
        if not len(self._eligible(exposure)):
            return f"Nobody who is published rated {self._described(self._drawn)}."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        # the same draw for both attacks, so that they differ only in what they know
        generator = randomness.generator("known items")
        chosen = exposure.targets(self.targets, generator, self._eligible(exposure))
        drawn = draw_known_items(exposure.ratings[0].observable, chosen, self._drawn, self.outside_top, generator)
        return self._outcome(exposure, drawn, generator)

    def _outcome(self, exposure: Exposure, known: KnownItems, generator: np.random.Generator) -> Outcome:
        return MatchingCandidates(exposure).outcome(known, self._tolerance_in_steps(exposure), generator)

    def _eligible(self, exposure: Exposure) -> np.ndarray:
        """Return the published rows of the truth with at least ``items`` ratings that may be known."""
        matrix = exposure.ratings[0].observable
        return rows_with_enough_ratings(matrix, exposure.published, self._drawn, self.outside_top)

    @abstractmethod
    def _tolerance_in_steps(self, exposure: Exposure) -> int | None:
        """Return by how many steps of the published scale a rating may differ from what is known; None: by any."""
