"""The best k, ε and l where every record is judged by its neighborhood.

The largest k grows with ε, so the smallest ε for a k is found by bisection. The largest l does not: a larger
neighborhood may spread less. The thesis bisects all the same (7.2.4) and can so pass over the answer; here every ε is
tried from the smallest on that k allows.

What k and l can be at most: the bounds of chapter 7 of the thesis, as far as they are true.

They are necessary, never sufficient: the thesis calls Theorem 7.1 "a sufficient condition", which it is not.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data import Ratings, Scale, Survey
from shoal.engines import Engine
from shoal.evidence import RatingMoments
from shoal.models.spread import Spread, root_below
from shoal.progress import stage

__all__ = [
    "NeighborhoodLimits",
    "SensitiveIssue",
    "largest_k",
    "largest_spread",
    "largest_spread_of_groups",
    "largest_squared_spread",
    "sensitive_issues",
]


@dataclass(frozen=True, repr=False)
class SensitiveIssue:
    """One sensitive issue: how many rated it, and between which ratings."""

    spread: Spread
    records: int
    raters: int
    lowest: Fraction
    highest: Fraction

    def never_reaches(self, l: Fraction) -> bool:  # noqa: E741
        """Say whether certainly no ε makes every neighborhood spread by l on this issue.

        A rater's own neighborhood has a rating, so it is not excused from spreading. Where an odd number rated, some
        rater has an odd number of raters around, itself included, as being near is mutual; and odd numbers of ratings
        spread by less than even ones, the fewer the less.
        """
        if self.raters < self.records and self.spread.reading in ("pairwise", "null-as-zero"):
            return False  # these take nulls for ratings far off
        return largest_squared_spread(self.lowest, self.highest, self.raters) < l**2

    def falls_short(self, size: int, l: Fraction) -> bool:  # noqa: E741
        """Say whether a neighborhood of this size certainly spreads by less than l on this issue."""
        everybody_rated = self.raters == self.records
        return everybody_rated and largest_squared_spread(self.lowest, self.highest, size) < l**2


def sensitive_issues(ratings: Ratings, spread: Spread) -> list[SensitiveIssue]:
    """Return the sensitive issues that anybody rated; the others say nothing and are asked nothing."""
    matrix, scale = ratings.sensitive, ratings.scale
    n_items = len(matrix.items)
    raters = np.bincount(matrix.indices, minlength=n_items)
    lowest, highest = np.full(n_items, scale.points), np.zeros(n_items, np.int64)
    np.minimum.at(lowest, matrix.indices, matrix.codes)
    np.maximum.at(highest, matrix.indices, matrix.codes)
    return [
        SensitiveIssue(
            spread,
            len(ratings),
            int(raters[item]),
            scale.lowest + int(lowest[item]) * scale.step,
            scale.lowest + int(highest[item]) * scale.step,
        )
        for item in np.flatnonzero(raters)
    ]


class NeighborhoodLimits:
    """Answers for one data set; what was counted once is kept."""

    proven = True
    """Every answer is exact."""

    def __init__(self, records: Ratings | Survey, engine: Engine, spread: Spread) -> None:
        self._records, self._engine, self._spread = records, engine, spread
        self._ratings = records.ratings if isinstance(records, Survey) else records
        self._issues = sensitive_issues(self._ratings, spread)
        self._smallest_sizes: dict[Fraction, int] = {}
        self._latest: tuple[Fraction, RatingMoments] | None = None

    def largest_k(self, epsilon: Fraction, l: Fraction | None = None) -> int | None:  # noqa: E741
        """Return the largest k at this ε; with l, only if both hold with a k of at least 2."""
        k = self.smallest_size(epsilon)
        return k if l is None or (k >= 2 and self._spreads(epsilon, l)) else None

    def largest_l(self, epsilon: Fraction, k: int) -> Fraction | None:
        """Return the largest l at this ε, in millionths; nothing where k does not hold."""
        if self.smallest_size(epsilon) < k:
            return None
        smallest = self._spread.smallest(self._moments(epsilon))
        scale = self._ratings.scale  # where nobody rated, no l is too large
        return scale.highest - scale.lowest if smallest is None else Fraction(str(root_below(smallest)))

    def smallest_epsilon(self, k: int, l: Fraction | None = None) -> Fraction | None:  # noqa: E741
        """Return the smallest ε at which k holds, and l if it is given."""
        if l is not None and any(issue.never_reaches(l) for issue in self._issues):
            return None
        candidates = self.epsilons_for(k)
        return next((epsilon for epsilon in candidates if l is None or self._spreads(epsilon, l)), None)

    def epsilons_for(self, k: int) -> list[Fraction]:
        """Return, in order, every ε at which anything can change and every neighborhood has at least k records.

        Between two differences that ratings can have nothing changes, nor between the largest of them and the distance
        of a null, beyond which all records are one neighborhood, or in a survey all of equal demographics.
        """
        scale = self._scale
        if self.smallest_size(scale.null_steps * scale.step) < k:
            return []
        steps = range(self._largest_difference + 1)
        first = bisect_left(steps, True, key=lambda step: self.smallest_size(step * scale.step) >= k)
        return [step * scale.step for step in (*steps[first:], scale.null_steps)]

    @property
    def _scale(self) -> Scale:
        return self._ratings.scale

    @property
    def _largest_difference(self) -> int:
        """How many steps apart two observable ratings are at most."""
        codes = self._ratings.observable.codes
        return int(codes.max()) - int(codes.min()) if len(codes) else 0

    def smallest_size(self, epsilon: Fraction) -> int:
        """Return the size of the smallest neighborhood."""
        if epsilon not in self._smallest_sizes:
            with stage("counting neighbors"):
                others = self._engine.neighbors(self._records, epsilon, enough=1).others  # the smallest is exact
            self._smallest_sizes[epsilon] = largest_k(others) + 1
        return self._smallest_sizes[epsilon]

    def _spreads(self, epsilon: Fraction, l: Fraction) -> bool:  # noqa: E741
        """Say whether every neighborhood spreads by at least l; the size of the smallest may already rule it out."""
        size = self.smallest_size(epsilon)
        if any(issue.falls_short(size, l) for issue in self._issues):
            return False
        return bool(self._spread.reaches(self._moments(epsilon), l).all())

    def _moments(self, epsilon: Fraction) -> RatingMoments:
        if self._latest is None or self._latest[0] != epsilon:
            with stage("adding up sensitive ratings"):
                moments = self._engine.neighbors(self._records, epsilon, sensitive=True).moments
            assert moments is not None
            self._latest = epsilon, moments
        return self._latest[1]


def largest_k(neighborhood_sizes: np.ndarray) -> int:
    """Return the largest k for which every neighborhood, of the record itself and all others within ε, is large enough.

    That is the smallest of the sizes. By neighborhoods it is the largest k itself; by partition it bounds k from
    above, as the group of a record lies inside its neighborhood.

    It takes the place of Theorem 7.1, which says k ≤ ⌈maxsize(T)·|Gⱼ| / |T|⌉ for the part Gⱼ of a partition that has
    the largest maxsize(G)/|G|. That is false on the thesis's own example: in Table 7.1 with ε = 1, the parts {t1…t4}
    and {t5, t6} have 3/4 and 2/2, so j = 2 and k ≤ ⌈3·2/6⌉ = 1, while k = 2 holds; the text takes j = 1 instead. The
    theorem rests on Lemma 7.1, which takes being within ε for transitive and is false too: for {(3,3), (1,5)} and
    {(2,2), (4,4)} with ε = 1 it says 3/4 ≤ 1/2.
    """
    return int(neighborhood_sizes.min())


def largest_squared_spread(lowest: Fraction, highest: Fraction, ratings: int) -> Fraction:
    """Return the square of the largest standard deviation of ``ratings`` ratings between ``lowest`` and ``highest``.

    It is reached by half of them at either end: (highest − lowest)²·⌊n/2⌋⌈n/2⌉ / n². Theorem 7.2 says
    (highest − lowest) / 2, which is true (Popoviciu 1935) and the same for even n; its proof looks at n = 3 only, and
    bounds a parabola that opens upwards by the smaller of its ends. On 1…5 nothing spreads by more than 2, so l = 2,
    the thesis's usual setting, asks for exactly as many ones as fives and nothing else in every group.
    """
    assert ratings > 0
    half = ratings // 2
    return (highest - lowest) ** 2 * Fraction(half * (ratings - half), ratings * ratings)


def largest_spread(lowest: Fraction, highest: Fraction, ratings: int) -> float:
    """Return the root of :func:`largest_squared_spread`, rounded down to six decimals."""
    return root_below(largest_squared_spread(lowest, highest, ratings))


def largest_spread_of_groups(everybody: RatingMoments, spread: Spread) -> Fraction | None:
    """Return the square of the largest l that any split into groups can reach; nothing where no such bound is known.

    That is how far the ratings of all records spread: Lemma 7.2 and Corollary 7.1 say that not all groups can spread by
    more than their union, which follows from the law of total variance where nulls are left out of account. It is
    false for the papers' own reading of nulls: as zeros, {1, 5} spreads by 2 and {3, 4, null} by 2.06, and together
    they spread by 1.97. It is false for the pairwise reading too ({1, 5}, and nine 3s with two nulls on 1…5), and for
    neighborhoods, which overlap, under any.
    """
    assert len(everybody) == 1, "one set of all records"
    if spread.reading in ("pairwise", "null-as-zero"):
        return None
    # dividing by all members can only make less of it, and a group in which nobody rated is not held against the others
    return Spread("non-null", spread.all_null).smallest(everybody)
