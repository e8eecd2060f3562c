"""The best k, ε and l where records are split into groups.

A split into groups that are within ε, of at least k and spread by at least l is one for every larger ε, smaller k and
smaller l, so everything is found by bisection. A group lies inside the neighbourhood of each of its records, which
bounds k; the spread of all records bounds l (Corollary 7.1). A split that is found is a proof; one that is not found
may still exist, and :attr:`PartitionLimits.proven` says whether that is ruled out.
"""

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property

from shoal.data import Ratings
from shoal.engines import Engine
from shoal.engines.rating_amounts import rating_amounts
from shoal.evidence import NeedPartition, NeedSpread, ProximatePartition, RatingMoments
from shoal.models.bounds import largest_spread_of_groups
from shoal.models.spread import Spread, root_below
from shoal.progress import stage

from .neighbourhood_limits import NeighbourhoodLimits

__all__ = ["PartitionLimits"]

_TICK = Fraction(1, 10**6)
"""l is told in millionths."""


class PartitionLimits:
    """Answers for one data set."""

    def __init__(self, ratings: Ratings, engine: Engine, spread: Spread) -> None:
        self._ratings, self._engine, self._spread = ratings, engine, spread
        self._neighbourhoods = NeighbourhoodLimits(ratings, engine, spread)
        self.proven = True
        """Whether everything said not to exist certainly does not."""

    def largest_k(self, epsilon: Fraction, l: Fraction | None = None) -> int | None:  # noqa: E741
        """Give the largest k at this ε; with l, only if both hold with a k of at least 2."""
        found = 1 if l is None else None
        bound = self._neighbourhoods.smallest_size(epsilon)
        while (size := (found or 1) + 1) <= bound:
            split = self._split(epsilon, size, l)
            if split.left_over.any():
                self.proven &= split.proven
                break
            found = int(split.moments.sizes.min())
        return found

    def largest_l(self, epsilon: Fraction, k: int) -> Fraction | None:
        """Give the largest l at this ε with groups of at least k, in millionths; nothing where k does not hold."""
        split = self._split(epsilon, k, Fraction(0))
        if split.left_over.any():
            self.proven &= split.proven
            return None
        if self._bound is None:
            return self._ratings.scale.highest - self._ratings.scale.lowest  # no l is too large
        reached, bound, sure = self._reached(split), self._bound, True
        asked = reached + _TICK  # often there is no more to find
        while reached < bound:
            split = self._split(epsilon, k, asked)
            if split.left_over.any():
                bound, sure = asked - _TICK, split.proven
            else:
                reached = self._reached(split)
            asked = reached + max((bound - reached) // (2 * _TICK), 1) * _TICK
        self.proven &= sure
        return reached

    def smallest_epsilon(self, k: int, l: Fraction | None = None) -> Fraction | None:  # noqa: E741
        """Give the smallest ε at which there is a split into groups of at least k, spread by l if it is given."""
        if l is not None and self._bound is not None and l > self._bound:
            return None
        failed: dict[Fraction, bool] = {}

        def holds(epsilon: Fraction) -> bool:
            split = self._split(epsilon, k, l)
            failed[epsilon] = split.proven
            return not split.left_over.any()

        candidates = self._neighbourhoods.epsilons_for(k)
        if not candidates:
            return None
        *differences, farthest = candidates  # the last joins everybody: it is tried if nothing else will do
        first = bisect_left(differences, True, key=holds)
        if first > 0:
            self.proven &= failed[differences[first - 1]]
        if first < len(differences):
            return differences[first]
        if holds(farthest):
            return farthest
        self.proven &= failed[farthest]
        return None

    def _split(self, epsilon: Fraction, size: int, l: Fraction | None) -> ProximatePartition:  # noqa: E741
        spread = None
        if l is not None:
            spread = NeedSpread(lambda sets: self._spread.reaches(sets, l), self._spread.ranks)
        with stage("splitting into groups"):
            return self._engine.partition(self._ratings, NeedPartition(epsilon, size, spread))

    def _reached(self, split: ProximatePartition) -> Fraction:
        """Give how far the groups of a split spread, rounded down."""
        smallest = self._spread.smallest(split.moments)
        assert smallest is not None, "somebody rated, and is in some group"
        return Fraction(str(root_below(smallest)))

    @cached_property
    def _bound(self) -> Fraction | None:
        """Give an l that no split can exceed, in millionths; nothing where nobody rated, so that every l is reached."""
        scale = self._ratings.scale
        total = rating_amounts(self._ratings, sensitive=True).sum(axis=0, keepdims=True)
        everybody = RatingMoments.of_columns(scale, total)
        if self._spread.smallest(everybody) is None:
            return None
        bound = largest_spread_of_groups(everybody, self._spread)
        if bound is not None:
            return Fraction(str(root_below(bound)))
        # no deviation is larger than the distance of a null, or that of a zero
        return scale.null_steps * scale.step + max(abs(scale.lowest), abs(scale.highest))
