"""The protocol of engines: which evidence an engine computes."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from shoal.data import Ratings, Records
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedItemSets,
    NeedPartition,
    Neighborhoods,
    ProximatePartition,
    SharedItemSets,
)

__all__ = ["Engine", "rating_amounts"]


Block = TypeVar("Block")
Result = TypeVar("Result")


@runtime_checkable
class Engine(Protocol):
    """Computes evidence somewhere: in this process, or elsewhere. Every engine returns the same numbers."""

    def group(self, records: Records) -> Grouping:
        """Put records with equal observable parts into one group."""
        ...

    def count(self, records: Records, grouping: Grouping, *, sensitive: bool) -> GroupCounts:
        """Count the records of each group and, if asked, their sensitive values."""
        ...

    def neighbors(
        self, records: Records, epsilon: Fraction, *, enough: int | None = None, sensitive: bool = False
    ) -> Neighborhoods:
        """Count the other records within ε of each record and, if asked, add up the sensitive ratings among them.

        With ``enough``, numbers are cut off at that number or at the smallest of all, whichever is more.
        """
        ...

    def partition(self, records: Records, need: NeedPartition) -> ProximatePartition:
        """Search for a split of the records into groups that are pairwise within ε, as large and spread as asked."""
        ...

    def item_sets(self, records: Records, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        """Count, for each group of equal records, the groups or people that hold the rarest set of a few of its items.

        Numbers are cut off at ``need.enough`` or at the smallest of all, whichever is more.
        """
        ...

    def map_blocks(self, function: Callable[[Block], Result], blocks: Iterable[Block]) -> list[Result]:
        """Apply a function to blocks, side by side where that helps; results in the order of the blocks."""
        ...


def rating_amounts(ratings: Ratings, *, sensitive: bool) -> np.ndarray:
    """Return the people each record stands for; then, by sensitive item, whether it was rated, the code, its square.

    Items that nobody rated are left out: they add nothing, and most files do not even name them.
    """
    rated, columns = np.unique(ratings.sensitive.indices, return_inverse=True)
    items = len(rated) if sensitive else 0
    amounts = np.zeros((len(ratings), 1 + 3 * items), np.int64)
    amounts[:, 0] = 1 if ratings.people is None else ratings.people
    if sensitive:
        matrix = ratings.sensitive
        rows = np.repeat(np.arange(len(ratings)), np.diff(matrix.indptr))
        codes = matrix.codes.astype(np.int64)
        for kind, values in enumerate((np.ones_like(codes), codes, codes * codes)):
            amounts[rows, 1 + kind * items + columns] = values
    return amounts
