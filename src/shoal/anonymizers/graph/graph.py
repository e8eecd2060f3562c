"""The method ``graph``: the proximity graph of the records is modified until it falls into cliques of at least k.

*Definition.* Records are the nodes of a graph, and an edge joins two that are ε-proximate; records with different
patterns of nulls are never joined. In the maximum norm a clique is a set of records with one pattern that fits a box
of side ε. As in the papers there are three cases:

* *trivial*: data that keep the promises are unchanged. Elsewhere, under neighborhood semantics, so is every record with
  k − 1 neighbors among unchanged records; under partition semantics, boxes of at least k records are cut out of each
  pattern, and their records are unchanged.
* *merging*: the remaining records of one pattern form new cliques of k to 2k − 1 with those nearest to them. Fewer than
  k of them join their pattern: the clique of the record nearest to them, or an unchanged record and its neighbors.
* *borrowing*: remaining records whose whole pattern has fewer than k form cliques across patterns. If there are fewer
  than k of those too, they borrow: one by one, the record whose loan distorts least, of cliques with more than k and of
  records without which all of their neighbors keep enough. Where nobody can lend, they join the record nearest to them.

Cliques are then modified: to one pattern, keeping an issue where that costs less than dropping it, and within ε. With
``strategy=interval``, ratings are moved into the best closed interval of length ε; with ``strategy=centroid``, by the
corrected rules of the paper (:mod:`.centroid_rules`). Where the search for a partition does not find this one in the
result, the result is changed until it does (:func:`.findable_partition`).

*Guarantee.* (k,ε) with the semantics asked for, and k-anonymity with ε = 0. It is a heuristic: valid, not optimal. l is
not considered, and the road refuses where it fails.

*Reference.* Sun, Wang, Li, Pei 2010, section 4; thesis ch. 6. We differ: Definition 2 is tried first, so records that
satisfy it are not modified for the sake of cliques; "E′ ∩ E = E" is dropped, as borrowing removes edges in the paper's
own example, and the records that a loan leaves behind are counted again instead; the cost of inventing and dropping
ratings is explicit. Grouping the nearest records does what the papers' recursion to smaller cliques does where there is
no k-clique: records within ε of each other cost nothing, and come first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.allowance import Allowance
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.rating_groups.aligned_groups import aligned, findable_partition, replace_rows
from shoal.anonymizers.rating_groups.rating_costs import GroupDemand, RatingCosts
from shoal.data import Ratings, Records
from shoal.engines import Engine, judge
from shoal.errors import WordingError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .centroid_rules import corrected_centroid
from .clique_plan import CliquePlan

__all__ = ["Graph"]


@methods.add
@dataclass(frozen=True)
class Graph(Anonymizer):
    """Modifies records until the proximity graph falls into cliques, by merging and borrowing."""

    name: ClassVar[str] = "graph"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    strategy: Literal["interval", "centroid"] = "interval"
    invent_cost: Fraction = Fraction(3)
    drop_cost: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        if self.invent_cost < 0 or self.drop_cost < 0:
            raise WordingError("graph needs costs of at least 0.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(strategy="centroid"), cls(invent_cost=Fraction(0), drop_cost=Fraction(9)))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,
    ) -> Recoding:
        ratings = cast(Ratings, records)
        demand = GroupDemand.of(models, ratings.scale, self.name)
        if demand.radius >= ratings.scale.null_steps or _is_trivial(ratings, models, engine):
            return Recoding(ratings)
        costs = RatingCosts.on(ratings.scale, self.invent_cost, self.drop_cost)
        plan = CliquePlan.of(ratings, demand, costs, engine)
        modify = aligned if self.strategy == "interval" else _centered
        made = modify(ratings, plan.labels, demand.radius, costs)
        if len(plan.guests):
            made = replace(made, observable=replace_rows(made.observable, plan.guests, plan.moved_guests))
        return Recoding(findable_partition(made, models, engine, max_withheld.records))


def _is_trivial(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> bool:
    """Decide whether all promises hold already; where neighborhoods are too small, no partition is searched for."""
    weaker = [model.weaker for model in models]
    return judge(ratings, weaker, engine).holds and (weaker == list(models) or judge(ratings, models, engine).holds)


def _centered(ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts) -> Ratings:
    """Return the ratings with every group aligned by the rules of the centroid."""
    alike = aligned(ratings, labels, ratings.scale.points - 1, costs)  # of one pattern, no rating moved yet
    matrix = alike.observable
    codes = matrix.codes.copy()
    order = np.argsort(labels, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(rows) and labels[rows[0]] >= 0:
            width = int(matrix.indptr[rows[0] + 1] - matrix.indptr[rows[0]])
            places = matrix.indptr[rows][:, None] + np.arange(width)
            codes[places] = corrected_centroid(codes[places].astype(np.int64), radius, ratings.scale.points - 1)
    return replace(alike, observable=replace(matrix, codes=codes))
