"""Records as sets of items, the rarest item first, and for each item the records that hold it."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels.matching.set_support import column_support, ranked_rows

from .rating_matrix import RatingMatrix

__all__ = ["RankedRows"]


@dataclass(frozen=True, eq=False, repr=False)
class RankedRows:
    """Some records of a matrix, their items replaced by ranks: 0 is the item that the fewest people hold.

    Items that are equally common are in the order of their codes. What is stored is where things are: an entry of a
    record is a place, and the ranks of a record ascend from its first place to its last.
    """

    starts: np.ndarray
    """Where each record starts: int64, one more than there are records."""
    ranks: np.ndarray
    """The rank at every place: int32."""
    row_of: np.ndarray
    """The record of every place: int32."""
    begins: np.ndarray
    """Where the places of each rank begin in ``places``: int64, one more than there are items."""
    places: np.ndarray
    """The places of the ranks, one rank after the other: int64."""
    weights: np.ndarray
    """How many people each record stands for: int64."""
    support: np.ndarray
    """How many people hold the item of each rank: int64."""
    items: np.ndarray
    """The code of the item of each rank."""

    @classmethod
    def of(cls, matrix: RatingMatrix, rows: np.ndarray, weights: np.ndarray, items: np.ndarray | None = None) -> Self:
        """Take some rows of a matrix, each standing for a number of people; ``items`` is another order of ranks."""
        people, holders = column_support(matrix.indptr, matrix.indices, rows, weights, len(matrix.items))
        items = np.argsort(people, kind="stable") if items is None else items
        rank = _inverse(items)
        begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(holders[items])])
        starts, ranks, row_of, places = ranked_rows(matrix.indptr, matrix.indices, rows, rank, begins)
        return cls(starts, ranks, row_of, begins, places, weights, people[items], items)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"RankedRows({len(self):,} records, {len(self.ranks):,} entries)"

    @property
    def rank(self) -> np.ndarray:
        """The rank of each item, by its code: int32."""
        return _inverse(self.items)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What kernels walk along."""
        return self.starts, self.ranks, self.row_of, self.begins, self.places

    def spans(self, n: int) -> Iterator[tuple[int, int]]:
        """Return about n spans of ranks with about equally many entries."""
        shares = np.linspace(0, len(self.places), n + 1)[1:-1]
        inner = np.searchsorted(self.begins, shares)
        borders = np.unique(np.concatenate([[0], inner, [len(self.begins) - 1]]))
        return itertools.pairwise(borders.tolist())


def _inverse(order: np.ndarray) -> np.ndarray:
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places
