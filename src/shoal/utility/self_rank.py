"""Self rank: whether the profile that stands for a person is the one most like them.

*Definition.* The different published profiles are ordered by their squared distance from the ratings a person gave, on
the non-sensitive items that the person rated; a null in a profile stands one step below the lowest rating, as in the
distortion. The rank of a person is 1, plus the number of profiles that are nearer than the one that stands for them,
plus half the number of the other profiles that are as near. The *average self rank* is the average over people; *self
rank first* is the share of the people for whom no profile is nearer than their own, where a person whose profile ties
with t others counts as 1/(1 + t): who guesses among the nearest is right so often. Profiles that are equal count once,
so it is the same whether a profile is published once with its number of people or once for each. People without ratings
are left out; of more than 1,000 people, 1,000 are drawn at random. *Unit.* A place in the order; a share of the people.

*Reference.* Section 7.4 and Figure 5 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), who call it
self-rank and show how many users have one within so many percent of all (:func:`self_rank_histogram`). They rank
anonymized users, all copies of one profile tied, and do not say on which items or how ties count.
"""

from dataclasses import dataclass

import numpy as np

from shoal.data import Ratings

from .comparison import Comparison
from .distinct_profiles import distinct_profiles
from .measure import measure
from .profile_distances import profile_distances
from .rated_cells import RatedCells

__all__ = ["average_self_rank", "self_rank_first", "self_rank_histogram"]

_PEOPLE = 1_000


@dataclass(frozen=True)
class _Ranks:
    """By person, how many other profiles are nearer than their own, and how many as near."""

    nearer: np.ndarray
    as_near: np.ndarray
    profiles: int


@measure("average self rank", unit="place among the different profiles", quick=False)
def average_self_rank(comparison: Comparison) -> float:
    """Give the place of people's own profile among all, ordered by how far they are from what the person rated."""
    ranks = comparison.once(_ranks)
    return float((1 + ranks.nearer + ranks.as_near / 2).mean())


@measure("self rank first", unit="share of the people", quick=False)
def self_rank_first(comparison: Comparison) -> float:
    """Give the share of the people whom no published profile is nearer to than their own."""
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
    """Give the squared distance of each person from the profile that stands for them."""
    told = np.where(cells.told < 0, 0, cells.told + parts)
    squares = (told - (cells.given.codes.astype(np.int64) + 1) * parts) ** 2
    return np.add.reduceat(squares, cells.given.indptr[:-1])


def _parts(comparison: Comparison) -> int:
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.released, Ratings)
    return int(comparison.whole.scale.step / comparison.released.scale.step)
