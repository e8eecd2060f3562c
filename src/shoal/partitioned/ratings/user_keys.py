"""What distinguishes profiles, in two hashes: of the observable items rated, and of how they were rated as well.

Whoever has a hash alone has the pattern or the profile alone. Everybody else is compared in full where it counts, so
that what coincides by chance is told apart. Hashes are counted where they are, and what comes here of them is a sieve
of a fixed size, which lets through whoever shares a hash, and a few others.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.kernels.packed_rows import faults_of_packed, hashes_of_packed

from .profiles import PROFILE, PackedRows, ProfileLayout

__all__ = ["KEY", "PATTERN", "Keying", "SharedKeys", "Sieve", "longest_of", "said_of", "shared_keys", "user_keys"]

Keying = Literal["pattern", "key"]
"""What users are brought together by: which observable items they rated, or how they rated them as well."""

PATTERN, KEY, USERS = "pattern", "key", "users"
_WIDTH, _RATINGS, _REPEATS, _RATED = "width", "ratings", "repeats", "rated"
_KEYS: Columns = {
    PATTERN: pl.UInt64(),
    KEY: pl.UInt64(),
    USERS: pl.Int64(),
    _WIDTH: pl.Int64(),
    _RATINGS: pl.Int64(),
    _REPEATS: pl.Int64(),
    _RATED: pl.List(pl.UInt32()),
}


def user_keys(profiles: Partitions, layout: ProfileLayout, n_rows: int) -> Partitions:
    """Return a row for each different pair of hashes, those with the same hash of a profile in one partition."""
    return profiles.map_partitions(_Hash(layout), _KEYS).shuffle(KEY, n_rows, "comparing profiles")


@dataclass(frozen=True)
class _Hash:
    """Hashes the users of a partition; the first row says what all of them have rated."""

    layout: ProfileLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        layout, packed = self.layout, PackedRows.of(rows[PROFILE])
        if not rows.height:
            return pl.DataFrame(schema=dict(_KEYS))
        points, end = layout.scale.points, layout.first_sensitive
        patterns, keys, widths = hashes_of_packed(packed.begins, packed.values, points, end)
        hashed = pl.DataFrame({PATTERN: patterns, KEY: keys, _WIDTH: widths})
        counted = hashed.group_by(PATTERN, KEY, _WIDTH).agg(pl.len().cast(pl.Int64).alias(USERS))
        said = {
            _RATINGS: len(packed.values),
            _REPEATS: faults_of_packed(packed.begins, packed.values, points, layout.none)[1],
            _RATED: (np.unique(packed.values[packed.values >= end] // points) - layout.n_observable).tolist(),
        }
        first = [pl.Series(name, [value], dtype=_KEYS[name]) for name, value in said.items()]
        rest = pl.DataFrame([each.extend_constant(_NOTHING[each.name], counted.height - 1) for each in first])
        return pl.concat([counted, rest], how="horizontal").select(*_KEYS)


_NOTHING = {_RATINGS: 0, _REPEATS: 0, _RATED: None}


@dataclass(frozen=True)
class Said:
    """What is known of all users."""

    n_users: int
    n_ratings: int
    repeats: int
    """How many ratings repeat an item of the same user."""
    rated: np.ndarray
    """The sensitive items that anybody rated."""


def said_of(keys: Partitions) -> Said:
    """Add up what was said of each partition."""
    columns = {name: _KEYS[name] for name in (USERS, _RATINGS, _REPEATS, _RATED)}
    found = keys.map_partitions(_AddUp(), columns).collect("counting users")
    rated = found[_RATED].explode().drop_nulls().unique().sort().to_numpy().astype(np.int64)
    users, ratings, repeats = (int(found[name].sum()) for name in (USERS, _RATINGS, _REPEATS))
    return Said(users, ratings, repeats, rated)


@dataclass(frozen=True)
class _AddUp:
    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        numbers = rows.select(pl.col(USERS, _RATINGS, _REPEATS).sum())
        rated = rows[_RATED].explode().drop_nulls().unique().sort()
        return numbers.with_columns(rated.implode().alias(_RATED))


def longest_of(keys: Partitions) -> int:
    """Return the most observable items that anybody rated."""
    found = keys.map_partitions(_Longest(), {_WIDTH: pl.Int64()}).collect("looking for the longest profile")
    return int(found[_WIDTH].max() or 0)  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Longest:
    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return rows.select(pl.col(_WIDTH).max().fill_null(0))


@dataclass(frozen=True, eq=False)
class Sieve:
    """Lets through all users who share a hash with others, and of the rest only few."""

    keying: Keying
    bits: np.ndarray
    """For each of some ranges of hashes, whether one of it is shared: bool."""

    def passes(self, patterns: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the mask of the users who may share with others."""
        return self.bits[_range(patterns if self.keying == "pattern" else keys, len(self.bits))]


