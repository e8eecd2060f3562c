"""Patterns with very many different profiles, such as a survey that everybody completed, compared block by block.

The profiles of such a pattern are divided into blocks by their hash. Each pair of blocks is a cell: the profiles of one
are looked for near those of the other. What is found of a profile in several cells adds up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.engines.neighbor_search import sums_between
from shoal.errors import DataError
from shoal.evidence import NeedNeighborhoods, Neighborhoods, RatingMoments
from shoal.kernels.compiled import set_num_threads
from shoal.kernels.row_comparison import equal_patterns
from shoal.models import PrivacyModel

from .profiles import PackedRows, list_rows, lists_of
from .ratings import PartitionedRatings
from .shared_profiles import AMOUNTS, CELL, AddedUp, SharedLayout, SharedProfiles
from .verdict_texts import JUDGED, read_texts, written

__all__ = ["block_size", "judge_by_blocks"]

_LARGEST_BLOCK, _PROFILE_BYTES = 1 << 17, 1 << 15
_MOST_COPIES = 1 << 28
"""How many rows all cells together may have: some 20 GiB on disk."""
_SAMPLE = 64
_ALL = np.iinfo(np.int64).max
_ROLE, _PAIR, _NUMBER, _PEOPLE = "role", "pair", "number", "people"
_QUERY, _POINT = 1, 2


def block_size(backend: Backend) -> int:
    """Return how many profiles of a pattern are compared at once."""
    return max(2, min(_LARGEST_BLOCK, backend.memory // _PROFILE_BYTES))


def judge_by_blocks(
    ratings: PartitionedRatings,
    shared: SharedProfiles,
    model: PrivacyModel,
    need: NeedNeighborhoods,
    others: Sequence[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Judge a promise on the patterns with very many profiles; ``others`` are the verdicts on other users."""
    limit = _ALL if need.sensitive or need.enough is None else _limit(ratings, shared, need, others)
    searching = _Search(shared.layout, need.epsilon, limit, sensitive=need.sensitive)
    found = cells(ratings.backend, shared, block_size(ratings.backend)).map_partitions(searching, _FOUND)
    n_found = sum(n * _n_blocks(n, block_size(ratings.backend)) for n in shared.keys.large.values())
    size = list_rows(2 * n_found * (4 + 3 * len(shared.layout.rated)), _FOUND, 4)
    together = found.shuffle(_NUMBER, size, "adding up what was found near each profile")
    judging = _JudgeFound(shared.layout, model, need.epsilon, sensitive=need.sensitive)
    judged = together.map_partitions(judging, JUDGED).collect("judging")
    return [each["verdicts"][0] for each in read_texts(judged)]


