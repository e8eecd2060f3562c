"""The method ``align``: ratings that keep (k,ε) and (k,ε,l) at little cost, on sparse data too.

*What it does.* Records are put into groups of at least k that cost little to be made alike (:mod:`.alike_groups`). In
each group and for each item, either everybody has a rating (those who had none get one from the group) or nobody has,
and ratings are moved into the interval of length ε where that costs least. Both are decided at least cost, exactly,
for the groups at hand. Moving a rating across the scale costs 4; inventing and dropping one cost ``invent_cost`` and
``drop_cost``, in quarters of the span of the scale. With l, records are swapped between groups until the sensitive
ratings of every group spread enough; groups are joined only where swapping does not bring it about.

Groups are alike (``groups=alike``, unless said): all of a group are within ε of each other, whether the promise is by
partition or by neighborhoods. With ``groups=led`` a promise by neighborhoods is kept to the letter at least cost:
records that support each other already stay as they are, and the others follow them or form groups that are led
(:mod:`.leader_groups`), within ε of k − 1 leaders and not of each other. A few records in the middle of the scale may then
stand for all, and whoever takes the nearest record finds people as in the original; the owner is told.

Where records may be withheld, those that cost most are left as they are, for the road to withhold.

*Guarantee.* Every group has one pattern of nulls. One that is alike fits into a box of side ε, so its records are
pairwise ε-proximate, and (k,ε) holds in both meanings; one that is led gives every record k − 1 neighbors. As with
every method, the road checks what is published.

*Reference.* Ours. The published methods (:mod:`.graph`, :mod:`.greedy_interval`) leave open what to do when every
record has a pattern of its own, which is the rule on sparse data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.rating_groups.aligned_groups import aligned, findable_partition, replace_rows
from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import RatingMatrix, Ratings, Records, Scale
from shoal.engines import Engine, judge
from shoal.errors import WordingError
from shoal.kernels.groups.follow_rows import follow, nearest_leader
from shoal.models import PrivacyModel
from shoal.progress import stage
from shoal.randomness import Randomness

from .alike_groups import AlikeGroups, alike_groups, halved
from .coarsest_scale import CoarsestScale, cheapest_that_holds
from .leader_groups import LedGroups, leader_groups
from .spread_asked import SpreadAsked
from .spreading_groups import SpreadingGroups

__all__ = ["Align"]

_TRIES = 512
"""So many of those to follow, and so many around the one that is followed, are looked at for one record."""
_FEW_LEFT = 0.25
"""Where a search for a partition leaves over no more than this share, to change only those is tried too."""
_MANY = 200
"""With more records, grouping those too that support each other is not tried where they are more than half."""


@methods.add
@dataclass(frozen=True)
class Align(Anonymizer):
    """Groups records that cost little to be made alike, fills and drops ratings so that they share a pattern."""

    name: ClassVar[str] = "align"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    invent_cost: Fraction = Fraction(3)
    drop_cost: Fraction = Fraction(2)
    rounds: int = 6
    groups: Literal["alike", "led"] = "alike"

    def __post_init__(self) -> None:
        if self.invent_cost < 0 or self.drop_cost < 0:
            raise WordingError("align needs costs of at least 0.")
        if self.rounds < 0:
            raise WordingError("align needs a number of rounds of at least 0.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(groups="led"), cls(rounds=0, invent_cost=Fraction(0), drop_cost=Fraction(9)))

    def _costs(self, scale: Scale) -> RatingCosts:
        return RatingCosts.on(scale, self.invent_cost, self.drop_cost)

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,
        max_withheld: Allowance,
    ) -> Recoding:
        assert isinstance(records, Ratings)
        limit = max_withheld.records
        wish = GroupDemand.of(models, records.scale, self.name)
        spread = SpreadAsked.of(models, records)
        if wish.radius >= records.scale.null_steps:
            return Recoding(records)
        generator = randomness.generator("align")
        coarsest = CoarsestScale.of(records, wish.radius)
        wish = replace(wish, radius=coarsest.radius)
        if spread is not None:
            return Recoding(self._spread_out(records, coarsest, wish, spread, models, engine, generator))
        ratings = coarsest.ratings
        if wish.by_neighbors and (self.groups == "led" or wish.radius == 0):  # within 0, all are alike pairwise
            kept = self._supporting(ratings, wish, engine)
            if kept.any():
                made = self._cheaper(ratings, wish, kept, generator, limit)
            else:
                made = self._grouped(ratings, wish, generator, limit)
            return Recoding(coarsest.back(made, records), remarks=_risk(wish))
        if _are_alike(records, models, engine):
            return Recoding(records)
        made = coarsest.back(self._grouped(ratings, wish, generator, limit), records)
        return Recoding(findable_partition(made, models, engine, limit))

    def _grouped(
        self,
        ratings: Ratings,
        wish: GroupDemand,
        generator: np.random.Generator,
        max_withheld: int,
    ) -> Ratings:
        """Put all records into groups."""
        if self._led(wish):
            led = self._led_groups(ratings.observable, ratings, wish, generator).without_dearest(max_withheld)
            return aligned(ratings, led.labels, wish.radius, self._costs(ratings.scale), led.leads)
        alike = self._groups(ratings.observable, ratings, wish, generator).without_dearest(max_withheld)
        return aligned(ratings, alike.labels, wish.radius, self._costs(ratings.scale))

    def _spread_out(
        self,
        given: Ratings,
        coarsest: CoarsestScale,
        wish: GroupDemand,
        asked: SpreadAsked,
        models: Sequence[PrivacyModel],
        engine: Engine,
        generator: np.random.Generator,
    ) -> Ratings:
        """Put all records into groups that spread enough, and see to it that whoever looks finds that they do.

        By partition, those whom the search finds groups for as they are, or in groups made without regard to spread,
        may be nearly all; then it is tried to change only the others, and the cheapest of what holds is taken.
        """
        if wish.by_neighbors:
            if _are_alike(given, models, engine):
                return given
            return self._spreading(coarsest, given, wish, asked, generator).by_neighbors(engine)
        left = judge(given, models, engine).violating
        if not left.any():
            return given
        spread = self._spreading(coarsest, given, wish, asked, generator).by_partition(models, engine)
        ways = [spread]
        if left.sum() <= _FEW_LEFT * len(given):
            plain = coarsest.back(self._grouped(coarsest.ratings, wish, generator, 0), given)
            ways = [*(findable_partition(made, models, engine) for made in (given, plain)), spread]
        made = cheapest_that_holds(ways, given, models, engine, self._costs(given.scale))
        return findable_partition(made, models, engine)

    def _spreading(
        self,
        coarsest: CoarsestScale,
        given: Ratings,
        wish: GroupDemand,
        asked: SpreadAsked,
        generator: np.random.Generator,
    ) -> SpreadingGroups:
        ratings, costs = coarsest.ratings, self._costs(coarsest.ratings.scale)
        labels = self._groups(ratings.observable, ratings, wish, generator, asked=asked).labels
        return SpreadingGroups(given, coarsest, labels, asked, costs)

    def _groups(
        self,
        matrix: RatingMatrix,
        ratings: Ratings,
        wish: GroupDemand,
        generator: np.random.Generator,
        alone: np.ndarray | None = None,
        asked: SpreadAsked | None = None,
    ) -> AlikeGroups:
        with stage("grouping records"):
            points = ratings.scale.points
            return alike_groups(
                matrix, points, wish.radius, wish.size, self._costs(ratings.scale), generator, self.rounds, alone, asked
            )

    def _led(self, wish: GroupDemand) -> bool:
        return wish.by_neighbors and self.groups == "led"

    def _led_groups(
        self,
        matrix: RatingMatrix,
        ratings: Ratings,
        wish: GroupDemand,
        generator: np.random.Generator,
        alone: np.ndarray | None = None,
    ) -> LedGroups:
        points = ratings.scale.points
        return leader_groups(
            matrix, points, wish.radius, wish.size, self._costs(ratings.scale), generator, self.rounds, alone
        )

    def _supporting(self, ratings: Ratings, wish: GroupDemand, engine: Engine) -> np.ndarray:
        """Return the mask of the largest set of records each of which has enough neighbors within the set."""
        rows = np.arange(len(ratings))
        while len(rows):
            others = engine.neighbors(ratings.take(rows), wish.epsilon(ratings.scale), enough=wish.size - 1).others
            if (others >= wish.size - 1).all():
                break
            rows = rows[others >= wish.size - 1]
        kept = np.zeros(len(ratings), bool)
        kept[rows] = True
        return kept

    def _cheaper(
        self, ratings: Ratings, wish: GroupDemand, kept: np.ndarray, generator: np.random.Generator, max_withheld: int
    ) -> Ratings:
        """Leave the supporting records alone, or group all records: whichever costs less."""
        left = self._around(ratings, wish, kept, generator, max_withheld)
        if len(ratings) > _MANY and 2 * kept.sum() > len(ratings):
            return left
        whole = self._grouped(ratings, wish, generator, max_withheld)
        return min(
            left, whole, key=lambda made: self._costs(ratings.scale).between(ratings.observable, made.observable)
        )

    def _around(
        self, ratings: Ratings, wish: GroupDemand, kept: np.ndarray, generator: np.random.Generator, max_withheld: int
    ) -> Ratings:
        """Let the other records follow the supporting ones, or form groups, whichever costs less."""
        rest, leaders = np.flatnonzero(~kept), np.flatnonzero(kept)
        if not len(rest):
            return ratings
        following, follow_costs = self._following(ratings, wish, rest, leaders)
        labels, leads = np.full(len(rest), -1, np.int64), None
        if len(rest) >= wish.size and self._led(wish):
            found = self._led_groups(ratings.observable.take(rest), ratings, wish, generator, follow_costs)
            labels, leads = found.labels, np.zeros(len(ratings), bool)
            leads[rest] = found.leads
        elif len(rest) >= wish.size:
            labels = self._groups(ratings.observable.take(rest), ratings, wish, generator, follow_costs).labels
        dear = np.argsort(-np.where(labels < 0, follow_costs, 0), kind="stable")[:max_withheld]
        moved = labels < 0
        moved[dear[follow_costs[dear] > 0]] = False  # left as they are, and withheld
        made = replace_rows(ratings.observable, rest[moved], following.take(np.flatnonzero(moved)))
        all_labels = np.full(len(ratings), -1, np.int64)
        all_labels[rest] = labels
        return aligned(replace(ratings, observable=made), all_labels, wish.radius, self._costs(ratings.scale), leads)

    def _following(
        self, ratings: Ratings, wish: GroupDemand, rest: np.ndarray, leaders: np.ndarray
    ) -> tuple[RatingMatrix, np.ndarray]:
        """Return the other records brought near enough to supporting ones, and what that costs each."""
        matrix = ratings.observable
        rows = (matrix.indptr, matrix.indices, matrix.codes)
        prices = self._costs(ratings.scale).prices
        with stage("following others"):
            place = np.argsort(halved(matrix, ratings.scale.points, np.arange(len(matrix)), wish.size)[0])
            leaders = leaders[np.argsort(place[leaders])]
            places = np.searchsorted(place[leaders], place[rest])
            chosen, _ = nearest_leader(*rows, rest, leaders, places, _TRIES, wish.radius, *prices)
            company, points = wish.size - 1, ratings.scale.points
            codes, indptr, costs = follow(*rows, rest, chosen, leaders, company, _TRIES, wish.radius, points, *prices)
        indices = matrix.take(leaders[chosen]).indices
        return RatingMatrix(matrix.items, indptr, indices, codes), costs


def _are_alike(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> bool:
    """Decide whether the records fall into such groups already; where neighbors are too few, none are looked for."""
    if not judge(ratings, [model.weaker for model in models], engine).holds:
        return False
    return judge(ratings, [model.by_partition for model in models], engine).holds


def _risk(wish: GroupDemand) -> tuple[str, ...]:
    """Say what a promise that is kept to the letter does not protect from."""
    if wish.radius == 0:
        return ()
    return (
        f"groups=led: {wish.size - 1:,} records may vouch for any number of others, most of which stay as they were. "
        "Whoever takes the nearest record finds about as many people as in the original (shoal attack -a nearest).",
    )
