"""Groups of equal records among those published, each of which may stand for several people.

Records whose hash nobody else has are groups of their own. The others are brought together and compared in full.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from shoal.backends import Backend, Columns, Partitions, Shared
from shoal.data import RatingMatrix, Ratings, Vocabulary
from shoal.engines import LocalEngine
from shoal.kernels.row_comparison import row_hashes
from shoal.partitioned.ratings.side_rows import CODES, NUMBER, OTHERS, Side, rows_for_bytes

__all__ = ["HASHES", "RecordsOfRows", "group_sizes", "hashed"]

_HASH, _PEOPLE = "hash", "people"
_CELL_BYTES = 8


class RecordsOfRows(Protocol):
    """Makes records of the rows of a partition."""

    def __call__(self, rows: pl.DataFrame, /) -> Ratings:
        """Return the records."""
        ...


HASHES: Columns = {_HASH: pl.UInt64(), _PEOPLE: pl.Int64(), OTHERS: pl.Int64()}
"""The columns of hashes of records: how many people each stands for, and how many ratings it has."""


def hashed(ratings: Ratings) -> pl.DataFrame:
    """Return a hash of what is observable of each record."""
    lengths = np.diff(ratings.observable.indptr)
    return pl.DataFrame({_HASH: _hashes(ratings), _PEOPLE: _people(ratings), OTHERS: lengths})


def _hashes(ratings: Ratings) -> np.ndarray:
    matrix = ratings.observable
    return row_hashes(matrix.indptr, matrix.indices, matrix.codes)


def group_sizes(
    found: pl.DataFrame, rows: Partitions, records: RecordsOfRows, side: Side, backend: Backend
) -> dict[int, int]:
    """Return how many groups of equal records there are of each size, in people.

    ``found`` are the hashes of all records; ``records`` makes the records of ``rows``, over items as ``side`` says.
    """
    counted = found.group_by(_HASH).agg(pl.len().alias("records"), pl.col(_PEOPLE).sum(), pl.col(OTHERS).sum())
    shared = counted.filter(pl.col("records") > 1)
    sizes = Counter(_counted(counted.filter(pl.col("records") == 1)[_PEOPLE].to_numpy()))
    if shared.height:
        choosing = _Shared(records, side, backend.shared(shared[_HASH].sort().to_numpy()))
        columns = {_HASH: pl.UInt64(), _PEOPLE: pl.Int64(), **side.columns}
        chosen = rows.map_partitions(choosing, columns)
        size = rows_for_bytes(int(shared[OTHERS].sum()) * _CELL_BYTES, columns)
        together = chosen.shuffle(_HASH, max(size, int(shared["records"].sum())), "comparing records")
        compared = together.map_partitions(_Compared(side), _SIZES).collect("comparing records")
        for size, groups in compared.iter_rows():
            sizes[size] += groups
    return dict(sizes)


def _counted(sizes: np.ndarray) -> Mapping[int, int]:
    different, groups = np.unique(sizes, return_counts=True)
    return dict(zip(different.tolist(), groups.tolist(), strict=True))


def _people(ratings: Ratings) -> np.ndarray:
    return np.ones(len(ratings), np.int64) if ratings.people is None else ratings.people


@dataclass(frozen=True)
class _Shared:
    """Returns the records that share their hash with others."""

    records: RecordsOfRows
    side: Side
    hashes: Shared[np.ndarray]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        columns = {_HASH: pl.UInt64(), _PEOPLE: pl.Int64(), **self.side.columns}
        if not rows.height:
            return pl.DataFrame(schema=columns)
        ratings, known = self.records(rows), self.hashes.value
        hashes = _hashes(ratings)
        places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        chosen = np.flatnonzero(known[places] == hashes)
        matrix, numbers = ratings.observable.take(chosen), np.arange(len(chosen))
        said = {NUMBER: pl.Series(numbers, dtype=pl.UInt32), _HASH: hashes[chosen], _PEOPLE: _people(ratings)[chosen]}
        return self.side.rows(numbers, matrix).join(pl.DataFrame(said), on=NUMBER, how="left").select(*columns)


_SIZES: Columns = {"size": pl.Int64(), "groups": pl.Int64()}


@dataclass(frozen=True)
class _Compared:
    """Compares records in full, and counts groups by size."""

    side: Side

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        if not rows.height:
            return pl.DataFrame(schema=dict(_SIZES))
        matrix = self.side.matrix(rows.select(NUMBER, OTHERS, CODES))
        nothing = RatingMatrix.empty(rows.height, self.side.scale.dtype)
        ratings = Ratings(Vocabulary.numbered(rows.height), matrix, nothing, self.side.scale)
        labels = LocalEngine().group(ratings).labels
        sizes = _counted(np.bincount(labels, rows[_PEOPLE].to_numpy()).astype(np.int64))
        return pl.DataFrame({"size": [*sizes], "groups": [*sizes.values()]}, schema=dict(_SIZES))
