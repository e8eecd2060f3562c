"""Bins: users around centers, so that groups are looked for among the similar, and not among all.

A sample of the users is split into clusters of equal size, and each has a center; every user then goes to the bin of
the nearest center. What a center is, is a choice:

- *virtual*: the mean of a cluster, which is nobody's ratings;
- *real*: the member of a cluster that is nearest to the mean;
- *drawn*: a user drawn at random; there are no clusters.

A bin with fewer users than a group needs is merged with the bin whose center is nearest. There are less than √m bins
of m users where otherwise bins would hold only a few groups: every bin has a remainder of up to a group less one user,
which makes groups larger than necessary.

*Reference.* Sections 4.2 and 6.1 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), who compare virtual
centers with real users (Figure 3) and do not say which users these are. They divide a virtual center by the number of
items, where the mean has the number of users.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from shoal.anonymizers.grouping import group_means
from shoal.errors import GuaranteeError

__all__ = ["Bins", "Centers", "Space", "check_size", "merge_small", "nearest_bins"]

Centers = Literal["virtual", "real", "drawn"]
_GROUPS_A_BIN = 32
_NUMBERS = 1 << 22
"""The numbers that are worked on at a time."""


class Space(Protocol):
    """Users as rows of numbers, and how far these are apart."""

    @property
    def width(self) -> int:
        """The length of a row."""
        ...

    def __len__(self) -> int: ...

    def rows(self, users: np.ndarray) -> np.ndarray:
        """Return the rows of these users: float32."""
        ...

    def apart(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return, rows × others, how far they are apart."""
        ...

    def nearest(self, rows: np.ndarray, centers: np.ndarray) -> np.ndarray:
        """Return the nearest center of each row, of equals the first."""
        ...

    def clusters(self, rows: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
        """Label rows by cluster 0, 1, …, of at least ``size`` and less than twice as many."""
        ...


@dataclass(frozen=True)
class Bins:
    """How many bins there are, and around which centers."""

    number: int | None = None
    """None: √m, or fewer where bins would hold less than 32 groups."""
    sample: int = 16
    """The users that are sampled for each center."""
    centers: Centers = "virtual"

    def wanted(self, users: int, size: int) -> int:
        """Return how many bins to make for groups of this size."""
        if self.number is None:
            return min(math.isqrt(users), users // (_GROUPS_A_BIN * size))
        return min(self.number, users // size)

    def find_centers(self, space: Space, wanted: int, generator: np.random.Generator) -> np.ndarray:
        """Return rows to be centers, as many as are wanted or, where clusters are larger than need be, fewer."""
        if self.centers == "drawn":
            return space.rows(generator.choice(len(space), wanted, replace=False))
        count = min(self.sample * wanted, len(space))
        rows = space.rows(generator.choice(len(space), count, replace=False))
        labels = space.clusters(rows, max(count // wanted, 1), generator)
        means = group_means(rows, labels).astype(np.float32)
        if self.centers == "virtual":
            return means
        return np.stack([_nearest_member(space, rows[labels == label], mean) for label, mean in enumerate(means)])


def nearest_bins(space: Space, centers: np.ndarray) -> np.ndarray:
    """Return the bin of each user, which is the number of the nearest center."""
    size = max(_NUMBERS // max(space.width, 1), 1)
    users = np.arange(len(space))
    blocks = [space.nearest(space.rows(users[start : start + size]), centers) for start in range(0, len(users), size)]
    return np.concatenate(blocks) if blocks else users


def merge_small(
    nearest: np.ndarray, centers: np.ndarray, size: int, closest: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """Merge bins that are too small, smallest first, with the remaining one whose center is nearest."""
    counts = np.bincount(nearest, minlength=len(centers))
    goes_to = np.arange(len(centers))
    for small in np.argsort(counts, kind="stable"):
        if counts[small] >= size:
            continue
        counts[small], moving = 0, counts[small]
        left = np.flatnonzero(counts)
        target = left[closest(centers[small : small + 1], centers[left])[0]]
        goes_to[goes_to == small] = target
        counts[target] += moving
    return goes_to[nearest]


def check_size(users: int, size: int) -> None:
    """Refuse groups that cannot be made."""
    if size < 1:
        raise ValueError("a group has at least one member")
    if users < size:
        raise GuaranteeError(f"There are {users} users, and a group needs at least {size}.", "Ask for less.")


def _nearest_member(space: Space, rows: np.ndarray, mean: np.ndarray) -> np.ndarray:
    return rows[space.apart(rows, mean[None])[:, 0].argmin()]
