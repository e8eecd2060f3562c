"""The method ``greedy-interval``: every maximal Hamming group is moved into one box of side ε.

*Definition.* Records with the same pattern of nulls form a maximal Hamming group. A group with fewer than k records is
dissolved, and each of its records goes to the remaining group whose pattern is cheapest for it: its ratings outside the
pattern are dropped, and those it lacks are invented at the lower median of that group. Where no group has k records,
the largest takes in the groups with the nearest patterns until it has, and keeps an issue where inventing the missing
ratings costs no more than dropping the others. Then, for every group and issue, ratings are moved into the closed
interval of length ε into which they can be moved at least cost; of equally good ones, into the lowest.

*Guarantee.* All records of a group share a pattern and are pairwise within ε, so (k,ε) holds under both semantics; with
ε = 0 they are equal, which is k-anonymity. l is not considered, and the road refuses where it fails.

*Reference.* Sun, Wang: Toward Identify Anonymization in Large Survey Rating Data, section IV. We differ: its loop
over (t_n − t_1)/ε intervals misses most starts, so all are tried; its open intervals move a rating that lies on the
border to the far end, so they are closed; and groups of exactly k suffice. As in the paper, k is not used inside a
group: however many records share a pattern, all are moved into one box, which costs more than smaller groups would.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self, cast

import numpy as np
from scipy.sparse import csr_array

from shoal.data import RatingMatrix, Ratings, Records
from shoal.engines import Engine
from shoal.errors import WordingError
from shoal.kernels.row_comparison import equal_patterns
from shoal.models import PrivacyModel
from shoal.randomness import Randomness

from .allowance import Allowance
from .base import Anonymizer, Recoding, methods
from .rating_groups.aligned_groups import aligned, replace_rows
from .rating_groups.rating_costs import GroupDemand, RatingCosts

__all__ = ["GreedyInterval"]

_NEVER = RatingCosts(invent=Fraction(0), drop=Fraction(2**62))
"""Prices under which no rating of a shared pattern is dropped: every move is cheaper."""
_BLOCK = 1 << 24
"""The number of pairs of patterns that are compared at a time."""


@methods.add
@dataclass(frozen=True)
class GreedyInterval(Anonymizer):
    """Moves each group of records with one pattern of nulls into the best interval of every issue."""

    name: ClassVar[str] = "greedy-interval"
    kinds: ClassVar[frozenset[str]] = frozenset({"ratings"})

    invent_cost: Fraction = Fraction(3)
    drop_cost: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        if self.invent_cost < 0 or self.drop_cost < 0:
            raise WordingError("greedy-interval needs costs of at least 0.")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return settings that the contract laws are tried on."""
        return (cls(), cls(invent_cost=Fraction(1, 2), drop_cost=Fraction(4)))

    def _recode(
        self,
        records: Records,
        models: Sequence[PrivacyModel],
        engine: Engine,  # noqa: ARG002
        randomness: Randomness,  # noqa: ARG002
        max_withheld: Allowance,  # noqa: ARG002
    ) -> Recoding:
        ratings = cast(Ratings, records)
        demand = GroupDemand.of(models, ratings.scale, self.name)
        if demand.radius >= ratings.scale.null_steps or len(ratings) < demand.size:
            return Recoding(ratings)
        costs = RatingCosts.on(ratings.scale, self.invent_cost, self.drop_cost)
        shared = _distributed(_with_one_large(ratings, demand.size, costs), demand.size, costs)
        return Recoding(aligned(shared, _patterns(shared.observable), demand.radius, _NEVER))


def _patterns(matrix: RatingMatrix) -> np.ndarray:
    return equal_patterns(matrix.indptr, matrix.indices)[0]


def _with_one_large(ratings: Ratings, size: int, costs: RatingCosts) -> Ratings:
    """Let the largest group take in its nearest ones, where no group is large enough."""
    labels = _patterns(ratings.observable)
    sizes = np.bincount(labels)
    largest = int(sizes.argmax())
    if sizes[largest] >= size:
        return ratings
    given = _given(ratings.observable)
    firsts = np.unique(labels, return_index=True)[1]
    prices = _prices(given[firsts], given[firsts[[largest]]], costs).ravel()
    prices[largest] = -1
    nearest = np.argsort(prices, kind="stable")
    needed = int(np.searchsorted(np.cumsum(sizes[nearest]), size)) + 1
    one = np.where(np.isin(labels, nearest[:needed]), 0, -1)
    return aligned(ratings, one, ratings.scale.points - 1, costs)


def _distributed(ratings: Ratings, size: int, costs: RatingCosts) -> Ratings:
    """Give each record of a group that is too small the cheapest pattern of those that enough records have."""
    matrix = ratings.observable
    labels = _patterns(matrix)
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= size)
    moving = np.flatnonzero(sizes[labels] < size)
    if not len(moving):
        return ratings
    medians = _medians(matrix, labels, large)
    given, wanted = _given(matrix), _given(medians)
    small, members = np.unique(labels[moving], return_inverse=True)
    firsts = np.unique(labels, return_index=True)[1][small]
    step = max(_BLOCK // len(large), 1)
    cheapest = np.concatenate(
        [_prices(given[firsts[at : at + step]], wanted, costs).argmin(axis=1) for at in range(0, len(small), step)]
    )
    moved = _in_pattern(matrix.take(moving), medians.take(cheapest[members]))
    return replace(ratings, observable=replace_rows(matrix, moving, moved))


def _given(matrix: RatingMatrix) -> csr_array:
    ones = np.ones(matrix.n_ratings, np.int32)
    return csr_array((ones, matrix.indices, matrix.indptr), shape=(len(matrix), max(len(matrix.items), 1)))


def _prices(given: csr_array, wanted: csr_array, costs: RatingCosts) -> np.ndarray:
    """Return the cost, in ratings dropped and invented, of giving each row each of the patterns."""
    shared = np.asarray((given @ wanted.T).todense())
    dropped = np.diff(given.indptr)[:, None] - shared
    invented = np.diff(wanted.indptr) - shared
    invent, drop = costs.prices
    return drop * dropped + invent * invented


def _medians(matrix: RatingMatrix, labels: np.ndarray, groups: np.ndarray) -> RatingMatrix:
    """Return the median record of each of these groups: the lower median of every issue of its pattern."""
    order = np.argsort(labels, kind="stable")
    begins = np.searchsorted(labels[order], groups)
    ends = np.searchsorted(labels[order], groups, side="right")
    codes = [
        np.sort(matrix.take(order[begin:end]).codes.reshape(end - begin, -1), axis=0)[(end - begin - 1) // 2]
        for begin, end in zip(begins, ends, strict=True)
    ]
    firsts = matrix.take(order[begins])
    return replace(firsts, codes=np.concatenate(codes))


def _in_pattern(matrix: RatingMatrix, medians: RatingMatrix) -> RatingMatrix:
    """Return each record in the pattern of its median record: with its own ratings, and the median's elsewhere."""
    width = len(matrix.items)
    places = [np.repeat(np.arange(len(m)), np.diff(m.indptr)) * width + m.indices for m in (matrix, medians)]
    _, own, same = np.intersect1d(*places, assume_unique=True, return_indices=True)
    codes = medians.codes.copy()
    codes[same] = matrix.codes[own]
    return replace(medians, codes=codes)
