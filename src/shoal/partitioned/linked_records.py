"""A release beside the links of its ledger, neither in memory: which records are in one of them alone."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.backends import Backend, Columns, Partitions
from shoal.io.folders.ledger import damage_told, refuse_unfit_links
from shoal.io.formats.tabular_file import TabularFile

__all__ = [
    "CLAIMED",
    "CLAIMS",
    "LINKED_ROW",
    "PSEUDONYM",
    "UnlinkedRecords",
    "links_of",
    "pseudonyms_in",
    "together_by_name",
    "unlinked_records",
]

PSEUDONYM, CLAIMED, LINKED_ROW = "pseudonym", "claimed", "row"
_HASH = "hash of pseudonyms"
CLAIMS: Columns = {PSEUDONYM: pl.String(), CLAIMED: pl.Int64()}
"""The pseudonym of a record with the number of people that a release claims; a line of a ledger claims none."""
_FOUND: Columns = {"unknown": pl.Int64(), "absent": pl.Int64(), "others": pl.Int64()}


@dataclass(frozen=True)
class UnlinkedRecords:
    """How many records of a release and of its ledger do not match."""

    unknown: int
    """Records of the release that are not in the ledger."""
    absent: int
    """Records of the ledger that are not in the release."""
    others: int
    """Records of the release for which the ledger has another number of people."""


def links_of(folder: Path, links: Path, n_rows: int | None = None) -> TabularFile:
    """Return the links of a ledger in a folder; refuse those that lead to no row, of which there are ``n_rows``."""
    with damage_told(folder):
        scan = pl.scan_parquet(links.absolute())  # executors run in folders of their own
        refuse_unfit_links(scan, n_rows)
        rows = int(scan.select(pl.len()).collect().item())
    return TabularFile("the links of the ledger", (PSEUDONYM, LINKED_ROW), scan, rows, as_written=False)


def pseudonyms_in(release: TabularFile, name: str, backend: Backend) -> Partitions:
    """Return the pseudonyms of a table, which are in the column ``name``: each record claims to be of one person."""
    return backend.scan(release, name).map_batches(_OfOnePerson(name), CLAIMS)


def unlinked_records(released: Partitions, n_released: int, links: TabularFile, backend: Backend) -> UnlinkedRecords:
    """Compare the pseudonyms of a release, each with how many people it claims to be of, with the links of a ledger."""
    linked = backend.scan(links, PSEUDONYM).map_batches(_claimed_by_none, CLAIMS)
    together = together_by_name(released.union(linked), n_released + links.rows, "comparing with the ledger")
    found = together.map_partitions(_unlinked, _FOUND).collect("comparing with the ledger")
    return UnlinkedRecords(*(int(found[each].sum()) for each in _FOUND))


def together_by_name(rows: Partitions, n_rows: int, title: str) -> Partitions:
    """Return rows in partitions in which all of a pseudonym are together."""
    hashed = rows.map_batches(_hashed, {**rows.columns, _HASH: pl.UInt64()})
    return hashed.shuffle(_HASH, n_rows, title)


def _hashed(batch: pl.DataFrame) -> pl.DataFrame:
    return batch.with_columns(batch[PSEUDONYM].hash().alias(_HASH))


@dataclass(frozen=True)
class _OfOnePerson:
    name: str

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        return batch.select(pl.col(self.name).cast(pl.String).alias(PSEUDONYM), pl.lit(1, pl.Int64).alias(CLAIMED))


def _claimed_by_none(batch: pl.DataFrame) -> pl.DataFrame:
    return batch.select(pl.col(PSEUDONYM).cast(pl.String), pl.lit(None, pl.Int64).alias(CLAIMED))


def _unlinked(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    """Count the records of a partition, in which all lines of a pseudonym are."""
    claimed = pl.col(CLAIMED)
    counted = rows.group_by(PSEUDONYM).agg(
        claimed.is_not_null().any().alias("released"), claimed.sum(), claimed.is_null().sum().alias("linked")
    )
    released, linked = counted["released"], counted["linked"] > 0
    differ = counted[CLAIMED] != counted["linked"].cast(pl.Int64)
    numbers = [(released & ~linked).sum(), (linked & ~released).sum(), (released & linked & differ).sum()]
    return pl.DataFrame({name: [int(each)] for name, each in zip(_FOUND, numbers, strict=True)}, schema=dict(_FOUND))
