"""The method ``align``: ratings that keep (k,ε) and (k,ε,l) at little cost, on sparse data too.

*Definition.* Records are put into groups of at least k that cost little to be aligned (:mod:`.alike_groups`). In each
group and for each item, either everybody has a rating (those who had none get one from the group) or nobody has, and
ratings are moved into the interval of length ε where that costs least. Both are decided at least cost, exactly, for the
groups at hand. Moving a rating across the scale costs 4; inventing and dropping one cost ``invent_cost`` and
``drop_cost``, in quarters of the span of the scale. With l, records are swapped between groups until the sensitive
ratings of every group spread enough; groups are merged only where swapping does not suffice.

With ``groups=alike``, the default, all records of a group are within ε of each other, whether the promise is by
partition or by neighborhoods. With ``groups=led`` a promise by neighborhoods is kept to the letter at least cost:
records that support each other already are unchanged, and the others follow them or form leader groups
(:mod:`.leader_groups`), within ε of k − 1 leaders and not of each other. A few records in the middle of the scale may
then support all others, and an attacker who takes the nearest record succeeds as on the original; a remark says so.

Where records may be withheld, the most expensive ones are left unchanged, for the road to withhold.

*Guarantee.* Every group has one pattern of nulls. Alike groups fit into a box of side ε, so their records are pairwise
ε-proximate, and (k,ε) holds under both semantics; leader groups give every record k − 1 neighbors. As with every
method, the road checks the release.

*Reference.* Ours. The published methods (:mod:`shoal.anonymizers.graph`, :mod:`shoal.anonymizers.greedy_interval`)
leave open what to do when every record has a pattern of its own, which is the rule on sparse data.
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

from .alike_groups import AlikeGroups, alike_groups
from .coarsest_scale import CoarsestScale, cheapest_that_holds
from .grouping_task import GroupingTask
from .leader_groups import leader_groups
from .sensitive_spread import SpreadDemand
from .spread_repair import SpreadRepair

__all__ = ["Align"]

_TRIES = 512
"""The records considered as leaders of one record, and the records considered around a leader."""
_FEW_LEFT = 0.25
"""Where the search for a partition leaves over no more than this share, changing only these is tried too."""
_MANY = 200
"""With more records, grouping all of them is not tried where more than half support each other."""


@methods.add
@dataclass(frozen=True)
class Align(Anonymizer):
    """Groups records that cost little to be aligned; invents and drops ratings so that they share a pattern."""

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

    def costs(self, scale: Scale) -> RatingCosts:
        """Return the prices of the settings in steps of a scale."""
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
        demand = GroupDemand.of(models, records.scale, self.name)
        spread = SpreadDemand.of(models, records)
        if demand.radius >= records.scale.null_steps:
            return Recoding(records)
        generator, limit = randomness.generator("align"), max_withheld.records
        coarsest = CoarsestScale.of(records, demand.radius)
        demand, ratings = replace(demand, radius=coarsest.radius), coarsest.ratings
        run = _Run(ratings, demand, self, generator)
        if spread is not None:
            return Recoding(run.spread_out(records, coarsest, spread, models, engine))
        if demand.by_neighbors and (self.groups == "led" or demand.radius == 0):  # within 0, all are alike pairwise
            made = run.supported(engine, limit)
            return Recoding(coarsest.back(made, records), remarks=_risk(demand))
        if _are_alike(records, models, engine):
            return Recoding(records)
        made = coarsest.back(run.grouped(limit), records)
        return Recoding(findable_partition(made, models, engine, limit))


class _Run:
    """One run on ratings of the coarsest scale."""

    def __init__(self, ratings: Ratings, demand: GroupDemand, method: Align, generator: np.random.Generator) -> None:
        self._ratings, self._demand, self._method, self._generator = ratings, demand, method, generator
        self._costs = method.costs(ratings.scale)
        self._task = GroupingTask.of(ratings.observable, ratings.scale, demand, self._costs)
        self._led = demand.by_neighbors and method.groups == "led"

    def grouped(self, max_withheld: int) -> Ratings:
        """Put all records into groups."""
        if self._led:
            led = leader_groups(self._task, self._generator, self._method.rounds).without_costliest(max_withheld)
            return aligned(self._ratings, led.labels, self._demand.radius, self._costs, led.leads)
        alike = self._alike_groups(self._task).without_costliest(max_withheld)
        return aligned(self._ratings, alike.labels, self._demand.radius, self._costs)

    def _alike_groups(
        self, task: GroupingTask, alone: np.ndarray | None = None, spread: SpreadDemand | None = None
    ) -> AlikeGroups:
        with stage("grouping records"):
            return alike_groups(task, self._generator, self._method.rounds, alone, spread)

    def spread_out(
        self,
        given: Ratings,
        coarsest: CoarsestScale,
        spread: SpreadDemand,
        models: Sequence[PrivacyModel],
        engine: Engine,
    ) -> Ratings:
        """Put all records into groups that spread enough, and publish them so that a verifier finds that they do.

        By partition, the search may find groups for nearly all records unchanged, or in groups made without regard to
        spread; then changing only the others is tried too, and the cheapest result on which the promises hold is taken.
        """
        if self._demand.by_neighbors:
            if _are_alike(given, models, engine):
                return given
            return self._repair(given, coarsest, spread).by_neighbors(engine)
        left = judge(given, models, engine).violating
        if not left.any():
            return given
        spreading = self._repair(given, coarsest, spread).by_partition(models, engine)
        ways = [spreading]
        if left.sum() <= _FEW_LEFT * len(given):
            plain = coarsest.back(self.grouped(0), given)
            ways = [*(findable_partition(made, models, engine) for made in (given, plain)), spreading]
        made = cheapest_that_holds(ways, given, models, engine, self._method.costs(given.scale))
        return findable_partition(made, models, engine)

    def _repair(self, given: Ratings, coarsest: CoarsestScale, spread: SpreadDemand) -> SpreadRepair:
        labels = self._alike_groups(self._task, spread=spread).labels
        return SpreadRepair(given, coarsest, self._task, labels, spread)

    def supported(self, engine: Engine, max_withheld: int) -> Ratings:
        """Leave the records unchanged that support each other, or group all records: whichever costs less."""
        kept = self._supporting(engine)
        if not kept.any():
            return self.grouped(max_withheld)
        left = self._around(kept, max_withheld)
        if len(kept) > _MANY and 2 * kept.sum() > len(kept):
            return left
        whole = self.grouped(max_withheld)
        return min(left, whole, key=lambda made: self._costs.between(self._ratings.observable, made.observable))

    def _supporting(self, engine: Engine) -> np.ndarray:
        """Return the mask of the largest set of records each of which has enough neighbors within the set."""
        rows, needed = np.arange(len(self._ratings)), self._demand.size - 1
        epsilon = self._demand.epsilon(self._ratings.scale)
        while len(rows):
            others = engine.neighbors(self._ratings.take(rows), epsilon, enough=needed).others
            if (others >= needed).all():
                break
            rows = rows[others >= needed]
        kept = np.zeros(len(self._ratings), bool)
        kept[rows] = True
        return kept

    def _around(self, kept: np.ndarray, max_withheld: int) -> Ratings:
        """Let the other records follow the supporting ones, or form groups, whichever costs less."""
        rest, leaders = np.flatnonzero(~kept), np.flatnonzero(kept)
        if not len(rest):
            return self._ratings
        following, costs = self._following(rest, leaders)
        labels, leads = np.full(len(rest), -1, np.int64), None
        if len(rest) >= self._demand.size and self._led:
            found = leader_groups(self._task.take(rest), self._generator, self._method.rounds, costs)
            labels, leads = found.labels, np.zeros(len(kept), bool)
            leads[rest] = found.leads
        elif len(rest) >= self._demand.size:
            labels = self._alike_groups(self._task.take(rest), costs).labels
        costliest = np.argsort(-np.where(labels < 0, costs, 0), kind="stable")[:max_withheld]
        moved = labels < 0
        moved[costliest[costs[costliest] > 0]] = False  # left unchanged, and withheld
        made = replace_rows(self._ratings.observable, rest[moved], following.take(np.flatnonzero(moved)))
        all_labels = np.full(len(kept), -1, np.int64)
        all_labels[rest] = labels
        return aligned(replace(self._ratings, observable=made), all_labels, self._demand.radius, self._costs, leads)

    def _following(self, rest: np.ndarray, leaders: np.ndarray) -> tuple[RatingMatrix, np.ndarray]:
        """Return the other records moved near enough to supporting ones, and the cost of that for each."""
        task, company = self._task, self._demand.size - 1
        with stage("following others"):
            place = np.argsort(task.bisected(task.size)[0])
            leaders = leaders[np.argsort(place[leaders])]
            places = np.searchsorted(place[leaders], place[rest])
            (_, points), radius, *prices = task.terms
            chosen, _ = nearest_leader(*task.rows, rest, leaders, places, _TRIES, radius, *prices)
            codes, indptr, costs = follow(*task.rows, rest, chosen, leaders, company, _TRIES, radius, points, *prices)
        indices = task.matrix.take(leaders[chosen]).indices
        return RatingMatrix(task.matrix.items, indptr, indices, codes), costs


def _are_alike(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> bool:
    """Decide whether the records fall into alike groups already; too small neighborhoods decide without a search."""
    if not judge(ratings, [model.weaker for model in models], engine).holds:
        return False
    return judge(ratings, [model.by_partition for model in models], engine).holds


def _risk(demand: GroupDemand) -> tuple[str, ...]:
    """Return a remark on the risk that a promise kept to the letter leaves."""
    if demand.radius == 0:
        return ()
    return (
        f"groups=led: {demand.size - 1:,} records may vouch for any number of others, most of which are unchanged. "
        "Whoever takes the nearest record finds about as many people as in the original (shoal attack -a nearest).",
    )
