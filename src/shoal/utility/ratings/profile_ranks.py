"""Published profiles for the people behind them: their rank among all profiles, and the ranking of items.

**Self rank**: whether the profile that stands for a person is the one nearest to them.

*Definition.* The different published profiles are ordered by their squared distance from the ratings a person gave, on
the non-sensitive items that the person rated; a null in a profile stands one step below the lowest rating, as in the
distortion. The rank of a person is 1, plus the number of profiles that are nearer than the one that stands for them,
plus half the number of the other profiles that are as near. The *average self rank* is the average over people; *self
rank first* is the share of the people for whom no profile is nearer than their own, where a person whose profile ties
with t others counts as 1/(1 + t), the probability of picking it among the nearest. Profiles that are equal count once,
so it is the same whether a profile is published once with its number of people or once for each. People without ratings
are left out; of more than 1,000 people, 1,000 are drawn at random. *Unit.* A place in the order; a share of the people.

*Reference.* Section 7.4 and Figure 5 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), who call it
self-rank and show how many users have one within so many percent of all (:func:`self_rank_histogram`). They rank
anonymized users, all copies of one profile tied, and do not say on which items or how ties count.

**nDCG@10**: whether the items that people liked best are still ranked first.

*Definition.* For each person with at least 2 non-sensitive ratings, the items they rated are ordered by what is
published for them, the highest first and null last. The gain of an item is 2ʳ − 1 where r is the original rating in
steps of its scale, the lowest rating being 1; the item in place i of the first 10 counts its gain by log₂(i + 1). That
sum, divided by the highest that any order of those items has, is the nDCG; the average over people is the measure.
Items published with equal values stand in any order: the sum is the average over all of them (McSherry and Najork
2008). Of more than 10,000 people, 10,000 are drawn at random. *Unit.* From 0 to 1, which is the order of the original
ratings.

*Reference.* Järvelin and Kekäläinen 2002; the exponential gain after Burges et al. 2005.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from shoal.data import RatingMatrix, Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

from .link_confidence import distinct_profiles

__all__ = [
    "RatedCells",
    "average_self_rank",
    "profile_distances",
    "ranking_quality",
    "self_rank_first",
    "self_rank_histogram",
]


_CELLS = 1 << 22
"""The number of cells in a block."""


def profile_distances(people: RatingMatrix, profiles: RatingMatrix, parts: int = 1) -> Iterator[tuple[int, np.ndarray]]:
    """Yield blocks of squared distances, people × profiles: the first profile of each block, and the distances.

    Only items that the person rated count. Distances are in steps of the profiles' scale, ``parts`` of which are one of
    the people's; a null in a profile stands one step of the people's scale below the lowest rating. All numbers are
    whole and exact.
    """
    given = _rows(people, (people.codes.astype(np.float64) + 1) * parts)
    rated = _rows(people, np.ones(people.n_ratings))
    squares = np.asarray((given * given).sum(axis=1))[:, None]
    size = max(_CELLS // max(len(people.items), len(people), 1), 1)
    for start in range(0, len(profiles), size):
        some = profiles.take(np.arange(start, min(start + size, len(profiles))))
        published = _rows(some, some.codes.astype(np.float64) + parts).toarray().T  # null is 0
        yield start, squares - 2 * (given @ published) + rated @ published**2


def _rows(matrix: RatingMatrix, values: np.ndarray) -> csr_array:
    return csr_array((values, matrix.indices, matrix.indptr), shape=(len(matrix), len(matrix.items)))


@dataclass(frozen=True)
class RatedCells:
    """The non-sensitive ratings of some of the people published, and what is published in the same cells."""

    people: np.ndarray
    """Their indices among the people published."""
    given: RatingMatrix
    """What they rated, in codes of the original scale."""
    published: np.ndarray
    """For each of those ratings, the published code, on the scale of the release; −1 for null."""

    @classmethod
    def drawn(cls, comparison: Comparison, at_least: int, most: int, purpose: str) -> Self:
        """Take all people with ``at_least`` ratings, or ``most`` of them drawn at random if there are more."""
        whole, released = comparison.whole, comparison.released
        if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
            raise Unmeasurable("Defined on ratings only.")
        people = np.flatnonzero(np.diff(whole.observable.indptr)[comparison.origins] >= at_least)
        if len(people) == 0:
            raise Unmeasurable("Nobody who is published rated enough non-sensitive items.")
        if len(people) > most:
            people = np.sort(comparison.generator(purpose).choice(people, most, replace=False))
        given = whole.observable.take(comparison.origins[people])
        rows = people if comparison.places is None else comparison.places[people]
        return cls(people, given, _published(given, released.observable, rows))


def _published(given: RatingMatrix, published: RatingMatrix, rows: np.ndarray) -> np.ndarray:
    """Look each rating up in the published row of the person."""
    found = np.full(given.n_ratings, -1, np.int64)
    for person, row in enumerate(rows):
        mine = slice(given.indptr[person], given.indptr[person + 1])
        theirs = slice(published.indptr[row], published.indptr[row + 1])
        items = published.indices[theirs]
        at = np.searchsorted(items, given.indices[mine])
        there = np.flatnonzero(np.append(items, -1)[at] == given.indices[mine])
        found[mine.start + there] = published.codes[theirs][at[there]]
    return found


_PEOPLE = 1_000


@dataclass(frozen=True)
class _Ranks:
    """By person, the number of other profiles that are nearer than their own, and of those equally near."""

    nearer: np.ndarray
    as_near: np.ndarray
    profiles: int


@measure("average self rank", unit="place among the different profiles", quick=False, place=400, of_items=True)
def average_self_rank(comparison: Comparison) -> float:
    """The average rank of a person's own profile among all, by its distance from the person's ratings."""
    ranks = comparison.once(_ranks)
    return float((1 + ranks.nearer + ranks.as_near / 2).mean())


@measure("self rank first", unit="share of the people", quick=False, place=410, of_items=True)
def self_rank_first(comparison: Comparison) -> float:
    """The share of people to whom no published profile is nearer than their own."""
    ranks = comparison.once(_ranks)
    return float(np.where(ranks.nearer == 0, 1 / (1 + ranks.as_near), 0).mean())


def self_rank_histogram(comparison: Comparison, bins: int = 20) -> np.ndarray:
    """Count the people by their self rank as a share of the number of profiles.

    The first of the equally wide bins is for shares above 0 and up to 1/bins, the last for those up to 1.
    """
    ranks = comparison.once(_ranks)
    doubled = 2 + 2 * ranks.nearer + ranks.as_near
    return np.bincount((doubled * bins - 1) // (2 * ranks.profiles), minlength=bins)


def _ranks(comparison: Comparison) -> _Ranks:
    cells = RatedCells.drawn(comparison, 1, _PEOPLE, "self rank")
    profiles = comparison.once(distinct_profiles)
    own = _own_distances(cells, _parts(comparison))
    nearer, as_near = (np.zeros(len(own), np.int64) for _ in range(2))
    for _, distances in profile_distances(cells.given, profiles.matrix, _parts(comparison)):
        nearer += (distances < own[:, None]).sum(axis=1)
        as_near += (distances == own[:, None]).sum(axis=1)
    return _Ranks(nearer, as_near - 1, len(profiles))


def _own_distances(cells: RatedCells, parts: int) -> np.ndarray:
    """Return the squared distance of each person from the profile that stands for them."""
    shown = np.where(cells.published < 0, 0, cells.published + parts)
    squares = (shown - (cells.given.codes.astype(np.int64) + 1) * parts) ** 2
    return np.add.reduceat(squares, cells.given.indptr[:-1])


def _parts(comparison: Comparison) -> int:
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.released, Ratings)
    return int(comparison.whole.scale.step / comparison.released.scale.step)


_RANKED_PEOPLE = 10_000
_PLACES = 10


@measure("nDCG@10", unit="from 0 to 1", quick=False, place=420, unchanged=1, of_marks=True)
def ranking_quality(comparison: Comparison) -> float:
    """How well the published ratings rank first the items that people rated highest, averaged over people."""
    cells = RatedCells.drawn(comparison, 2, _RANKED_PEOPLE, "nDCG")
    borders = cells.given.indptr[1:-1]
    persons = zip(
        np.split(cells.given.codes.astype(np.float64), borders), np.split(cells.published, borders), strict=True
    )
    return float(np.mean([_ndcg(given + 1, published) for given, published in persons]))


def _ndcg(ratings: np.ndarray, published: np.ndarray) -> float:
    """Return the nDCG of one person from original ratings in steps, and what is published for the same items."""
    best = ratings.max()
    gains = np.exp2(ratings - best) - np.exp2(-best)  # by 2 to the best rating, which may be too large a number
    weights = np.zeros(len(gains))
    weights[:_PLACES] = 1 / np.log2(np.arange(2, min(len(gains), _PLACES) + 2))
    _, tie, sizes = np.unique(-published, return_inverse=True, return_counts=True)
    of_ties = np.add.reduceat(weights, np.cumsum(sizes) - sizes)
    reached = (np.bincount(tie, gains) / sizes) @ of_ties
    return float(reached / (np.sort(gains)[::-1] @ weights))
