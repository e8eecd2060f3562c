"""What an engine can do."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Protocol, TypeVar, runtime_checkable

from shoal.data import Records
from shoal.evidence import (
    GroupCounts,
    Grouping,
    NeedItemSets,
    NeedPartition,
    Neighbourhoods,
    ProximatePartition,
    SharedItemSets,
)

__all__ = ["Engine"]

Block = TypeVar("Block")
Result = TypeVar("Result")


@runtime_checkable
class Engine(Protocol):
    """Computes evidence somewhere: in this process, or elsewhere. Every engine gives the same numbers."""

    def group(self, records: Records) -> Grouping:
        """Put records with equal observable parts into one group."""
        ...

    def count(self, records: Records, grouping: Grouping, *, sensitive: bool) -> GroupCounts:
        """Count the records of each group and, if asked, their sensitive values."""
        ...

    def neighbours(
        self, records: Records, epsilon: Fraction, *, enough: int | None = None, sensitive: bool = False
    ) -> Neighbourhoods:
        """Count the other records within ε of each record and, if asked, add up the sensitive ratings among them.

        With ``enough``, numbers are cut off at that number or at the smallest of all, whichever is more.
        """
        ...

    def partition(self, records: Records, need: NeedPartition) -> ProximatePartition:
        """Look for a split of the records into groups that are pairwise within ε, as large and spread as asked."""
        ...

    def item_sets(self, records: Records, grouping: Grouping, need: NeedItemSets) -> SharedItemSets:
        """Count, for each group of equal records, the groups that hold the rarest set of a few of its items.

        Numbers are cut off at what is enough or at the smallest of all, whichever is more.
        """
        ...

    def map_blocks(self, function: Callable[[Block], Result], blocks: Iterable[Block]) -> list[Result]:
        """Apply a function to blocks, side by side where that helps; results in the order of the blocks."""
        ...
