"""The best k, ε and l of ratings that stay on disk: every number is the level of a promise that is judged there."""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from shoal.data import Scale
from shoal.engines.neighbor_search import Search
from shoal.models import PrivacyModel, Verdict, promises
from shoal.models.k_epsilon import span
from shoal.models.spread import Spread

from .neighborhood_limits import NeighborhoodLimits

if TYPE_CHECKING:
    from shoal.partitioned.ratings import PartitionedRatings

__all__ = ["LimitsOnDisk", "judging_on_disk"]


def judging_on_disk(ratings: "PartitionedRatings", search: Search = "auto") -> Callable[[PrivacyModel], Verdict]:
    """Return how a promise is judged on ratings on disk."""
    from shoal.partitioned.ratings import judge_partitioned_ratings

    return lambda model: judge_partitioned_ratings(ratings, [model], search)[0]


class LimitsOnDisk(NeighborhoodLimits):
    """Answers for ratings on disk: the same as in memory, where they are bounded before they are counted."""

    def __init__(self, ratings: "PartitionedRatings", search: Search, spread: Spread) -> None:
        self._rated, self._spread = ratings, spread
        self._judging = judging_on_disk(ratings, search)
        self._smallest_sizes: dict[Fraction, int] = {}

    def largest_l(self, epsilon: Fraction, k: int) -> Fraction | None:
        """Return the largest l at this ε, in millionths; nothing where k does not hold."""
        if self.smallest_size(epsilon) < k:
            return None
        verdict = self._spreading(epsilon, Fraction(0))
        # where nobody rated, no l is too large
        return Fraction(str(verdict.level["l"])) if verdict.counted["spreading"] else span(self._rated.scale)

    def smallest_epsilon(self, k: int, l: Fraction | None = None) -> Fraction | None:  # noqa: E741
        """Return the smallest ε at which k holds, and l if it is given."""
        return next((each for each in self.epsilons_for(k) if l is None or self._spreads(each, l)), None)

    @property
    def _scale(self) -> Scale:
        return self._rated.scale

    @property
    def _largest_difference(self) -> int:
        return self._rated.scale.points - 1

    def smallest_size(self, epsilon: Fraction) -> int:
        """Return the size of the smallest neighborhood."""
        if len(self._rated) < 2:
            return len(self._rated)
        if epsilon not in self._smallest_sizes:
            near = promises.read(f"k-epsilon:k=2,epsilon={epsilon}")
            self._smallest_sizes[epsilon] = int(self._judging(near).level["k"])
        return self._smallest_sizes[epsilon]

    def _spreads(self, epsilon: Fraction, l: Fraction) -> bool:  # noqa: E741
        return not self._spreading(epsilon, l).counted["alike"]

    def _spreading(self, epsilon: Fraction, l: Fraction) -> Verdict:  # noqa: E741
        settings = f"l={l},spread={self._spread.reading},all_null={self._spread.all_null}"
        return self._judging(promises.read(f"k-epsilon:k=2,epsilon={epsilon},{settings}"))
