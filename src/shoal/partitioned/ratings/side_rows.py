"""Ratings in compressed rows, as rows of frames: a row is a user with all items rated, or an item with all its raters.

What is computed for a user, or for an item, needs all its ratings and no others, so whole ones lie together. In lists
a rating takes as few bytes as in memory, and is read back without being sorted again.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns
from shoal.backends.division import row_bytes
from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.errors import DataError
from shoal.partitioned.coded_columns import code_type

__all__ = ["CODES", "NUMBER", "OTHERS", "Side", "rows_for_bytes"]

NUMBER, OTHERS, CODES = "number", "others", "codes"


@dataclass(frozen=True)
class Side:
    """What rows of one side mean: users with items, or items with users."""

    n_others: int
    """How many there are on the other side."""
    scale: Scale

    @property
    def columns(self) -> Columns:
        """The columns of rows: the number of the user or item, and lists of the others and of codes."""
        codes = code_type(self.scale.points)
        return {NUMBER: pl.UInt32(), OTHERS: pl.List(code_type(self.n_others)), CODES: pl.List(codes)}

    def matrix(self, rows: pl.DataFrame) -> RatingMatrix:
        """Return the ratings of rows, in their order."""
        indptr = np.zeros(rows.height + 1, np.int64)
        np.cumsum(rows[OTHERS].list.len().to_numpy(), out=indptr[1:])
        others, codes = rows[OTHERS].explode().to_numpy(), rows[CODES].explode().to_numpy()
        n = int(indptr[-1])  # rows without any rating have nothing to explode
        indices, codes = others[:n].astype(np.int32), codes[:n].astype(self.scale.dtype)
        return RatingMatrix(Vocabulary.numbered(self.n_others), indptr, indices, codes)

    def rows(self, numbers: np.ndarray, matrix: RatingMatrix) -> pl.DataFrame:
        """Return rows of ratings, each of which is the number that is given for it."""
        lengths = np.diff(matrix.indptr)
        some = np.flatnonzero(lengths)
        places = pl.Series("place", np.repeat(np.arange(len(some), dtype=np.uint32), lengths[some])).set_sorted()
        others, codes = (self.columns[name].inner for name in (OTHERS, CODES))  # type: ignore[attr-defined]
        entries = [pl.Series(OTHERS, matrix.indices).cast(others), pl.Series(CODES, matrix.codes).cast(codes)]
        # places are sorted, so that no table of them is needed
        rated = pl.DataFrame([places, *entries]).group_by("place", maintain_order=True).agg(OTHERS, CODES)
        silent = numbers[lengths == 0]
        empty: list[list[int]] = [[]] * len(silent)
        made = [
            rated.select(pl.Series(NUMBER, numbers[some]).cast(pl.UInt32), OTHERS, CODES),
            pl.DataFrame({NUMBER: silent, OTHERS: empty, CODES: empty}, schema=dict(self.columns)),
        ]
        return pl.concat(made)

    def joined(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return one row for each number, of which there may be several rows; in it, others ascend."""
        rows = rows.sort(NUMBER)
        numbers, firsts, again = np.unique(rows[NUMBER].to_numpy(), return_index=True, return_inverse=True)
        matrix, points = self.matrix(rows), self.scale.points
        if len(numbers) * self.n_others * points >= 1 << 64:
            raise DataError("There are too many users, items and points of the scale to be numbered together.")
        of = np.repeat(again.astype(np.uint64), np.diff(matrix.indptr))
        # as one number each they are sorted many times as fast as in three columns, and long runs are in order
        packed = (of * np.uint64(self.n_others) + matrix.indices.view(np.uint32)) * np.uint64(points) + matrix.codes
        packed.sort(kind="stable")
        others, codes = np.divmod(packed, np.uint64(points))
        others -= of * np.uint64(self.n_others)
        indptr = np.append(matrix.indptr[firsts], matrix.n_ratings)
        return self.rows(
            numbers, RatingMatrix(matrix.items, indptr, others.astype(np.int32), codes.astype(self.scale.dtype))
        )


def rows_for_bytes(n_bytes: float, columns: Columns) -> int:
    """Return how many rows of these columns are taken to have so many bytes: lists have no size of their own."""
    return int(n_bytes / row_bytes(columns)) + 1
