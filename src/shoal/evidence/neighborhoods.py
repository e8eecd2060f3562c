"""Evidence on ratings: neighborhoods of records, partitions into near records, and shared sets of items."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.data import Scale

from .grouping import Grouping

__all__ = ["Neighborhoods", "ProximatePartition", "RatingMoments", "SharedItemSets"]


@dataclass(frozen=True, eq=False, repr=False)
class RatingMoments:
    """For each of n sets of records and each of q sensitive items: how many rated it, and the sums of their ratings.

    Ratings are counted as codes, in steps above the lowest of the scale, so that every number is whole. They are enough
    for every reading of the standard deviation, and those of disjoint sets add.
    """

    scale: Scale
    sizes: np.ndarray
    """How many records each set has: int64, n."""
    given: np.ndarray
    """How many of them rated each item: int64, n × q."""
    sums: np.ndarray
    """The sum of their codes: int64, n × q."""
    squares: np.ndarray
    """The sum of the squares of their codes: int64, n × q."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == self.given.dtype == self.sums.dtype == self.squares.dtype == np.int64
        assert self.given.shape == self.sums.shape == self.squares.shape
        assert len(self.sizes) == len(self.given)

    @classmethod
    def of_columns(cls, scale: Scale, columns: np.ndarray) -> "RatingMoments":
        """Take sizes, and by item the numbers, sums and sums of squares of ratings, from the columns of one array."""
        q = (columns.shape[1] - 1) // 3
        given, sums, squares = (columns[:, 1 + i * q : 1 + (i + 1) * q] for i in range(3))
        return cls(scale, columns[:, 0], given, sums, squares)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"RatingMoments({len(self):,} sets × {self.given.shape[1]:,} items)"

    def take(self, rows: np.ndarray) -> "RatingMoments":
        """Return these sets in this order."""
        return RatingMoments(self.scale, self.sizes[rows], self.given[rows], self.sums[rows], self.squares[rows])


@dataclass(frozen=True, eq=False, repr=False)
class Neighborhoods:
    """For each record, how many *other* records are within ε of it, and how sensitive ratings spread among them.

    Where not all others were asked for, numbers stop at ``enough`` or at the smallest number of all, whichever is more:
    what is below that is exact, and so is the smallest.
    """

    epsilon: Fraction
    others: np.ndarray
    """int64, one entry a record."""
    moments: RatingMoments | None = None
    """The sensitive ratings of each record and all others within ε of it; None unless asked for."""
    times: np.ndarray | None = None
    """How many records each entry stands for, where equal ones are counted together: int64. None: one each."""

    def __post_init__(self) -> None:
        assert self.others.dtype == np.int64
        assert self.moments is None or len(self.moments) == len(self.others)
        assert self.times is None or len(self.times) == len(self.others)

    def __len__(self) -> int:
        return len(self.others)

    def __repr__(self) -> str:
        return f"Neighborhoods({len(self):,} records)"

    def take(self, rows: np.ndarray) -> "Neighborhoods":
        """Return the neighborhoods of these records, in this order."""
        moments = None if self.moments is None else self.moments.take(rows)
        return Neighborhoods(self.epsilon, self.others[rows], moments, None if self.times is None else self.times[rows])

    def count(self, chosen: np.ndarray) -> int:
        """Return how many records the chosen entries stand for."""
        return int(np.count_nonzero(chosen)) if self.times is None else int(self.times[chosen].sum())


@dataclass(frozen=True, eq=False, repr=False)
class ProximatePartition:
    """The best split of the records that was found, and who was left over at the size that was asked for."""

    epsilon: Fraction
    left_over: np.ndarray
    """Mask of the records for which no group of the size and spread asked for was found."""
    best: Grouping
    """Groups, pairwise within ε, the smallest of which is as large as could be found, and spread as asked if any is."""
    moments: RatingMoments
    """Sizes and sensitive ratings of the groups of the best split."""
    proven: bool
    """Whether it is certain that nothing better exists than what was found for the size asked for."""

    def __post_init__(self) -> None:
        assert len(self.left_over) == len(self.best)
        assert len(self.moments) == self.best.n_groups

    def __len__(self) -> int:
        return len(self.best)

    def __repr__(self) -> str:
        return f"ProximatePartition({len(self):,} records in {self.best.n_groups:,} groups)"


@dataclass(frozen=True, eq=False, repr=False)
class SharedItemSets:
    """For each group of equal profiles, how many groups, or people, hold the rarest set of a few of its items.

    The empty set is one of them, and everybody holds it. Numbers stop at what was asked for as enough or at the
    smallest number of all, whichever is more: what is below that is exact, and so is the smallest.
    """

    items: int
    sizes: np.ndarray
    """Records in each group: int64."""
    fewest: np.ndarray
    """How many groups hold the set that the fewest do, or how many people, itself included: int64."""
    people: bool = False
    """Whether people were counted, and not groups."""

    def __post_init__(self) -> None:
        assert self.sizes.dtype == self.fewest.dtype == np.int64
        assert len(self.sizes) == len(self.fewest)

    def __len__(self) -> int:
        return len(self.sizes)

    def __repr__(self) -> str:
        return f"SharedItemSets({len(self):,} groups, sets of up to {self.items:,} items)"
