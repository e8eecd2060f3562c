"""Different profiles that users share with others, or whose pattern they share, brought together to be compared.

Equal profiles become one row, in which users and what they rated of the sensitive items are added up: before rows are
moved, and once more where they arrive. Users with nobody's hash but their own stay where they are.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.data import RatingMatrix
from shoal.engines import rating_amounts
from shoal.kernels.packed_rows import hashes_of_packed
from shoal.kernels.row_comparison import number_rows

from .profiles import PROFILE, PackedRows, ProfileLayout, list_rows, lists_of
from .ratings import PartitionedRatings
from .user_keys import Keying, SharedKeys, shared_keys

__all__ = ["AMOUNTS", "CELL", "AddedUp", "Choose", "SharedLayout", "SharedProfiles", "shared_profiles"]

CELL, AMOUNTS = "cell", "amounts"


@dataclass(frozen=True, eq=False)
class AddedUp:
    """Different profiles, and what their users add up to: users, and by sensitive item raters, codes and squares."""

    profiles: PackedRows
    """Without sensitive ratings."""
    amounts: np.ndarray
    """int64: profiles × (1 + 3 × sensitive items)."""
    patterns: np.ndarray
    """Hashes of which items are rated: uint64."""
    keys: np.ndarray
    """Hashes of the profiles: uint64."""

    def __len__(self) -> int:
        return len(self.profiles)

    @property
    def people(self) -> np.ndarray:
        """How many users have each profile."""
        return np.ascontiguousarray(self.amounts[:, 0])

    def take(self, rows: np.ndarray) -> "AddedUp":
        """Return these profiles in this order."""
        return AddedUp(self.profiles.take(rows), self.amounts[rows], self.patterns[rows], self.keys[rows])

    def joined(self) -> "AddedUp":
        """Return each of equal profiles once."""
        data = np.zeros(len(self.profiles.values), np.uint8)
        labels, n = number_rows(self.profiles.begins, self.profiles.values, data, self.keys)
        if n == len(self):
            return self
        firsts = np.empty(n, np.int64)
        firsts[labels[::-1]] = np.arange(len(self) - 1, -1, -1)
        amounts = np.zeros((n, self.amounts.shape[1]), np.int64)
        np.add.at(amounts, labels, self.amounts)
        return AddedUp(self.profiles.take(firsts), amounts, self.patterns[firsts], self.keys[firsts])


@dataclass(frozen=True)
class SharedLayout:
    """What the columns of rows of added-up profiles mean."""

    layout: ProfileLayout
    rated: tuple[int, ...]
    """The sensitive items that are added up."""

    @property
    def columns(self) -> Columns:
        """A row a profile: where it goes, and what its users add up to."""
        return {CELL: pl.UInt64(), PROFILE: pl.List(self.layout.packed), AMOUNTS: pl.List(pl.Int64())}

    def of_users(self, rows: pl.DataFrame) -> AddedUp:
        """Return the profiles of users."""
        packed = PackedRows.of(rows[PROFILE])
        patterns, keys, counted = self.hashes(packed)
        return AddedUp(packed.cut(counted), self._amounts(packed), patterns, keys)

    def hashes(self, packed: PackedRows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the hashes of patterns and of profiles, and how many observable ratings there are."""
        return hashes_of_packed(packed.begins, packed.values, self.layout.scale.points, self.layout.first_sensitive)

    def _amounts(self, packed: PackedRows) -> np.ndarray:
        """Return what each user adds to a neighborhood, by sensitive item that anybody rated."""
        if not self.rated:
            return np.ones((len(packed), 1), np.int64)
        ratings = self.layout.matrices(packed)
        own, q = np.unique(ratings.sensitive.indices), len(self.rated)
        found = rating_amounts(ratings, sensitive=True)
        wide = np.zeros((len(packed), 1 + 3 * q), np.int64)
        wide[:, 0] = found[:, 0]
        places = np.searchsorted(np.array(self.rated, np.int64), own)
        for kind in range(3):
            wide[:, 1 + kind * q + places] = found[:, 1 + kind * len(own) : 1 + (kind + 1) * len(own)]
        return wide

    def rows(self, added: AddedUp, cells: np.ndarray) -> pl.DataFrame:
        """Return profiles as rows that go to these cells."""
        width = added.amounts.shape[1]
        begins = np.arange(len(added) + 1, dtype=np.int64) * width
        amounts = lists_of(PackedRows(begins, added.amounts.reshape(-1)))
        return pl.DataFrame([pl.Series(CELL, cells), lists_of(added.profiles), amounts.rename(AMOUNTS)])

    def of_rows(self, rows: pl.DataFrame) -> AddedUp:
        """Return the profiles of rows."""
        packed = PackedRows.of(rows[PROFILE])
        patterns, keys, _ = self.hashes(packed)
        amounts = PackedRows.of(rows[AMOUNTS]).values.reshape(rows.height, 1 + 3 * len(self.rated))
        return AddedUp(packed, amounts, patterns, keys)

    def matrix(self, profiles: PackedRows) -> RatingMatrix:
        """Return profiles as a matrix in memory."""
        return self.layout.matrices(profiles).observable


@dataclass(frozen=True)
class SharedProfiles:
    """Where the profiles of users who share are."""

    layout: SharedLayout
    rows: Partitions
    """All profiles of a pattern are in one partition, unless it has very many; then equal profiles are."""
    keys: SharedKeys


def shared_profiles(ratings: PartitionedRatings, keying: Keying, many: int, *, sensitive: bool) -> SharedProfiles:
    """Bring together the users who share a profile or a pattern; of a pattern, ``many`` profiles are very many.

    What was brought together once is remembered.
    """
    remembered, asked = ratings.brought_together, (keying, many, sensitive)
    if asked not in remembered:
        remembered[asked] = _brought_together(ratings, keying, many, sensitive=sensitive)
    return cast(SharedProfiles, remembered[asked])


def _brought_together(ratings: PartitionedRatings, keying: Keying, many: int, *, sensitive: bool) -> SharedProfiles:
    keys = shared_keys(ratings.keys, keying, ratings.n_people, many)
    layout = SharedLayout(ratings.layout, tuple(ratings.rated.tolist()) if sensitive else ())
    choose = Choose(layout, ratings.backend.shared(keys))
    size = list_rows(keys.n_ratings + 2 * keys.n_users * (2 + 3 * len(layout.rated)), layout.columns, 4)
    chosen = ratings.rows.map_partitions(choose, layout.columns)
    return SharedProfiles(layout, chosen.shuffle(CELL, size, "bringing users together who rated alike"), keys)


@dataclass(frozen=True)
class Choose:
    """Chooses the users of a partition who may share with others."""

    layout: SharedLayout
    keys: Shared[SharedKeys]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Return their profiles, each once, and where they go."""
        keys = self.keys.value
        added = self.layout.of_users(rows.filter(self.shares(rows))).joined()
        cells = added.patterns if keys.sieve.keying == "pattern" else added.keys
        if keys.large:
            spread = np.isin(added.patterns, np.array(list(keys.large), np.uint64))
            cells = np.where(spread, added.keys, cells)
        return self.layout.rows(added, cells)

    def shares(self, rows: pl.DataFrame) -> pl.Series:
        """Return the mask of these users."""
        patterns, keys, _ = self.layout.hashes(PackedRows.of(rows[PROFILE]))
        return pl.Series(self.keys.value.sieve.passes(patterns, keys), dtype=pl.Boolean)