def _range(hashes: np.ndarray, n: int) -> np.ndarray:
    return hashes >> np.uint64(64 - n.bit_length() + 1)


_MOST_BITS, _BITS_A_USER = 1 << 24, 16


@dataclass(frozen=True)
class SharedKeys:
    """The hashes that several users have."""

    sieve: Sieve
    n_users: int
    """How many users share one."""
    n_ratings: int
    """How many observable ratings they have."""
    large: dict[int, int]
    """Of patterns with very many different profiles, how many each has."""


def shared_keys(keys: Partitions, keying: Keying, n_users: int, many: int) -> SharedKeys:
    """Find the hashes that several users have; of a pattern, ``many`` different profiles are very many."""
    counted = keys.map_partitions(_Count(keying), _COUNTED)
    if keying == "pattern":
        counted = counted.shuffle(PATTERN, n_users, "comparing which items are rated").map_partitions(_Add(), _COUNTED)
    n_bits = max(2, min(1 << (_BITS_A_USER * n_users).bit_length(), _MOST_BITS))
    found = counted.map_partitions(_Sift(keying, n_bits, many), _SIFTED).collect("looking for what several users rated")
    bits = np.zeros(n_bits // 8 + 1, np.uint8)
    for each in found["bits"].drop_nulls():
        bits[: len(each)] |= np.frombuffer(each, np.uint8)
    large = found.drop_nulls(PATTERN)
    return SharedKeys(
        Sieve(keying, np.unpackbits(bits)[:n_bits].astype(bool)),
        int(found[USERS].sum()),
        int(found[_RATINGS].sum()),
        dict(zip(large[PATTERN].to_list(), large[_PROFILES].to_list(), strict=True)),
    )


_PROFILES = "profiles"
_COUNTED: Columns = {PATTERN: pl.UInt64(), KEY: pl.UInt64(), **dict.fromkeys((USERS, _PROFILES, _RATINGS), pl.Int64())}
_SIFTED: Columns = {
    "bits": pl.Binary(),
    **dict.fromkeys((USERS, _RATINGS), pl.Int64()),
    PATTERN: pl.UInt64(),
    _PROFILES: pl.Int64(),
}


@dataclass(frozen=True)
class _Count:
    """Counts the users of each hash, and the different profiles of each pattern."""

    keying: Keying

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        profiles = rows.group_by(PATTERN, KEY).agg(pl.col(USERS).sum(), pl.col(_WIDTH).first())
        ratings = (pl.col(USERS) * pl.col(_WIDTH)).sum().alias(_RATINGS)
        found = profiles.group_by(self.keying).agg(
            pl.col(USERS).sum(), pl.len().cast(pl.Int64).alias(_PROFILES), ratings
        )
        other = KEY if self.keying == "pattern" else PATTERN
        return found.with_columns(pl.lit(0, pl.UInt64).alias(other)).select(*_COUNTED)


@dataclass(frozen=True)
class _Add:
    """Adds up what was counted of each pattern."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return (
            rows.group_by(PATTERN).agg(pl.col(USERS, _PROFILES, _RATINGS).sum(), pl.col(KEY).first()).select(*_COUNTED)
        )


@dataclass(frozen=True)
class _Sift:
    """Says which ranges of hashes have one that several users have, and which patterns have very many profiles."""

    keying: Keying
    n_bits: int
    many: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        shared = rows.filter(pl.col(USERS) > 1)
        if not shared.height:
            return pl.DataFrame(schema=dict(_SIFTED))
        bits = np.zeros(self.n_bits, bool)
        bits[_range(shared[self.keying].to_numpy(), self.n_bits)] = True
        first = shared.select(pl.lit(np.packbits(bits).tobytes()).alias("bits"), pl.col(USERS, _RATINGS).sum())
        large = shared.filter(pl.col(_PROFILES) > self.many) if self.keying == "pattern" else shared.clear()
        found = pl.concat([first, large.select(PATTERN, _PROFILES)], how="diagonal")
        return found.select(pl.col(name).cast(dtype) for name, dtype in _SIFTED.items())
