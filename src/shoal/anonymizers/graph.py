"""Graph: records are joined to records within ε until the graph of proximity falls into cliques of at least k.

*Definition.* Records are the nodes of a graph, and an edge joins two that are ε-proximate; records with different
patterns of nulls are never joined. In the maximum norm a clique is a set of records with one pattern that fits a box
of side ε. As in the papers there are three cases:

* *trivial*: data that keep the promises are left as they are. Elsewhere, under neighbourhood semantics, so is every
  record with k − 1 neighbours among records that stay; under partition semantics, boxes of at least k records are cut
  out of each pattern, and what is in one stays.
* *merging*: the records of one pattern that are left over are put together with those nearest to them, in new cliques
  of k to 2k − 1. Fewer than k of them join what there is of their pattern: the clique of the record nearest to them,
  or a record that stays and its neighbours.
* *borrowing*: records left over whose whole pattern has fewer than k are put together across patterns. If there are
  fewer than k of those too, they borrow: one by one, the record whose loan distorts least, of cliques with more than k
  and of records that all of their neighbours can spare. Where nobody can lend, they join the record nearest to them.

Cliques are then modified: to one pattern, keeping an issue where that costs less than dropping it, and within ε. With
``strategy=interval``, ratings are moved into the best closed interval of length ε; with ``strategy=centroid``, by the
paper's rules made right (:mod:`.centroid_rules`). A partition that the search does not find again in what was
made is made easier to find (:mod:`.findable_partition`).

*Guarantee.* (k,ε) in the meaning asked for, and k-anonymity with ε = 0. It is a heuristic: valid, not optimal. l is not
looked at, and the road refuses where it fails.

*Reference.* Sun, Wang, Li, Pei 2010, section 4; thesis ch. 6. We differ: Definition 2 is tried first, so records that
keep it are not modified for the sake of cliques; "E′ ∩ E = E" is dropped, as borrowing takes edges away in the paper's
own example, and what a loan leaves behind is counted again instead; the cost of inventing and dropping ratings is
explicit. The papers' recursion to smaller cliques where there is no k-clique is what putting together the nearest
does: records within ε of each other cost nothing, and come first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, cast

import numpy as np

from shoal.data import Ratings, Records
from shoal.engines import Engine, judge
from shoal.errors import WordingError
from shoal.models import KEpsilon, PrivacyModel
from shoal.randomness import Randomness

from .base import Anonymizer, Recoding, methods
from .centroid_rules import corrected_centroid
from .clique_plan import CliquePlan
from .findable_partition import findable_partition
from .group_demand import GroupDemand
from .levelled import levelled
from .rating_costs import RatingCosts
from .with_rows import with_rows

__all__ = ["Graph"]


@methods.add
@dataclass(frozen=True)
class Graph(Anonymizer):
    """Modify records until the graph of those within ε falls into cliques, by merging and borrowing."""

    name: ClassVar[str] = "graph"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    strategy: Literal["interval", "centroid"] = "interval"
    invent_cost: Fraction = Fraction(3)
    drop_cost: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        if self.invent_cost < 0 or self.drop_cost < 0:
            raise WordingError("graph needs costs of at least 0.")

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,
        randomness: Randomness,  # noqa: ARG002
        spare: int,
    ) -> Recoding:
        ratings = cast(Ratings, records)
        demand = GroupDemand.of(models, ratings.scale, self.name)
        if demand.radius >= ratings.scale.null_steps or _is_trivial(ratings, models, engine):
            return Recoding(ratings)
        costs = RatingCosts.on(ratings.scale, self.invent_cost, self.drop_cost)
        plan = CliquePlan.of(ratings, demand, costs, engine)
        modify = levelled if self.strategy == "interval" else _centred
        made = modify(ratings, plan.labels, demand.radius, costs)
        if len(plan.guests):
            made = replace(made, observable=with_rows(made.observable, plan.guests, plan.moved_guests))
        return Recoding(findable_partition(made, models, engine, spare))


def _is_trivial(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> bool:
    """Decide whether all promises hold already; where neighbours are too few, no partition is searched for."""
    weaker = [
        KEpsilon(model.k, model.epsilon) if isinstance(model, KEpsilon) and model.semantics == "partition" else model
        for model in models
    ]
    return judge(ratings, weaker, engine).holds and (weaker == list(models) or judge(ratings, models, engine).holds)


def _centred(ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts) -> Ratings:
    """Give the ratings after every group was made alike by the rules of the centroid."""
    alike = levelled(ratings, labels, ratings.scale.points - 1, costs)  # of one pattern, no rating moved yet
    matrix = alike.observable
    codes = matrix.codes.copy()
    order = np.argsort(labels, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(rows) and labels[rows[0]] >= 0:
            width = int(matrix.indptr[rows[0] + 1] - matrix.indptr[rows[0]])
            places = matrix.indptr[rows][:, None] + np.arange(width)
            codes[places] = corrected_centroid(codes[places].astype(np.int64), radius, ratings.scale.points - 1)
    return replace(alike, observable=replace(matrix, codes=codes))
