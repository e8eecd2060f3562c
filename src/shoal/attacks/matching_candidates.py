"""Whom an attacker takes who looks for records that agree with what is known."""

import numpy as np

from shoal.kernels.matching_records import count_matching

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
        found, matches = self._matching(known, tolerance, own)
        others = someone_else(np.arange(len(own)), generator)
        control = self._matching(KnownItems(known.targets, known.entries[others]), tolerance, own)
        return Outcome(
            _chances(found, matches, n),
            1 / n,
            _chances(*control, n),
            {
                "singled_out": float(np.mean((found == 1) & matches)),
                "among_candidates": float(np.mean(matches)),
                "without_candidates": float(np.mean(found == 0)),
                "average_candidates": float(found.mean()),
                # of those among whom the target is; somebody who is nowhere found hides among all
                "fewest_candidates": int(found[matches].min(initial=n)),
            },
        )

    def _matching(self, known: KnownItems, tolerance: int | None, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        matrix, seen = self._truth, self._seen
        true = matrix.codes[known.entries].astype(np.int64)
        reach = np.iinfo(np.int32).max if tolerance is None else tolerance
        return count_matching(
            seen.indptr,
            seen.indices,
            seen.codes,
            self._by_item.indptr,
            self._by_item.indices,
            self._exposure.people,
            matrix.indices[known.entries],
            true - reach,
            true + reach,
            own,
        )


def _chances(found: np.ndarray, matches: np.ndarray, n: int) -> np.ndarray:
    """Give the chance to hit the target: one of the candidates is taken, or anybody where there is none."""
    return np.where(found == 0, 1 / n, matches / np.maximum(found, 1))
