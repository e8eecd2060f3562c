"""Graph: records are joined to records within ε until the graph of proximity falls into cliques of at least k.

*Definition.* Records are the nodes of a graph, and an edge joins two that are ε-proximate; records with different
patterns of nulls are never joined. In the maximum norm a clique is a set of records with one pattern that fits a box
of side ε. As in the papers there are three cases:

* *trivial*: data that keep the promises are left as they are. Elsewhere, under neighborhood semantics, so is every
  record with k − 1 neighbors among records that stay; under partition semantics, boxes of at least k records are cut
  out of each pattern, and what is in one stays.
* *merging*: the records of one pattern that are left over are put together with those nearest to them, in new cliques
  of k to 2k − 1. Fewer than k of them join what there is of their pattern: the clique of the record nearest to them,
  or a record that stays and its neighbors.
* *borrowing*: records left over whose whole pattern has fewer than k are put together across patterns. If there are
  fewer than k of those too, they borrow: one by one, the record whose loan distorts least, of cliques with more than k
  and of records that all of their neighbors can spare. Where nobody can lend, they join the record nearest to them.

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

The survey-rating paper's rules for moving the ratings of a clique toward their centroid, as printed and corrected.

*Definition* (section 4.5; thesis 6.4). Issue by issue, let c be the mean of the n ratings. Where c is whole (*integer
strategy*), the lower half is moved to c − 1 and the upper half to c + 1 (2.1.1, n even), with the middle one at c
(2.1.2, n odd, ε > 1), or all to c (2.1.3, n odd, ε = 1). Where c = ⌊c⌋ + r/n is not whole (*fraction strategy*), all
are moved to ⌊c⌋, and r is added to the first record (2.2.1, r ≤ ε); or, with r = pε + s, p to the first pε records and
s to the last (2.2.2, r > ε). Issues of both sorts in one clique are the *mixed strategy*: each goes by its own rule.

*Where we differ.* As printed, 2.1.1 moves ratings 2 apart where ε = 1, 2.2.2 breaks the mean and often ε where p > 1,
and every rule may leave the scale and changes issues that are within ε already. So an issue within ε is left alone; a
rule is followed where its outcome is within ε, on the scale, and has the same mean; and elsewhere all go to ⌊c⌋ and 1
is added to the r largest, which is always within 1, on the scale, and keeps the mean. With ε = 0 no rule keeps a mean
that is not whole: all go to the whole number nearest to it. 2.1.2 is printed for n + 1 ratings; there are (n − 1)/2 on
either side of the middle one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, Self, cast

import numpy as np

from shoal.anonymizers.aligned_groups import findable_partition, leveled, replace_rows
from shoal.anonymizers.base import Anonymizer, Recoding, methods
from shoal.anonymizers.rating_costs import GroupDemand, RatingCosts
from shoal.data import Ratings, Records
from shoal.engines import Engine, judge
from shoal.errors import WordingError
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .clique_plan import CliquePlan

__all__ = ["Graph", "corrected_centroid", "printed_centroid"]


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
        spare: int,
    ) -> Recoding:
        ratings = cast(Ratings, records)
        demand = GroupDemand.of(models, ratings.scale, self.name)
        if demand.radius >= ratings.scale.null_steps or _is_trivial(ratings, models, engine):
            return Recoding(ratings)
        costs = RatingCosts.on(ratings.scale, self.invent_cost, self.drop_cost)
        plan = CliquePlan.of(ratings, demand, costs, engine)
        modify = leveled if self.strategy == "interval" else _centered
        made = modify(ratings, plan.labels, demand.radius, costs)
        if len(plan.guests):
            made = replace(made, observable=replace_rows(made.observable, plan.guests, plan.moved_guests))
        return Recoding(findable_partition(made, models, engine, spare))


def _is_trivial(ratings: Ratings, models: Sequence[PrivacyModel], engine: Engine) -> bool:
    """Decide whether all promises hold already; where neighbors are too few, no partition is searched for."""
    weaker = [model.weaker for model in models]
    return judge(ratings, weaker, engine).holds and (weaker == list(models) or judge(ratings, models, engine).holds)


def _centered(ratings: Ratings, labels: np.ndarray, radius: int, costs: RatingCosts) -> Ratings:
    """Return the ratings after every group was made alike by the rules of the centroid."""
    alike = leveled(ratings, labels, ratings.scale.points - 1, costs)  # of one pattern, no rating moved yet
    matrix = alike.observable
    codes = matrix.codes.copy()
    order = np.argsort(labels, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(rows) and labels[rows[0]] >= 0:
            width = int(matrix.indptr[rows[0] + 1] - matrix.indptr[rows[0]])
            places = matrix.indptr[rows][:, None] + np.arange(width)
            codes[places] = corrected_centroid(codes[places].astype(np.int64), radius, ratings.scale.points - 1)
    return replace(alike, observable=replace(matrix, codes=codes))


def printed_centroid(ratings: np.ndarray, epsilon: int) -> np.ndarray:
    """Return the ratings of a clique (records × issues) as the paper's rules make them, right or wrong."""
    n = len(ratings)
    floor, over = np.divmod(ratings.sum(axis=0), n)
    return np.where(over == 0, _by_integer(ratings, floor, epsilon), _by_fraction(n, floor, over, epsilon))


def _by_integer(ratings: np.ndarray, centroid: np.ndarray, epsilon: int) -> np.ndarray:
    """Cases 2.1.1 to 2.1.3; equal ratings are taken in the order of the records."""
    n = len(ratings)
    if epsilon < 1 or (n % 2 and epsilon == 1):
        return np.broadcast_to(centroid, ratings.shape)
    rank = _ranks(ratings)
    side = np.where(rank < n // 2, -1, 1)
    if n % 2:
        side[rank == n // 2] = 0
    return centroid + side


def _by_fraction(n: int, floor: np.ndarray, over: np.ndarray, epsilon: int) -> np.ndarray:
    """Cases 2.2.1 and 2.2.2."""
    record = np.arange(n)[:, None]
    first = np.where(record == 0, over, 0)
    times, rest = np.divmod(over, max(epsilon, 1))
    shared = np.where(record < times * epsilon, times, 0) + np.where(record == n - 1, rest, 0)
    return floor + np.where(over <= epsilon, first, shared)


def corrected_centroid(ratings: np.ndarray, epsilon: int, highest: int) -> np.ndarray:
    """Return the ratings of a clique within ε on every issue, on the scale 0…highest, by the paper's rules made right."""
    made = printed_centroid(ratings, epsilon)
    right = (np.ptp(made, axis=0) <= epsilon) & (made.sum(axis=0) == ratings.sum(axis=0))
    right &= (made.min(axis=0) >= 0) & (made.max(axis=0) <= highest)
    made = np.where(right, made, _balanced(ratings) if epsilon > 0 else _nearest_whole(ratings))
    return np.where(np.ptp(ratings, axis=0) <= epsilon, ratings, made)


def _balanced(ratings: np.ndarray) -> np.ndarray:
    n = len(ratings)
    floor, over = np.divmod(ratings.sum(axis=0), n)
    return floor + (_ranks(ratings) >= n - over)


def _nearest_whole(ratings: np.ndarray) -> np.ndarray:
    n = len(ratings)
    return np.broadcast_to((2 * ratings.sum(axis=0) + n) // (2 * n), ratings.shape)


def _ranks(ratings: np.ndarray) -> np.ndarray:
    """Return the place of each rating among those of its issue, from the smallest, ties by record."""
    return np.argsort(np.argsort(ratings, axis=0, kind="stable"), axis=0, kind="stable")
