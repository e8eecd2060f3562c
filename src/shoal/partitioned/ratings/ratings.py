"""Ratings that are not in memory: the items are here, the profiles of users wherever they are kept."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions
from shoal.data import Ratings, Scale, Vocabulary
from shoal.errors import InternalError
from shoal.io.ratings.compressed import refuse_repeats
from shoal.partitioned.table import InMemory

from .profiles import PROFILE, USER, PackedRows, ProfileLayout, list_rows, lists_of, profiles_of
from .user_keys import longest_of, said_of, user_keys

__all__ = ["PartitionedRatings", "described_ratings", "partitioned_ratings"]


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedRatings:
    """Users × items; each user is one row of one partition."""

    kind: ClassVar[str] = "ratings"

    layout: ProfileLayout
    items: Vocabulary
    """All items, the sensitive ones last."""
    rows: Partitions
    """A row a user: a number, or the hash of a name and the name, and the profile."""
    keys: Partitions
    """What distinguishes profiles, and how many users have each: see :mod:`.user_keys`."""
    n_ratings: int
    n_people: int
    rated: np.ndarray
    """The sensitive items that anybody rated, by their places among the sensitive ones."""
    backend: Backend
    notes: tuple[str, ...] = ()
    """What was understood of the file, in sentences."""
    brought_together: dict[object, object] = field(default_factory=dict)
    """The users who rated alike, where they were brought together before: see :mod:`.shared_profiles`."""

    def __len__(self) -> int:
        return self.n_people

    def __repr__(self) -> str:
        return f"PartitionedRatings({self.n_people:,} users × {self.layout.n_items:,} items)"

    @property
    def stated(self) -> None:
        """Everybody has one record."""
        return

    @property
    def scale(self) -> Scale:
        """The scale that ratings are given on."""
        return self.layout.scale

    @property
    def is_sets(self) -> bool:
        """Whether these are sets of items."""
        return self.scale.points == 1

    @property
    def has_observable(self) -> bool:
        """Whether any item is not sensitive."""
        return self.layout.n_observable > 0

    @property
    def has_sensitive(self) -> bool:
        """Whether any item is sensitive."""
        return self.layout.n_observable < self.layout.n_items

    def take(self, rows: np.ndarray) -> Self:  # noqa: ARG002 - of all records
        """Refuse: records that are elsewhere have no numbers here."""
        raise InternalError("Records that are not in memory cannot be chosen by their numbers.")

    @cached_property
    def longest(self) -> int:
        """The most observable items that anybody rated."""
        return longest_of(self.keys)

    @property
    def rate_the_same(self) -> bool:
        """Whether everybody rated the same observable items."""
        return self._rate_the_same

    @cached_property
    def _rate_the_same(self) -> bool:
        found = self.rows.map_partitions(_Pattern(self.layout), _PATTERN).collect("comparing which items are rated")
        return found["same"].all() and found["items"].n_unique() <= 1


_PATTERN: Columns = {"same": pl.Boolean(), "items": pl.Binary()}


@dataclass(frozen=True)
class _Pattern:
    """Says whether the users of a partition rated the same items, and which the first of them did."""

    layout: ProfileLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_PATTERN))
        ratings = self.layout.ratings(rows)
        first = ratings.observable.indices[: ratings.observable.indptr[1]]
        return pl.DataFrame({"same": [ratings.rate_the_same], "items": [first.tobytes()]}, schema=dict(_PATTERN))


def described_ratings(
    rows: Partitions,
    layout: ProfileLayout,
    items: Vocabulary,
    n_ratings: int,
    n_rows: int,
    backend: Backend,
    notes: tuple[str, ...] = (),
) -> PartitionedRatings:
    """Return ratings of rows that hold one rating or several of a user; repeated ones are refused."""
    profiles = profiles_of(rows, layout, n_ratings, n_rows)
    keys = user_keys(profiles, layout, n_rows)
    said = said_of(keys)
    refuse_repeats(said.repeats)
    return PartitionedRatings(layout, items, profiles, keys, said.n_ratings, said.n_users, said.rated, backend, notes)


def partitioned_ratings(ratings: Ratings, backend: Backend, *, in_runs: bool = False) -> PartitionedRatings:
    """Return ratings in memory as some that are not: for tests, which compare the two."""
    n_observable, n_sensitive = len(ratings.observable.items), len(ratings.sensitive.items)
    layout = ProfileLayout(n_observable, n_observable + n_sensitive, ratings.scale)
    names = pl.concat([side.items.values.cast(pl.String) for side in (ratings.observable, ratings.sensitive)])
    rows = _flat(layout, ratings) if not in_runs else _runs(layout, ratings)
    scanned = backend.scan(InMemory(rows.sample(fraction=1, shuffle=True, seed=1), "the ratings"), *rows.columns)
    size = max(rows.height, list_rows(ratings.n_ratings, rows.schema, layout.width))
    return described_ratings(scanned, layout, Vocabulary(names), ratings.n_ratings, size, backend)


def _runs(layout: ProfileLayout, ratings: Ratings) -> pl.DataFrame:
    """Return a row for each of two parts of a profile."""
    packed = layout.packed_rows(ratings)
    halves = packed.lengths // 2
    first = lists_of(packed.cut(halves))
    whole = pl.DataFrame({USER: np.arange(len(packed), dtype=np.uint64), PROFILE: lists_of(packed)})
    rest = whole.with_columns(pl.col(PROFILE).list.slice(pl.lit(pl.Series(halves))))
    return pl.concat([whole.with_columns(first.alias(PROFILE)), rest])


def _flat(layout: ProfileLayout, ratings: Ratings) -> pl.DataFrame:
    """Return a row for each rating, and one that says that there is a user."""
    packed = layout.packed_rows(ratings)
    nobody = PackedRows(np.arange(len(packed) + 1), np.full(len(packed), layout.none))
    parts = [
        pl.DataFrame({USER: np.repeat(np.arange(len(each)), each.lengths), "rated": each.values.astype(np.uint64)})
        for each in (packed, nobody)
    ]
    return pl.concat(parts).select(pl.col(USER).cast(pl.UInt64), pl.col("rated").cast(layout.packed))
