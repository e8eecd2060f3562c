"""A sparse block of ratings: records × items."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from shoal.kernels.compiled import get_num_threads
from shoal.kernels.compressed_rows import rows_of_columns, take_columns, take_rows

from .vocabulary import Vocabulary

__all__ = ["RatingMatrix"]

_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False, repr=False)
class RatingMatrix:
    """Ratings by record in compressed rows; within a row, items ascend and none occurs twice.

    What is not stored is null. Code 0 is a rating like any other.
    """

    items: Vocabulary
    indptr: np.ndarray
    """Where each record's ratings begin: int64, one more than there are records."""
    indices: np.ndarray
    """The item of each rating: int32."""
    codes: np.ndarray
    """The rating as a code of the scale: unsigned."""

    def __post_init__(self) -> None:
        assert self.indptr.dtype == np.int64
        assert self.indices.dtype == np.int32
        assert self.codes.dtype.kind == "u"
        assert len(self.indices) == len(self.codes) == self.indptr[-1]
        for array in (self.indptr, self.indices, self.codes):
            array.flags.writeable = False

    @classmethod
    def empty(cls, n_records: int, dtype: type[np.unsignedinteger] = np.uint8) -> Self:
        """Return a block without items."""
        return cls(Vocabulary.numbered(0), np.zeros(n_records + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, dtype))

    @classmethod
    def from_dense(cls, items: Vocabulary, codes: np.ndarray, dtype: type[np.unsignedinteger] = np.uint8) -> Self:
        """Build from a records × items array of codes in which −1 is null."""
        assert codes.shape[1] == len(items)
        given = codes >= 0
        indptr = np.zeros(len(codes) + 1, np.int64)
        np.cumsum(given.sum(axis=1), out=indptr[1:])
        return cls(items, indptr, np.nonzero(given)[1].astype(np.int32), codes[given].astype(dtype))

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        return f"RatingMatrix({len(self):,} records × {len(self.items):,} items, {self.n_ratings:,} ratings)"

    @property
    def n_ratings(self) -> int:
        """How many ratings are given."""
        return len(self.indices)

    @property
    def is_complete(self) -> bool:
        """Whether every record rates every item."""
        return self.n_ratings == len(self) * len(self.items)

    @property
    def items_of_all(self) -> np.ndarray | None:
        """The items that every record rates, if no record rates any other; None where records differ in that."""
        width = int(self.indptr[1]) if len(self) else 0
        if not width or self.n_ratings != len(self) * width or (np.diff(self.indptr) != width).any():
            return None
        first, rows = self.indices[:width], self.indices.reshape(-1, width)
        size = max(_BLOCK // width, 1)
        same = all((rows[start : start + size] == first).all() for start in range(0, len(rows), size))
        return first if same else None

    def by_item(self) -> "RatingMatrix":
        """Return the same ratings with a row for each item; the records are its items, numbered."""
        compressed = self.indptr, self.indices, self.codes
        rows = rows_of_columns(*compressed, 0, len(self), len(self.items), get_num_threads())
        return RatingMatrix(Vocabulary.numbered(len(self)), *rows)

    def take(self, rows: np.ndarray) -> Self:
        """Return these records in this order."""
        if self.is_complete and len(rows) <= len(self):
            return self._taken_complete(rows)
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(self.indptr)[rows])])
        taken = take_rows(self.indptr, self.indices, self.codes, np.asarray(rows, np.int64), indptr)
        return type(self)(self.items, indptr, *taken)

    def of_items(self, items: np.ndarray) -> "RatingMatrix":
        """Return the ratings of these items, given as ascending numbers; every record is still there."""
        if len(items) == len(self.items):
            return self
        place = np.full(len(self.items), -1, np.int32)
        place[items] = np.arange(len(items))
        return RatingMatrix(self.items.select(items), *take_columns(self.indptr, self.indices, self.codes, place))

    @property
    def raters(self) -> np.ndarray:
        """How many records rate each item."""
        counts = np.zeros(len(self.items), np.int64)
        for start in range(0, self.n_ratings, _BLOCK):  # in blocks, because counting widens what it counts
            counts += np.bincount(self.indices[start : start + _BLOCK], minlength=len(self.items))
        return counts

    def _taken_complete(self, rows: np.ndarray) -> Self:
        """Return records that all rate everything: what they rate is the same in any order, and need not be copied."""
        width = len(self.items)
        codes = self.codes.reshape(len(self), width)[rows].reshape(-1)
        return type(self)(self.items, self.indptr[: len(rows) + 1], self.indices[: len(rows) * width], codes)

    def over(self, items: Vocabulary) -> Self:
        """Return the same ratings over a vocabulary that holds all items of this one, whatever their order or type."""
        wanted = Vocabulary(items.values.cast(pl.String))
        place = wanted.codes(self.items.values.cast(pl.String))
        assert (place >= 0).all(), "every item is in the wider vocabulary"
        shape = (len(self), max(len(items), 1))
        from scipy.sparse import csr_array

        moved = csr_array((self.codes.copy(), place[self.indices], self.indptr), shape=shape)  # sorted in place
        moved.sort_indices()
        return type(self)(
            items, moved.indptr.astype(np.int64), moved.indices.astype(np.int32, copy=False), np.asarray(moved.data)
        )

    def joined(self, items: Vocabulary, place: np.ndarray) -> Self:
        """Return sets with each item replaced by the one in its place, −1 for none; equal ones are there once."""
        assert not self.codes.any(), "only sets have nothing but presence to join"
        from scipy.sparse import csr_array

        places = place[self.indices]
        kept = places >= 0
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[self.indptr]
        shape = (len(self), max(len(items), 1))
        moved = csr_array((np.zeros(int(indptr[-1]), self.codes.dtype), places[kept], indptr), shape=shape)
        moved.sum_duplicates()
        return type(self)(
            items, moved.indptr.astype(np.int64), moved.indices.astype(np.int32, copy=False), np.asarray(moved.data)
        )

    def dense(self) -> np.ndarray:
        """Return a records × items array of codes with −1 for null: for small data only."""
        out = np.full((len(self), len(self.items)), -1, np.int32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        out[rows, self.indices] = self.codes
        return out
