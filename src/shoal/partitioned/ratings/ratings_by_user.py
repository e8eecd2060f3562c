"""Users numbered in the order of their names, as they are in memory: for methods, which keep factors of each.

The name of each user, how many ratings each gave and what is drawn for each are here, as long as memory allows. Nothing
is that has an entry a rating.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.errors import DataError

from .profiles import NAME, PROFILE, USER, PackedRows, ProfileLayout
from .ratings import PartitionedRatings
from .side_rows import Side

__all__ = ["RatingsByUser", "ratings_by_user", "refuse_too_many_users"]


@dataclass(frozen=True, eq=False, repr=False)
class RatingsByUser:
    """Ratings in rows of users, each with its number."""

    partitioned: PartitionedRatings
    """The same ratings, as promises are judged on them."""
    users: pl.Series
    """The names of users, ascending: the number of a user is a place in it."""
    lengths: np.ndarray
    """How many ratings each user gave: int64."""
    rows: Partitions
    """A row a user, laid out as ``side`` says."""

    def __len__(self) -> int:
        return len(self.users)

    def __repr__(self) -> str:
        return f"RatingsByUser({len(self):,} users × {len(self.items):,} items)"

    @property
    def side(self) -> Side:
        """What the rows mean."""
        return Side(len(self.items), self.scale)

    @property
    def items(self) -> Vocabulary:
        """All items, the sensitive ones last."""
        return self.partitioned.items

    @property
    def n_observable(self) -> int:
        """How many items are not sensitive."""
        return self.partitioned.layout.n_observable

    @property
    def scale(self) -> Scale:
        """The scale that ratings are given on."""
        return self.partitioned.scale

    @property
    def n_ratings(self) -> int:
        """How many ratings there are."""
        return int(self.lengths.sum())

    @property
    def backend(self) -> Backend:
        """Where they are."""
        return self.partitioned.backend


_USER_BYTES = 120
"""How much memory a user takes from being numbered to being published, in bytes."""


def refuse_too_many_users(ratings: PartitionedRatings) -> None:
    """Refuse more users than can be numbered in the memory of this process."""
    needed, allowed = len(ratings) * _USER_BYTES, ratings.backend.memory
    if needed > allowed:
        raise DataError(
            f"To number {len(ratings):,} users takes about {needed >> 20:,} MiB, more than the {allowed >> 20:,} MiB "
            "that may be used.",
            "Allow more with --memory.",
        )


def ratings_by_user(ratings: PartitionedRatings) -> RatingsByUser:
    """Number the users of ratings."""
    layout, backend = ratings.layout, ratings.backend
    name = NAME if layout.names else USER
    columns: Columns = {name: layout.who[name], _LENGTH: pl.Int64()}
    found = ratings.rows.map_batches(_Who(name), columns).collect("numbering users")
    if not layout.names:
        found = found.with_columns(pl.Series(USER, found[USER].to_numpy().view(np.int64)))
    found = found.sort(name)
    side = Side(len(ratings.items), ratings.scale)
    numbering = _Number(layout, side, backend.shared(found[name]))
    rows = ratings.rows.map_partitions(numbering, side.columns).persist("numbering users")
    return RatingsByUser(ratings, found[name].rename("user"), found[_LENGTH].to_numpy(), rows)


_LENGTH = "length"


@dataclass(frozen=True)
class _Who:
    """Returns who the users are, and how many ratings each gave."""

    name: str

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.select(self.name, pl.col(PROFILE).list.len().cast(pl.Int64).alias(_LENGTH))


@dataclass(frozen=True)
class _Number:
    """Returns the ratings of users with their numbers."""

    layout: ProfileLayout
    side: Side
    users: Shared[pl.Series]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        packed, points = PackedRows.of(rows[PROFILE]), self.layout.scale.points
        items = packed.values // packed.values.dtype.type(points)
        codes = (packed.values - items * packed.values.dtype.type(points)).astype(self.layout.scale.dtype)
        others = Vocabulary.numbered(self.side.n_others)
        matrix = RatingMatrix(others, packed.begins, items.astype(np.int32), codes)
        return self.side.rows(self._numbers(rows), matrix)

    def _numbers(self, rows: pl.DataFrame) -> np.ndarray:
        users = self.users.value
        if self.layout.names:
            return users.search_sorted(rows[NAME]).to_numpy()
        return np.searchsorted(users.to_numpy(), rows[USER].to_numpy().view(np.int64))
