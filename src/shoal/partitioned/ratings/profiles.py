"""Profiles: a row a user, with all ratings of the user in the order of items.

A rating is one number, the place of the item times the points of the scale and the code of the rating. Observable items
come first, so the sensitive ratings of a profile are its last.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.backends.division import row_bytes
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.errors import InternalError
from shoal.kernels.numbering import distinct_keys
from shoal.kernels.packed_rows import faults_of_packed, rows_of_packed

__all__ = ["NAME", "PROFILE", "RATED", "USER", "PackedRows", "ProfileLayout", "list_rows", "lists_of", "profiles_of"]

USER, NAME, RATED, PROFILE = "user", "name", "rated", "profile"


@dataclass(frozen=True, eq=False)
class PackedRows:
    """The numbers of some lists, one list behind the other."""

    begins: np.ndarray
    """Where each list begins: int64, one more than there are lists."""
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.begins) - 1

    @classmethod
    def of(cls, lists: pl.Series) -> "PackedRows":
        """Return the numbers of a column of lists."""
        begins = np.zeros(len(lists) + 1, np.int64)
        np.cumsum(lists.list.len().to_numpy(), out=begins[1:])
        return cls(begins, lists.rechunk().explode(empty_as_null=False).to_numpy())

    @property
    def lengths(self) -> np.ndarray:
        """How long each list is."""
        return np.diff(self.begins)

    def take(self, rows: np.ndarray) -> "PackedRows":
        """Return these lists in this order."""
        return PackedRows.of(lists_of(self)[rows])

    def cut(self, lengths: np.ndarray) -> "PackedRows":
        """Return so many numbers of each list, from its beginning."""
        if int(lengths.sum()) == len(self.values):
            return self
        begins = np.zeros(len(self) + 1, np.int64)
        np.cumsum(lengths, out=begins[1:])
        places = np.arange(begins[-1]) + np.repeat(self.begins[:-1] - begins[:-1], lengths)
        return PackedRows(begins, self.values[places])


def lists_of(rows: PackedRows) -> pl.Series:
    """Return a column of lists."""
    lengths = rows.lengths
    some = np.flatnonzero(lengths)
    numbers = pl.Series("row", np.repeat(np.arange(len(some), dtype=np.uint32), lengths[some])).set_sorted()
    # numbers are sorted, so that no table of them is needed
    found = pl.DataFrame([numbers, pl.Series(PROFILE, rows.values)]).group_by("row", maintain_order=True).agg(PROFILE)
    lists = found[PROFILE]
    if len(some) == len(lengths):
        return lists
    empty = pl.Series(PROFILE, [[]], dtype=lists.dtype)
    places = np.full(len(lengths), len(some))
    places[some] = np.arange(len(some))
    return pl.concat([lists, empty])[places]


def list_rows(numbers: int, columns: Columns, width: int) -> int:
    """Return how many rows of these columns, by what a row is taken to need, so many numbers in lists are."""
    return numbers * width // row_bytes(columns) + 1


@dataclass(frozen=True)
class ProfileLayout:
    """What the numbers in profiles mean: observable items come first, and one behind the last is none."""

    n_observable: int
    n_items: int
    scale: Scale
    names: bool = False
    """Whether users have names; else they are whole numbers."""

    def __post_init__(self) -> None:
        if self.none.bit_length() > 64:
            raise InternalError("There are more items and ratings than numbers for them.")

    @property
    def none(self) -> int:
        """The number that stands for no rating: behind those of all items."""
        return self.n_items * self.scale.points

    @property
    def first_sensitive(self) -> int:
        """The first number of a sensitive rating."""
        return self.n_observable * self.scale.points

    @property
    def packed(self) -> pl.DataType:
        """The type of the numbers."""
        return pl.UInt32() if self.none < 1 << 32 else pl.UInt64()

    @property
    def width(self) -> int:
        """How many bytes a number takes."""
        return 4 if self.none < 1 << 32 else 8

    @property
    def who(self) -> Columns:
        """The columns that say whose ratings a row has."""
        return {USER: pl.UInt64(), **({NAME: pl.String()} if self.names else {})}

    @property
    def columns(self) -> Columns:
        """The columns of profiles."""
        return {**self.who, PROFILE: pl.List(self.packed)}

    def pack(self, items: np.ndarray, codes: np.ndarray) -> pl.Series:
        """Return ratings as numbers; a code behind the last is a null."""
        kind = np.uint32 if self.width == 4 else np.uint64
        points = self.scale.points
        packed = items.astype(kind) * kind(points) + codes.astype(kind)
        missing = codes >= points
        if missing.any():
            packed[missing] = self.none
        return pl.Series(packed)

    def ratings(self, rows: pl.DataFrame) -> Ratings:
        """Return profiles in memory, in the order of the rows."""
        return self.matrices(PackedRows.of(rows[PROFILE]))

    def matrices(self, profiles: PackedRows) -> Ratings:
        """Return profiles as ratings in memory; users and items are numbered."""
        seen = profiles.values < self.first_sensitive
        parts = [(seen, 0, self.n_observable), (~seen, self.n_observable, self.n_items)]
        observable, sensitive = (self._matrix(profiles, *part) for part in parts)
        return Ratings(Vocabulary.numbered(len(profiles)), observable, sensitive, self.scale)

    def _matrix(self, profiles: PackedRows, here: np.ndarray, first: int, last: int) -> RatingMatrix:
        begins, values = profiles.begins, profiles.values
        if not here.all():
            before = np.concatenate([[0], np.cumsum(here)])
            begins, values = before[begins], values[here]
        items = values // values.dtype.type(self.scale.points)
        codes = (values - items * values.dtype.type(self.scale.points)).astype(self.scale.dtype)
        indices = items.astype(np.int64) - first
        return RatingMatrix(Vocabulary.numbered(last - first), begins, indices.astype(np.int32), codes)

    def packed_rows(self, ratings: Ratings) -> PackedRows:
        """Return ratings in memory as profiles."""
        rows = [np.repeat(np.arange(len(ratings)), np.diff(side.indptr)) for side in _sides(ratings)]
        firsts = (0, self.n_observable)
        items = [side.indices.astype(np.int64) + first for side, first in zip(_sides(ratings), firsts, strict=True)]
        of, places = np.concatenate(rows), np.concatenate(items)
        codes = np.concatenate([side.codes for side in _sides(ratings)])
        order = np.lexsort((places, of))
        begins = np.zeros(len(ratings) + 1, np.int64)
        np.cumsum(np.bincount(of, minlength=len(ratings)), out=begins[1:])
        return PackedRows(begins, self.pack(places[order], codes[order]).to_numpy())


def _sides(ratings: Ratings) -> tuple[RatingMatrix, RatingMatrix]:
    return ratings.observable, ratings.sensitive


def profiles_of(rows: Partitions, layout: ProfileLayout, n_ratings: int, n_rows: int) -> Partitions:
    """Bring the ratings of each user together; of sets, an item that somebody has several times is there once.

    Rows hold one rating each, or several of one user. A rating that repeats an item stays, to be refused.
    """
    title = "bringing the ratings of each user together"
    gather = _Gather(layout)
    if RATED in rows.columns:
        # sorted once, and not whenever they are looked at
        return rows.shuffle(USER, n_rows, title).map_partitions(gather, layout.columns).persist("sorting ratings")
    size = max(n_rows, list_rows(n_ratings, rows.columns, layout.width))
    return rows.shuffle(USER, size, title).map_partitions(gather, layout.columns)


@dataclass(frozen=True)
class _Gather:
    """Makes one row of all ratings of a user."""

    layout: ProfileLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(self.layout.columns))
        if RATED in rows.columns:
            firsts, packed = self._of_ratings(rows)
            return rows.select(*self.layout.who)[firsts].with_columns(lists_of(self._tidy(packed)).alias(PROFILE))
        rows = self._of_runs(rows)
        packed = PackedRows.of(rows[PROFILE])
        tidy = self._tidy(packed)
        return rows if tidy is packed else rows.with_columns(lists_of(tidy).alias(PROFILE))

    def _of_runs(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows of which those of one user are joined: the few users whose ratings are not all side by side."""
        who = tuple(self.layout.who)
        again = rows.select(pl.struct(who).is_duplicated()).to_series()
        if not again.any():
            return rows
        joined = rows.filter(again).group_by(who).agg(pl.col(PROFILE).explode(empty_as_null=False).sort())
        return pl.concat([rows.filter(~again), joined.select(rows.columns)], rechunk=True)

    def _of_ratings(self, rows: pl.DataFrame) -> tuple[np.ndarray, PackedRows]:
        """Return a row of each user, and the ratings of each in order."""
        users = rows[USER].to_numpy()
        if self.layout.names:  # hashes may coincide: the names themselves are compared
            users = rows.select(pl.struct(*self.layout.who).rank("dense").cast(pl.UInt64)).to_series().to_numpy()
        numbers, n_users = distinct_keys(users.view(np.int64))
        firsts = np.empty(n_users, np.int64)
        firsts[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
        return firsts, PackedRows(*rows_of_packed(numbers, rows[RATED].to_numpy(), n_users))

    def _tidy(self, packed: PackedRows) -> PackedRows:
        """Return lists in order, without what stands for no rating and, of sets, without what repeats."""
        none = self.layout.none
        unordered, repeats, beyond = faults_of_packed(packed.begins, packed.values, self.layout.scale.points, none)
        repeats = repeats and self.layout.scale.points == 1
        if not (unordered or repeats or beyond):
            return packed
        if unordered:
            of = np.repeat(np.arange(len(packed)), packed.lengths)
            packed = PackedRows(*rows_of_packed(of, packed.values, len(packed)))
        kept = packed.values < none
        if self.layout.scale.points == 1:
            again = np.zeros(len(kept), bool)
            again[1:] = packed.values[1:] == packed.values[:-1]
            again[packed.begins[:-1][packed.lengths > 0]] = False
            kept &= ~again
        if kept.all():
            return packed
        before = np.concatenate([[0], np.cumsum(kept)])
        return PackedRows(before[packed.begins], packed.values[kept])
