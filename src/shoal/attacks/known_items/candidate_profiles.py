"""The profiles among the candidates for a person's record, for ``profile-homogeneity``: how many, and how frequent."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.attacks.exposure import Exposure
from shoal.data import Ratings
from shoal.kernels.matching.matching_records import matching_profiles, matching_ratings, rows_matching

from .background_knowledge import KnownItems
from .matching import known_ranges

__all__ = ["CandidateProfiles", "SoughtRating"]


@dataclass(frozen=True, eq=False)
class SoughtRating:
    """For each target an item, and the code of the true rating on the scale on which ratings are given."""

    items: np.ndarray
    codes: np.ndarray
    parts: int
    """The number of parts that the published scale divides a step of that scale into."""
    points: int

    @classmethod
    def read(cls, exposure: Exposure, entries: np.ndarray) -> "SoughtRating":
        """Return the ratings at these positions of the truth."""
        truth, seen = exposure.truth, exposure.seen
        assert isinstance(truth, Ratings)
        assert isinstance(seen, Ratings)
        parts = int(truth.scale.step / seen.scale.step)
        matrix = truth.observable
        return cls(matrix.indices[entries], matrix.codes[entries].astype(np.int64), parts, truth.scale.points)


@dataclass(frozen=True, eq=False)
class _RatingsFound:
    """How the candidates for each target rate the item that is sought: the figures of the kernel."""

    figures: np.ndarray

    @property
    def held(self) -> np.ndarray:
        """Whether a candidate has the item."""
        return self.figures[:, 1] > 0

    @property
    def shared(self) -> np.ndarray:
        """Whether all candidates have the same published rating of the item."""
        people, holding, lowest, highest = self.figures[:, :4].T
        return self.held & (people == holding) & (lowest == highest)

    def chances(self, guess: np.ndarray | float) -> np.ndarray:
        """Return the probability that the most frequent rating is the true one; ``guess`` where there is none."""
        most, as_frequent, true = self.figures[:, 4:].T
        return np.where(self.held, (true == most) / np.maximum(as_frequent, 1), guess)


class CandidateProfiles:
    """The different published profiles that match what is known of each target, and the people who have them."""

    def __init__(self, exposure: Exposure, known: KnownItems, tolerance: int | None) -> None:
        truth, seen = (ratings.observable for ratings in exposure.ratings)
        profiles, self._people, own = seen, exposure.people, exposure.place
        if exposure.grouping.n_groups < len(seen):
            # one record of each equivalence class stands for all of them
            profiles = seen.take(np.unique(exposure.grouping.labels, return_index=True)[1])
            self._people, own = exposure.group_sizes, exposure.group_of
        by_item = profiles.by_item()
        self._records = profiles.indptr, profiles.indices, profiles.codes
        self._index = by_item.indptr, by_item.indices, self._people
        self._n_items = len(seen.items)
        self._own = own[known.targets]
        self._known = known_ranges(truth, known, tolerance)

    @cached_property
    def _found(self) -> np.ndarray:
        return matching_profiles(*self._records, *self._index, *self._known)

    def _own_matches(self, others: np.ndarray) -> np.ndarray:
        known = (each[others] for each in self._known)
        return rows_matching(*self._records, self._n_items, self._own, *known)

    @cached_property
    def matches(self) -> np.ndarray:
        """Whether the profile of each target matches what is known of them."""
        return self._own_matches(np.arange(len(self._own)))

    @cached_property
    def guess(self) -> np.ndarray:
        """For each target the probability that the most frequent profile of all is theirs."""
        most = self._people.max()
        return (self._people[self._own] == most) / np.count_nonzero(self._people == most)

    def chances(self, others: np.ndarray) -> np.ndarray:
        """Return the probability of naming each target's profile, with what is known of these ``others`` instead."""
        people, _, most, as_frequent = self._found[others].T
        right = self._own_matches(others) & (self._people[self._own] == most)
        return np.where(people == 0, self.guess, right / np.maximum(as_frequent, 1))

    def ratings(self, sought: SoughtRating, others: np.ndarray) -> _RatingsFound:
        """Return how those rate each target's sought item who match what is known of these ``others`` instead."""
        known = tuple(each[others] for each in self._known)
        return self._ratings(sought, known)

    def guessed_ratings(self, sought: SoughtRating) -> np.ndarray:
        """Return the probability that the most frequent rating among all who have the item is the true one."""
        anything = np.zeros((len(sought.items), 1), np.int64)
        known = sought.items[:, None], anything - 1, anything + np.iinfo(np.int32).max
        return self._ratings(sought, known).chances(1 / sought.points)

    def _ratings(self, sought: SoughtRating, known: tuple[np.ndarray, ...]) -> _RatingsFound:
        asked = sought.items, sought.codes, sought.parts, sought.points
        return _RatingsFound(matching_ratings(*self._records, *self._index, *known, *asked))

    def details(self) -> dict[str, int | float]:
        """Return figures on the candidates and their profiles."""
        people, profiles = self._found[:, 0], self._found[:, 1]
        return {
            "profile_identified": float(np.mean(self.matches & (profiles == 1))),
            "among_candidates": float(np.mean(self.matches)),
            "without_candidates": float(np.mean(people == 0)),
            "average_profiles": float(profiles.mean()),
            # where the target is a candidate; a target whom no candidate matches hides among all
            "fewest_profiles": int(profiles[self.matches].min(initial=len(self._people))),
        }