def cells(backend: Backend, shared: SharedProfiles, block: int) -> Partitions:
    """Return the profiles of patterns with very many, once for each cell that they are looked at in."""
    blocks = {pattern: _n_blocks(n, block) for pattern, n in shared.keys.large.items()}
    copies = sum(n * 2 * blocks[pattern] for pattern, n in shared.keys.large.items())
    if copies > _MOST_COPIES:
        raise DataError(
            f"Users who rated the same items have {max(shared.keys.large.values()):,} different profiles, too many to "
            "compare all of them.",
            "Ask for k-anonymity, which compares equal profiles alone, or compare them in memory: --engine local.",
        )
    width = -(-shared.keys.n_ratings // max(shared.keys.n_users, 1)) + 4 + 6 * len(shared.layout.rated)
    columns = _columns(shared.layout)
    emitted = shared.rows.map_partitions(_Emit(shared.layout, backend.shared(blocks)), columns)
    return emitted.shuffle(CELL, list_rows(copies * width, columns, 4), "bringing blocks of profiles together")


def _n_blocks(profiles: int, block: int) -> int:
    return -(-profiles // block)


def _columns(layout: SharedLayout) -> Columns:
    return {**layout.columns, _ROLE: pl.UInt8(), _PAIR: pl.UInt64(), _NUMBER: pl.UInt64()}


@dataclass(frozen=True)
class _Emit:
    """Sends each profile of a large pattern to the cells of its block."""

    layout: SharedLayout
    blocks: Shared[dict[int, int]]

    def __call__(self, rows: pl.DataFrame, number: int) -> pl.DataFrame:
        added = _large(self.layout, rows, self.blocks.value)
        numbers = np.arange(len(added), dtype=np.uint64) + np.uint64(number << _PARTITION_BITS)
        n_blocks = np.array([self.blocks.value[pattern] for pattern in added.patterns.tolist()], np.uint64)
        own = added.keys % np.maximum(n_blocks, 1)
        parts = [pl.DataFrame(schema=dict(_columns(self.layout)))]
        for other in range(int(n_blocks.max(initial=0))):
            there = np.flatnonzero(n_blocks > other)
            mine, others = own[there], np.full(len(there), other, np.uint64)
            same = mine == others
            parts.append(self._sent(added, there, mine, others, np.where(same, _QUERY | _POINT, _QUERY), numbers))
            rest = np.flatnonzero(~same)
            parts.append(self._sent(added, there[rest], others[rest], mine[rest], np.full(len(rest), _POINT), numbers))
        return pl.concat(parts)

    def _sent(
        self,
        added: AddedUp,
        chosen: np.ndarray,
        queries: np.ndarray,
        points: np.ndarray,
        roles: np.ndarray,
        numbers: np.ndarray,
    ) -> pl.DataFrame:
        pairs = (queries << np.uint64(32)) | points
        some = added.take(chosen)
        mixed = (some.patterns ^ (pairs * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xFF51AFD7ED558CCD)
        rows = self.layout.rows(some, mixed ^ (mixed >> np.uint64(32)))
        return rows.with_columns(
            pl.Series(_ROLE, roles.astype(np.uint8)), pl.Series(_PAIR, pairs), pl.Series(_NUMBER, numbers[chosen])
        )


_PARTITION_BITS = 40
"""How many profiles a partition may have, in bits."""


def _large(layout: SharedLayout, rows: pl.DataFrame, large: Sequence[int] | dict[int, int]) -> AddedUp:
    """Return the profiles of large patterns in a partition, each once."""
    added = layout.of_rows(rows).joined()
    return added.take(np.flatnonzero(np.isin(added.patterns, np.array(list(large), np.uint64))))


_FOUND: Columns = {_NUMBER: pl.UInt64(), AMOUNTS: pl.List(pl.Int64()), _PEOPLE: pl.Int64()}


@dataclass(frozen=True)
class _Search:
    """Looks for points near queries, cell by cell."""

    layout: SharedLayout
    epsilon: Fraction
    limit: int
    """A query may stop once so many users are near it."""
    sensitive: bool

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        set_num_threads(1)  # partitions are searched side by side
        parts = [pl.DataFrame(schema=dict(_FOUND))]
        for cell in rows.partition_by(CELL, _PAIR) if rows.height else ():
            added = self.layout.of_rows(cell)
            matrix = self.layout.matrix(added.profiles)
            patterns, n = equal_patterns(matrix.indptr, matrix.indices)
            for pattern in range(n):  # one, unless hashes coincide
                here = np.flatnonzero(patterns == pattern)
                parts.append(self._found(added.take(here), cell[here]))
        return pl.concat(parts)

    def _found(self, added: AddedUp, rows: pl.DataFrame) -> pl.DataFrame:
        roles = rows[_ROLE].to_numpy()
        asking, there = (np.flatnonzero(roles & role) for role in (_QUERY, _POINT))
        if not len(asking) or not len(there):
            return pl.DataFrame(schema=dict(_FOUND))
        codes = _dense(self.layout, added.profiles)
        amounts = added.amounts if self.sensitive else added.people[:, None]
        scale = self.layout.layout.scale
        radius = scale.steps_within(self.epsilon)
        sums = sums_between(codes[asking], codes[there], scale.points, radius, amounts[there], self.limit)
        people = np.where(roles[asking] & _POINT, added.people[asking], 0)
        begins = np.arange(len(sums) + 1, dtype=np.int64) * sums.shape[1]
        lists = lists_of(PackedRows(begins, sums.reshape(-1)))
        return pl.DataFrame([rows[_NUMBER][asking], lists.rename(AMOUNTS), pl.Series(_PEOPLE, people)])


def _dense(layout: SharedLayout, profiles: PackedRows) -> np.ndarray:
    """Return the codes of profiles of one pattern by item."""
    return layout.matrix(profiles).codes.reshape(len(profiles), -1)


@dataclass(frozen=True)
class _JudgeFound:
    """Adds up what was found of each profile, and judges it."""

    layout: SharedLayout
    model: PrivacyModel
    epsilon: Fraction
    sensitive: bool

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(JUDGED))
        numbers, places = np.unique(rows[_NUMBER].to_numpy(), return_inverse=True)
        found = PackedRows.of(rows[AMOUNTS]).values.reshape(rows.height, -1)
        sums, people = np.zeros((len(numbers), found.shape[1]), np.int64), np.zeros(len(numbers), np.int64)
        np.add.at(sums, places, found)
        np.add.at(people, places, rows[_PEOPLE].to_numpy())
        moments = RatingMoments.of_columns(self.layout.layout.scale, sums) if self.sensitive else None
        return written([self.model.judge(Neighborhoods(self.epsilon, sums[:, 0] - 1, moments, people))])


def _limit(
    ratings: PartitionedRatings, shared: SharedProfiles, need: NeedNeighborhoods, others: Sequence[dict[str, Any]]
) -> int:
    """Return how many users near a profile are enough: no fewer than asked for, and than the smallest number of all.

    Nobody's number is below the smallest of a few, which are counted in full.
    """
    assert need.enough is not None
    large = tuple(shared.keys.large)
    drawn = shared.rows.map_partitions(_Sample(shared.layout, large), shared.layout.columns).collect("taking a sample")
    queries = shared.layout.of_rows(drawn[:: max(1, drawn.height // _SAMPLE)])
    near = _Near(shared.layout, ratings.backend.shared(queries), large, ratings.scale.steps_within(need.epsilon))
    counted = shared.rows.map_partitions(near, _NEAR).collect("counting who is near a few")
    sums = np.bincount(counted["query"], counted["people"], minlength=len(queries)).astype(np.int64)
    smallest = min([int(sums.min()), *(int(part["level"]["k"]) for part in others)])
    return max(need.enough + 1, smallest)


@dataclass(frozen=True)
class _Sample:
    """Takes some profiles of large patterns."""

    layout: SharedLayout
    large: tuple[int, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        added = _large(self.layout, rows, self.large)
        some = np.unique(np.linspace(0, len(added) - 1, min(_SAMPLE, len(added))).astype(np.int64))
        return self.layout.rows(added.take(some), added.keys[some])


_NEAR: Columns = {"query": pl.Int64(), "people": pl.Int64()}


@dataclass(frozen=True)
class _Near:
    """Counts the users of a partition near each of a few profiles."""

    layout: SharedLayout
    queries: Shared[AddedUp]
    large: tuple[int, ...]
    radius: int

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        set_num_threads(1)  # partitions are searched side by side
        added, queries = _large(self.layout, rows, self.large), self.queries.value
        both = self.layout.matrix(_behind(queries.profiles, added.profiles))
        patterns, n = equal_patterns(both.indptr, both.indices)
        near = np.zeros(len(queries), np.int64)
        for pattern in range(n):
            here = np.flatnonzero(patterns == pattern)
            asking, there = here[here < len(queries)], here[here >= len(queries)] - len(queries)
            if len(asking) and len(there):
                codes = (
                    _dense(self.layout, queries.profiles.take(asking)),
                    _dense(self.layout, added.profiles.take(there)),
                )
                points, people = self.layout.layout.scale.points, added.people[there][:, None]
                near[asking] += sums_between(*codes, points, self.radius, people)[:, 0]
        return pl.DataFrame({"query": np.arange(len(queries)), "people": near}, schema=dict(_NEAR))


def _behind(first: PackedRows, second: PackedRows) -> PackedRows:
    begins = np.concatenate([first.begins, second.begins[1:] + first.begins[-1]])
    return PackedRows(begins, np.concatenate([first.values, second.values]))
