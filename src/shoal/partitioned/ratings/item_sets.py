"""Promises on who holds an item, or two: counted item by item, or pair by pair, where the profiles are."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Shared
from shoal.errors import WordingError
from shoal.evidence import NeedItemSets, SharedItemSets
from shoal.models import PrivacyModel, Verdict

from .profiles import PackedRows
from .ratings import PartitionedRatings
from .shared_profiles import CELL, SharedLayout, shared_profiles

__all__ = ["judge_item_sets"]

_ITEM, _TIMES, _FEWEST, _USERS, _SET, _USER = "item", "times", "fewest", "users", "set", "user"
_COUNTED: Columns = {_ITEM: pl.Int64(), _TIMES: pl.Int64()}
_HELD: Columns = {_FEWEST: pl.Int64(), _USERS: pl.Int64()}


def judge_item_sets(ratings: PartitionedRatings, model: PrivacyModel, need: NeedItemSets) -> Verdict:
    """Judge a promise on sets of one item, or of two where people are counted."""
    layout = SharedLayout(ratings.layout, ())
    holders = _times(ratings, _CountItems(layout))
    everybody = ratings.n_people
    if not need.people:  # equal profiles count once
        again, repeated = _repeated(ratings)
        holders, everybody = holders - again, everybody - repeated
    if need.items == 1:
        shared = ratings.backend.shared(holders)
        found = ratings.rows.map_partitions(_Fewest(layout, shared, everybody), _HELD).collect(
            "counting who holds items"
        )
    else:
        found = _of_pairs(ratings, layout, everybody)
    held = found.group_by(_FEWEST).agg(pl.col(_USERS).sum()).sort(_FEWEST)
    return model.judge(SharedItemSets(need.items, held[_USERS].to_numpy(), held[_FEWEST].to_numpy(), need.people))


def _times(ratings: PartitionedRatings, counting: "_CountItems") -> np.ndarray:
    """Return how many users hold each observable item."""
    found = ratings.rows.map_partitions(counting, _COUNTED).collect("counting who holds items")
    return np.bincount(found[_ITEM], found[_TIMES], minlength=ratings.layout.n_observable).astype(np.int64)


@dataclass(frozen=True)
class _CountItems:
    """Counts the users of a partition who hold each item."""

    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        items = _items(self.layout, self.layout.of_users(rows).profiles)
        times = np.bincount(items, minlength=1)
        found = np.flatnonzero(times)
        return pl.DataFrame({_ITEM: found, _TIMES: times[found]}, schema=dict(_COUNTED))


def _items(layout: SharedLayout, profiles: PackedRows) -> np.ndarray:
    return (profiles.values // layout.layout.scale.points).astype(np.int64)


def _repeated(ratings: PartitionedRatings) -> tuple[np.ndarray, int]:
    """Return how many users hold each item whose profile is not the first of its kind, and how many there are."""
    shared = shared_profiles(ratings, "key", ratings.n_people, sensitive=False)
    found = shared.rows.map_partitions(_CountAgain(shared.layout), _COUNTED).collect("counting equal profiles")
    counted = np.bincount(found[_ITEM] + 1, found[_TIMES], minlength=ratings.layout.n_observable + 1).astype(np.int64)
    return counted[1:], int(counted[0])


@dataclass(frozen=True)
class _CountAgain:
    """Counts, by item, the users of a partition whose profile others have too, but for one of each; −1 is all items."""

    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_COUNTED))
        added = self.layout.of_rows(rows).joined()
        again = added.people - 1
        items, of = _items(self.layout, added.profiles), np.repeat(again, added.profiles.lengths)
        times = np.bincount(items, of, minlength=1).astype(np.int64)
        found = np.flatnonzero(times)
        counted = {_ITEM: np.append(found, -1), _TIMES: np.append(times[found], again.sum())}
        return pl.DataFrame(counted, schema=dict(_COUNTED))


@dataclass(frozen=True)
class _Fewest:
    """Counts the users of a partition by how many hold the rarest of their items."""

    layout: SharedLayout
    holders: Shared[np.ndarray]
    everybody: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        profiles = self.layout.of_users(rows).profiles
        fewest = np.full(len(profiles), self.everybody, np.int64)
        some = np.flatnonzero(profiles.lengths)
        if len(some):
            held = self.holders.value[_items(self.layout, profiles)]
            fewest[some] = np.minimum.reduceat(held, profiles.begins[:-1][some])
        return _by_number(fewest)


def _by_number(fewest: np.ndarray) -> pl.DataFrame:
    numbers, users = np.unique(fewest, return_counts=True)
    return pl.DataFrame({_FEWEST: numbers, _USERS: users}, schema=dict(_HELD))


_MOST_SETS = 1 << 29
"""How many sets of one or two items all profiles together may hold: each is a row that is moved."""
_SETS: Columns = {_SET: pl.UInt64(), _USER: pl.UInt64(), _USERS: pl.Int64()}
_RAREST: Columns = {_USER: pl.UInt64(), _FEWEST: pl.Int64(), _USERS: pl.Int64()}


def _of_pairs(ratings: PartitionedRatings, layout: SharedLayout, everybody: int) -> pl.DataFrame:
    """Return how many users there are by how many hold the rarest of their items and pairs of items."""
    n_sets = int(
        ratings.rows.map_partitions(_CountSets(layout), {"sets": pl.Int64()}).collect("counting pairs")["sets"].sum()
    )
    if n_sets > _MOST_SETS:
        raise WordingError(
            f"These data hold too many pairs of items ({n_sets:,}) to count who holds each.",
            "Ask for m=1, publish groups that share one set of items, or read them into memory (--engine local).",
        )
    # so many partitions that all sets of the profiles of one fit into memory
    profiles = ratings.rows.map_partitions(_AllProfiles(layout), layout.columns).shuffle(
        CELL, n_sets, "comparing profiles"
    )
    sets = profiles.map_partitions(_Sets(layout), _SETS).shuffle(_SET, n_sets, "bringing pairs of items together")
    rarest = sets.map_partitions(_RarestHere(), _RAREST).shuffle(_USER, n_sets, "looking for rare pairs")
    found = rarest.map_partitions(_Rarest(), _HELD).collect("counting who holds pairs")
    silent = everybody - int(found[_USERS].sum())
    rest = pl.DataFrame({_FEWEST: [everybody], _USERS: [silent]}, schema=dict(_HELD))
    return pl.concat([found, rest]) if silent else found


@dataclass(frozen=True)
class _CountSets:
    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        widths = self.layout.of_users(rows).joined().profiles.lengths
        return pl.DataFrame({"sets": [int((widths * (widths + 1) // 2).sum())]})


@dataclass(frozen=True)
class _AllProfiles:
    """Returns each different profile of a partition once."""

    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        added = self.layout.of_users(rows).joined()
        return self.layout.rows(added, added.keys)


@dataclass(frozen=True)
class _Sets:
    """Returns a row for each item and each pair of items of each profile."""

    layout: SharedLayout

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        added = self.layout.of_rows(rows).joined()
        items = _items(self.layout, added.profiles).astype(np.uint64)
        of = np.repeat(np.arange(len(added)), added.profiles.lengths)
        places = np.arange(len(items))
        left = added.profiles.begins[1:][of] - places  # an item is paired with itself and those behind it
        others = np.arange(left.sum()) - np.repeat(np.cumsum(left) - left - places, left)
        pairs = np.repeat(items, left) * np.uint64(self.layout.layout.n_observable) + items[others]
        users = np.repeat(of, left)
        own = users.astype(np.uint64) + np.uint64(number << _PARTITION_BITS)
        return pl.DataFrame({_SET: pairs, _USER: own, _USERS: added.people[users]}, schema=dict(_SETS))


_PARTITION_BITS = 40
"""How many profiles a partition may have, in bits."""


@dataclass(frozen=True)
class _RarestHere:
    """Finds for each profile the rarest of its sets that are in a partition."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        holders = rows.with_columns(pl.col(_USERS).sum().over(_SET).alias(_FEWEST))
        return holders.group_by(_USER).agg(pl.col(_FEWEST).min(), pl.col(_USERS).first()).select(*_RAREST)


@dataclass(frozen=True)
class _Rarest:
    """Counts users by how many hold the rarest of their sets."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        rarest = rows.group_by(_USER).agg(pl.col(_FEWEST).min(), pl.col(_USERS).first())
        return rarest.group_by(_FEWEST).agg(pl.col(_USERS).sum()).select(*_HELD)
