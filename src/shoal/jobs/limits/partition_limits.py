"""The best k, ε and l where records are split into groups.

A split into groups that are within ε, of at least k and spread by at least l is one for every larger ε, smaller k and
smaller l, so everything is found by bisection. A group lies inside the neighborhood of each of its records, which
bounds k; the spread of all records bounds l (Corollary 7.1). A split that is found is a proof; one that is not found
may still exist, and :attr:`PartitionLimits.proven` says whether that is ruled out.
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

from shoal.data import Ratings, Survey
from shoal.engines import Engine
from shoal.engines.base import rating_amounts
from shoal.evidence import NeedPartition, ProximatePartition, RatingMoments
from shoal.models.spread import Spread, root_below
from shoal.progress import stage

from .neighborhood_limits import NeighborhoodLimits, largest_spread_of_groups

__all__ = ["PartitionLimits"]

_TICK = Fraction(1, 10**6)
"""l is stated in millionths."""


class PartitionLimits:
    """Answers for one data set; every answer but "nothing" is one for which the engine finds a split when asked."""

    def __init__(self, records: Ratings | Survey, engine: Engine, spread: Spread) -> None:
        self._records, self._engine, self._spread = records, engine, spread
        self._ratings = records.ratings if isinstance(records, Survey) else records
        self._neighborhoods = NeighborhoodLimits(records, engine, spread)
        self.proven = True
        """Whether everything said not to exist certainly does not."""
        self._ruled_out = True
        """The same of the split that was looked for last and not found."""
        self._attempts = 0

    def largest_k(self, epsilon: Fraction, l: Fraction | None = None) -> int | None:  # noqa: E741
        """Return the largest k at this ε; with l, only if both hold with a k of at least 2."""

        def reached(k: int) -> int | None:
            split = self._split(epsilon, k, l, largest=True)
            return None if split is None else int(split.moments.sizes.min())

        k = self._largest(1, self._neighborhoods.smallest_size(epsilon), reached)
        return k if l is None or k >= 2 else None

    def largest_l(self, epsilon: Fraction, k: int) -> Fraction | None:
        """Return the largest l at this ε with groups of at least k, in millionths; nothing where k does not hold."""

        def reached(ticks: int) -> int | None:
            split = self._split(epsilon, k, ticks * _TICK)
            return None if split is None else _ticks(self._spread.smallest(split.moments))

        if self._split(epsilon, k) is None:
            self.proven &= self._ruled_out
            return None
        if self._bound is None:
            return self._ratings.scale.highest - self._ratings.scale.lowest  # no l is too large
        return self._largest(0, self._bound, reached) * _TICK

    def smallest_epsilon(self, k: int, l: Fraction | None = None) -> Fraction | None:  # noqa: E741
        """Return the smallest ε at which there is a split into groups of at least k, spread by l if it is given."""
        candidates = self._neighborhoods.epsilons_for(k)
        if not candidates or (l is not None and self._bound is not None and l > self._bound * _TICK):
            return None
        ruled_out: dict[Fraction, bool] = {}

        def holds(epsilon: Fraction) -> bool:
            found = self._split(epsilon, k, l) is not None
            ruled_out[epsilon] = self._ruled_out
            return found

        *differences, farthest = candidates  # the last joins everybody: it is tried if nothing else will do
        first = bisect_left(differences, True, key=holds)
        if first > 0:
            self.proven &= ruled_out[differences[first - 1]]
        if first < len(differences):
            return differences[first]
        if holds(farthest):
            return farthest
        self.proven &= ruled_out[farthest]
        return None

    def _largest(self, low: int, high: int, reached: Callable[[int], int | None]) -> int:
        """Return the largest number for which there is a split; for the lowest there is one, above the highest none.

        Asked for a number, ``reached`` says how much the split that was found reaches, which is asked for next; if it
        is no more, a little more is, as often there is no more to find; and after the first failure the middle.
        """
        asked, step, ruled_out = low + 1, 1, True
        while low < high:
            asked = min(asked, high)
            got = reached(asked)
            if got is None:
                high, step, ruled_out = asked - 1, 0, self._ruled_out
            else:
                low, step = asked, 2 * step
            asked = max(got or 0, low + (step // 2 or (high - low + 1) // 2))
        self.proven &= ruled_out
        return low

    def _split(
        self,
        epsilon: Fraction,
        size: int,
        l: Fraction | None = None,  # noqa: E741
        *,
        largest: bool = False,
    ) -> ProximatePartition | None:
        """Return a split, or nothing where none is found; with groups as large as can be found, if that is asked."""
        spread = None if l is None else self._spread.need(l)
        self._attempts += 1
        with stage(f"splitting into groups, attempt {self._attempts}"):
            split = self._engine.partition(self._records, NeedPartition(epsilon, size, spread, largest))
        self._ruled_out = split.proven
        return None if split.left_over.any() else split

    @cached_property
    def _bound(self) -> int | None:
        """Return an l that no split can exceed, in millionths; None where nobody rated, so that every l is reached."""
        scale = self._ratings.scale
        total = rating_amounts(self._ratings, sensitive=True).sum(axis=0, keepdims=True)
        everybody = RatingMoments.of_columns(scale, total)
        if self._spread.smallest(everybody) is None:
            return None
        bound = largest_spread_of_groups(everybody, self._spread)
        # no deviation is larger than the distance of a null, or that of a zero
        farthest = scale.null_steps * scale.step + max(abs(scale.lowest), abs(scale.highest))
        return _ticks(bound if bound is not None else farthest**2)


def _ticks(square: Fraction | None) -> int:
    """Return the root in millionths, rounded down."""
    assert square is not None, "somebody rated, and is in some group"
    return int(Fraction(str(root_below(square))) / _TICK)
