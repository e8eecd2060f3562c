"""Whom an attacker takes who looks for records that agree with what is known."""

import numpy as np

from shoal.kernels.matching_records import count_matching, rows_matching

from .exposure import Exposure
from .known_items import KnownItems
from .outcome import Outcome
from .someone_else import someone_else

__all__ = ["MatchingCandidates"]


class MatchingCandidates:
    """The published ratings, by record and by item."""

    def __init__(self, exposure: Exposure) -> None:
        self._exposure = exposure
        self._truth, self._seen = (ratings.observable for ratings in exposure.ratings)
        self._by_item = self._seen.by_item()

    def outcome(self, known: KnownItems, tolerance: int | None, generator: np.random.Generator) -> Outcome:
        """Attack each target by their known ratings, within a tolerance in steps; None: by their items alone."""
        n = int(self._exposure.people.sum())
        own = self._exposure.place[known.targets]
        sought = self._sought(known, tolerance)
        found, matches = self._found(sought), self._matches(own, sought)
        others = someone_else(np.arange(len(own)), generator)
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
                # of those among whom the target is; somebody who is nowhere found hides among all
                "fewest_candidates": int(found[matches].min(initial=n)),
            },
        )

    def _sought(self, known: KnownItems, tolerance: int | None) -> tuple[np.ndarray, ...]:
        """Give the known items, and between which codes a rating of each fits."""
        true = self._truth.codes[known.entries].astype(np.int64)
        reach = np.iinfo(np.int32).max if tolerance is None else tolerance
        return self._truth.indices[known.entries], true - reach, true + reach

    def _found(self, sought: tuple[np.ndarray, ...]) -> np.ndarray:
        seen, raters = self._seen, self._by_item
        records = seen.indptr, seen.indices, seen.codes
        return count_matching(*records, raters.indptr, raters.indices, self._exposure.people, *sought)

    def _matches(self, rows: np.ndarray, sought: tuple[np.ndarray, ...]) -> np.ndarray:
        seen = self._seen
        return rows_matching(seen.indptr, seen.indices, seen.codes, len(seen.items), rows, *sought)


def _chances(found: np.ndarray, matches: np.ndarray, n: int) -> np.ndarray:
    """Give the chance to hit the target: one of the candidates is taken, or anybody where there is none."""
    return np.where(found == 0, 1 / n, matches / np.maximum(found, 1))
