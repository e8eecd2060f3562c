"""How often what is read in insensitive columns and what is known occur together, counted where the records are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.column_audit.rules import View
from shoal.evidence import PairCounts
from shoal.partitioned.persons import PERSON

from .release_rows import ONE_EACH, Reading, ReleaseRows, collected, keys_of

__all__ = ["PairsAsked", "counted_pairs"]

_KEY = "key"
_PAIRS: Columns = {"asked": pl.UInt32(), "pair": pl.UInt64(), "people": pl.Int64(), _KEY: pl.UInt64()}


@dataclass(frozen=True)
class PairsAsked:
    """Which pairs are counted: what is read in columns, and labels of one or more quasi-identifiers together."""

    columns: tuple[str, ...]
    n_read: int
    views: tuple[View, ...]
    one_each: bool = False
    """Whether one record of everybody is counted, and not everybody once for a pair."""

    @property
    def n_known(self) -> int:
        """How many combinations of labels there may be."""
        return int(np.prod([view.n_labels for view in self.views]))

    def pairs(self, rows: ReleaseRows) -> np.ndarray:
        """Return the number of the pair of each row."""
        known = np.zeros(len(rows), np.int64)
        for view in self.views:
            known = known * view.n_labels + view.of(rows)
        return rows.read(self.columns).astype(np.int64) * self.n_known + known

    def counts(self, found: pl.DataFrame) -> PairCounts:
        """Return the counts of pairs by their numbers."""
        pairs = found["pair"].cast(pl.Int64).to_numpy()
        people = found["people"].to_numpy()
        return PairCounts(pairs // self.n_known, self.n_read, pairs % self.n_known, self.n_known, people)


def counted_pairs(
    rows: Partitions, reading: Shared[Reading], asked: Sequence[PairsAsked], n_records: int, most: int
) -> list[PairCounts]:
    """Count pairs; all records of a person are in one partition. Raise where there are more than ``most``."""
    counting = _CountPairs(reading, tuple(asked))
    if PERSON in rows.columns:
        counted = rows.map_partitions(counting.of_partition, _PAIRS)
    else:
        counted = rows.map_batches(counting, _PAIRS)
    title = "counting pairs of values"
    together = counted.shuffle(_KEY, n_records, title).map_partitions(_add_up, _PAIRS)
    found = collected(together, most, title)
    return [each.counts(found.filter(pl.col("asked") == i)) for i, each in enumerate(asked)]


@dataclass(frozen=True)
class _CountPairs:
    reading: Shared[Reading]
    asked: tuple[PairsAsked, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        counted = [self._counted(batch, i) for i in range(len(self.asked))]
        return pl.concat([pl.DataFrame(schema=dict(_PAIRS)), *counted])

    def of_partition(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self(rows)

    def _counted(self, rows: pl.DataFrame, place: int) -> pl.DataFrame:
        asked = self.asked[place]
        if asked.one_each and ONE_EACH in rows.columns:
            rows = rows.filter(ONE_EACH)
        pairs = pl.DataFrame({"pair": asked.pairs(ReleaseRows(self.reading.value, rows))})
        if PERSON in rows.columns and not asked.one_each:
            pairs = pairs.with_columns(rows[PERSON]).unique()
        counted = pairs.group_by(pl.col("pair").cast(pl.UInt64)).agg(pl.len().cast(pl.Int64).alias("people"))
        counted = counted.with_columns(pl.lit(place, pl.UInt32).alias("asked"))
        return counted.with_columns(keys_of(counted, ["asked", "pair"]).alias(_KEY)).select(*_PAIRS)


def _add_up(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    return rows.group_by("asked", "pair", _KEY).agg(pl.col("people").sum()).select(*_PAIRS)
