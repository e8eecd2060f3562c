"""The best k, ε and l where every record is judged by its neighbourhood.

The largest k grows with ε, so the smallest ε for a k is found by bisection. The largest l does not: a larger
neighbourhood may spread less. The thesis bisects all the same (7.2.4) and can so pass over the answer; here every ε is
tried from the smallest on that k allows.
"""

from bisect import bisect_left
from fractions import Fraction

from shoal.data import Ratings
from shoal.engines import Engine
from shoal.evidence import RatingMoments
from shoal.models.bounds import largest_k
from shoal.models.spread import Spread, root_below
from shoal.progress import stage

from .sensitive_issue import sensitive_issues

__all__ = ["NeighbourhoodLimits"]


class NeighbourhoodLimits:
    """Answers for one data set; what was counted once is kept."""

    proven = True
    """Every answer is exact."""

    def __init__(self, ratings: Ratings, engine: Engine, spread: Spread) -> None:
        self._ratings, self._engine, self._spread = ratings, engine, spread
        self._issues = sensitive_issues(ratings, spread)
        self._smallest_sizes: dict[Fraction, int] = {}
        self._latest: tuple[Fraction, RatingMoments] | None = None

    def largest_k(self, epsilon: Fraction, l: Fraction | None = None) -> int | None:  # noqa: E741
        """Give the largest k at this ε; with l, only if both hold with a k of at least 2."""
        k = self.smallest_size(epsilon)
        return k if l is None or (k >= 2 and self._spreads(epsilon, l)) else None

    def largest_l(self, epsilon: Fraction, k: int) -> Fraction | None:
        """Give the largest l at this ε, in millionths; nothing where k does not hold."""
        if self.smallest_size(epsilon) < k:
            return None
        smallest = self._spread.smallest(self._moments(epsilon))
        scale = self._ratings.scale  # where nobody rated, no l is too large
        return scale.highest - scale.lowest if smallest is None else Fraction(str(root_below(smallest)))

    def smallest_epsilon(self, k: int, l: Fraction | None = None) -> Fraction | None:  # noqa: E741
        """Give the smallest ε at which k holds, and l if it is given."""
        if l is not None and any(issue.never_reaches(l) for issue in self._issues):
            return None
        candidates = self.epsilons_for(k)
        return next((epsilon for epsilon in candidates if l is None or self._spreads(epsilon, l)), None)

    def epsilons_for(self, k: int) -> list[Fraction]:
        """Give, in order, every ε at which anything can change and every neighbourhood has at least k records.

        Between two differences that ratings can have nothing changes, nor between the largest of them and the distance
        of a null, beyond which all records are one neighbourhood.
        """
        if len(self._ratings) < k:
            return []
        codes, scale = self._ratings.observable.codes, self._ratings.scale
        span = int(codes.max()) - int(codes.min()) if len(codes) else 0
        steps = range(span + 1)
        first = bisect_left(steps, True, key=lambda step: self.smallest_size(step * scale.step) >= k)
        return [step * scale.step for step in (*steps[first:], scale.null_steps)]

    def smallest_size(self, epsilon: Fraction) -> int:
        """Give the size of the smallest neighbourhood."""
        if epsilon not in self._smallest_sizes:
            with stage("counting neighbours"):
                others = self._engine.neighbours(self._ratings, epsilon, enough=1).others  # the smallest is exact
            self._smallest_sizes[epsilon] = largest_k(others) + 1
        return self._smallest_sizes[epsilon]

    def _spreads(self, epsilon: Fraction, l: Fraction) -> bool:  # noqa: E741
        """Say whether every neighbourhood spreads by at least l; the size of the smallest may already rule it out."""
        size = self.smallest_size(epsilon)
        if any(issue.falls_short(size, l) for issue in self._issues):
            return False
        return bool(self._spread.reaches(self._moments(epsilon), l).all())

    def _moments(self, epsilon: Fraction) -> RatingMoments:
        if self._latest is None or self._latest[0] != epsilon:
            with stage("adding up sensitive ratings"):
                moments = self._engine.neighbours(self._ratings, epsilon, sensitive=True).moments
            assert moments is not None
            self._latest = epsilon, moments
        return self._latest[1]
