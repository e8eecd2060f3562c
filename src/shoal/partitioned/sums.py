"""Numbers added up by key wherever the rows are, so that however many rows there are, few come into this process."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from shoal.backends import Partitions

__all__ = ["sums_by_key"]

_FEW = 1 << 20
"""So many rows are added up in this process; more of them where they are."""
_HASH = "hash of keys"


def sums_by_key(rows: Partitions, keys: Sequence[str], title: str) -> pl.DataFrame:
    """Return one row a key; all other columns are added up."""
    kept, summing = rows.persist(title), _Sum(tuple(keys))
    n_rows = kept.count(title)
    if n_rows > _FEW:
        hashed = kept.map_batches(_Hash(tuple(keys)), {**rows.columns, _HASH: pl.UInt64()})
        kept = hashed.shuffle(_HASH, n_rows, title).map_partitions(summing, rows.columns)
    return summing(kept.collect(title), 0)


@dataclass(frozen=True)
class _Hash:
    """Adds the number by which equal keys come together."""

    keys: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.with_columns(pl.struct(self.keys).hash().alias(_HASH))


@dataclass(frozen=True)
class _Sum:
    """Adds up the rows of a partition that have the same key."""

    keys: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        rows = rows.drop(_HASH, strict=False)
        return rows.group_by(self.keys).agg(pl.all().exclude(self.keys).sum()).select(rows.columns)
