"""A release beside the links of its ledger, neither in memory: which records are in one of them alone."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.backends import Backend, Columns
from shoal.io.formats.tabular_file import TabularFile

__all__ = ["UnlinkedRecords", "unlinked_records"]

_NAME, _SIDE, _HASH = "pseudonym", "side", "hash"
_FOUND: Columns = {"unknown": pl.Int64(), "absent": pl.Int64(), "several": pl.Int64()}


@dataclass(frozen=True)
class UnlinkedRecords:
    """How many records of a release and of its ledger do not match."""

    unknown: int
    """Records of the release that are not in the ledger."""
    absent: int
    """Records of the ledger that are not in the release."""
    several: int
    """Records of the release for which the ledger has several people."""


def unlinked_records(release: TabularFile, name: str, links: Path, backend: Backend) -> UnlinkedRecords:
    """Compare the pseudonyms of a release, in the column ``name``, with those of the links of a ledger."""
    linked = pl.scan_parquet(links.absolute())  # executors run in folders of their own
    both = pl.concat([_side(release.scan, name, released=True), _side(linked, _NAME, released=False)])
    rows = release.rows + int(linked.select(pl.len()).collect().item())
    file = TabularFile("the release and its ledger", (_NAME, _SIDE), both, rows, as_written=False)
    scanned = backend.scan(file, _NAME, _SIDE)
    hashed = scanned.map_batches(_hashed, {**scanned.columns, _HASH: pl.UInt64()})
    together = hashed.shuffle(_HASH, rows, "comparing with the ledger")
    found = together.map_partitions(_unlinked, _FOUND).collect("comparing with the ledger")
    return UnlinkedRecords(*(int(found[each].sum()) for each in _FOUND))


def _side(scan: pl.LazyFrame, name: str, *, released: bool) -> pl.LazyFrame:
    return scan.select(pl.col(name).cast(pl.String).alias(_NAME), pl.lit(released).alias(_SIDE))


def _hashed(batch: pl.DataFrame) -> pl.DataFrame:
    return batch.with_columns(batch[_NAME].hash().alias(_HASH))


def _unlinked(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    """Count the records of a partition, in which all lines of a pseudonym are."""
    counted = rows.group_by(_NAME).agg(pl.col(_SIDE).sum().alias("released"), (~pl.col(_SIDE)).sum().alias("linked"))
    released, linked = counted["released"] > 0, counted["linked"] > 0
    numbers = [(released & ~linked).sum(), (linked & ~released).sum(), (released & (counted["linked"] > 1)).sum()]
    return pl.DataFrame({name: [int(each)] for name, each in zip(_FOUND, numbers, strict=True)}, schema=dict(_FOUND))
