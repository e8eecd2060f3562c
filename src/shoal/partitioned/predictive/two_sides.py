"""The ratings that factors are fitted to, twice: by user and by item.

What is fitted to a user needs all ratings of that user, and what is fitted to an item all of its own. So both orders
are kept, each in partitions of whole users or whole items, as both are in memory. No item has more ratings than there
are users, and what has an entry a user is here anyway.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.anonymizers.predictive.profile_items import LeftOut
from shoal.backends import Columns, Partitions
from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser
from shoal.partitioned.ratings.side_rows import NUMBER, OTHERS, Side, rows_for_bytes

__all__ = ["ItemSums", "TwoSides", "item_sums", "two_sides"]

_KEY = "key"
_RATING_BYTES = 16
"""What a rating takes while those of an item are brought together and sorted, in bytes."""


@dataclass(frozen=True, eq=False)
class ItemSums:
    """What is known of each item: arrays of int64 with an entry an item."""

    raters: np.ndarray
    codes: np.ndarray
    """The sum of the codes of its ratings."""
    lowest: np.ndarray
    """How many of its ratings are at the lower end of the scale."""
    highest: np.ndarray

    def left_out(self, kept: np.ndarray) -> LeftOut:
        """Return what is left out if these items are kept."""
        n, ratings = len(self.raters), int(self.raters.sum())
        revealed = any(each.sum() and not each[kept].sum() for each in (self.lowest, self.highest))
        return LeftOut(n - len(kept), n, ratings - int(self.raters[kept].sum()), ratings, revealed)


def item_sums(ratings: RatingsByUser) -> ItemSums:
    """Look at all ratings once, and add up what is needed of each item."""
    found = ratings.rows.map_partitions(_AddUp(ratings.side), _SUMS).collect("counting raters")
    sums = np.zeros((len(_SUMS) - 1, len(ratings.items)), np.int64)
    for line, name in zip(sums, list(_SUMS)[1:], strict=True):
        np.add.at(line, found["item"].to_numpy(), found[name].to_numpy())
    return ItemSums(*sums)


_SUMS: Columns = dict.fromkeys(("item", "raters", "codes", "lowest", "highest"), pl.Int64())


@dataclass(frozen=True)
class _AddUp:
    side: Side

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        matrix, n = self.side.matrix(rows), self.side.n_others
        codes, ends = matrix.codes, (0, self.side.scale.points - 1)
        counted = [np.bincount(matrix.indices[codes == end], minlength=n) for end in ends]
        totals = np.bincount(matrix.indices, codes, minlength=n)  # below 2⁵³: exact
        sums = {"item": np.arange(n), "raters": matrix.raters, "codes": totals, "lowest": counted[0]}
        found = pl.DataFrame({**sums, "highest": counted[1]}).filter(pl.col("raters") > 0)
        return found.select(pl.col(name).cast(dtype) for name, dtype in _SUMS.items())


@dataclass(frozen=True, eq=False)
class TwoSides:
    """The ratings of some items by all users: rows of users, and rows of items."""

    by_user: Partitions
    by_item: Partitions
    n_users: int
    n_items: int
    scale: Scale
    begins: np.ndarray
    """Where the ratings of each user would begin if all were in memory, in the order of users."""

    @property
    def n_ratings(self) -> int:
        """How many ratings there are."""
        return int(self.begins[-1])

    @property
    def of_users(self) -> Side:
        """What rows of users mean."""
        return Side(self.n_items, self.scale)

    @property
    def of_items(self) -> Side:
        """What rows of items mean."""
        return Side(self.n_users, self.scale)

    def no_ratings(self) -> RatingMatrix:
        """Return as many users, without their ratings."""
        return RatingMatrix.empty(self.n_users, self.scale.dtype)


def two_sides(ratings: RatingsByUser, items: np.ndarray) -> TwoSides:
    """Return the ratings of these items, by user and by item."""
    by_user, lengths = ratings.rows, ratings.lengths
    if len(items) < len(ratings.items):
        chosen = Side(len(items), ratings.scale)
        choosing = _Choose(ratings.side, chosen, items)
        by_user = by_user.map_partitions(choosing, chosen.columns).persist("leaving out rare items")
        lengths = _lengths(by_user, len(ratings))
    begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    n_users, n_items, scale = len(ratings), len(items), ratings.scale
    turned, columns = Side(n_users, scale), {_KEY: pl.UInt64(), **Side(n_users, scale).columns}
    by_item = by_user.map_partitions(_Turn(Side(n_items, scale), turned), columns)
    size = rows_for_bytes(float(begins[-1]) * _RATING_BYTES, columns)
    together = by_item.shuffle(_KEY, size, "sorting ratings by item")
    by_item = together.map_partitions(_Join(turned), turned.columns).persist("sorting ratings by item")
    return TwoSides(by_user, by_item, n_users, n_items, scale, begins)


@dataclass(frozen=True)
class _Choose:
    """Keeps the ratings of some items, under their new numbers; every user is still there."""

    before: Side
    after: Side
    items: np.ndarray

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self.after.rows(rows[NUMBER].to_numpy(), self.before.matrix(rows).of_items(self.items))


def _lengths(by_user: Partitions, n_users: int) -> np.ndarray:
    found = by_user.map_batches(_length, _LENGTHS).collect("counting ratings")
    lengths = np.zeros(n_users, np.int64)
    lengths[found[NUMBER].to_numpy()] = found["length"].to_numpy()
    return lengths


_LENGTHS: Columns = {NUMBER: pl.UInt32(), "length": pl.Int64()}


def _length(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(NUMBER, pl.col(OTHERS).list.len().cast(pl.Int64).alias("length"))


@dataclass(frozen=True)
class _Turn:
    """Turns the rows of some users into rows of items, each with those raters."""

    before: Side
    after: Side

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        rows = rows.sort(NUMBER)
        by_item = self.before.matrix(rows).by_item()
        users = rows[NUMBER].to_numpy()[by_item.indices].astype(np.int32)
        turned = RatingMatrix(Vocabulary.numbered(self.after.n_others), by_item.indptr, users, by_item.codes)
        made = self.after.rows(np.arange(len(by_item)), turned).filter(pl.col(OTHERS).list.len() > 0)
        return made.select(pl.col(NUMBER).cast(pl.UInt64).alias(_KEY), *made.columns)


@dataclass(frozen=True)
class _Join:
    """Joins the rows of each item, whose raters come from several partitions."""

    side: Side

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self.side.joined(rows.select(*self.side.columns))
