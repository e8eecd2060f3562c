"""How the labels of groups are used by what is published: by how many records, and for which values."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.errors import SchemaError
from shoal.partitioned.labeled_table import LabeledTable, Labeling
from shoal.partitioned.table import coded_name

__all__ = ["USED", "used_labels"]

USED: Columns = {
    "column": pl.UInt32(),
    "label": pl.UInt32(),
    "value": pl.UInt32(),
    "records": pl.Int64(),
    "covered": pl.Int64(),
    "unchanged": pl.Int64(),
}
"""A label of a column and a value that is published under it; then, for all values of the label together, how many
records have it, how many different values they have, and how many of the records have the value that it is written as.
"""
_MOST_USES = 1 << 24
"""How many labels with their values may be brought here."""
_KEY = "column and label"
_PAIRS: Columns = {
    _KEY: pl.UInt64(),
    **{name: USED[name] for name in ("column", "label", "value", "records", "unchanged")},
}


def used_labels(rows: Partitions, labeled: LabeledTable) -> pl.DataFrame:
    """Return how the labels are used that each record has of its own.

    Of a label that is a range, only the two lowest values and the highest are there: they tell what it covers.
    """
    table, labeling = labeled.table, labeled.labeling
    pairs = rows.map_batches(_CountPairs(table.backend.shared(labeling)), _PAIRS)
    n_local = sum(each is None for each in labeling.by_value)
    ranged = tuple(
        labeled.truthful and (column.vocabulary.is_ordered or column.hierarchy is None) for column in table.columns
    )
    together = pairs.shuffle(_KEY, n_local * len(table), "bringing labels together")
    used = together.map_partitions(_Use(ranged), USED).persist("counting labels")
    if (found := used.count("counting labels")) > _MOST_USES:
        raise SchemaError(
            f"Labels and the values under them make {found:,} pairs, and in a table of this size there may be "
            f"{_MOST_USES:,}.",
            "Round values or join them to fewer, or publish in memory (--engine local).",
        )
    return used.collect("counting labels")


@dataclass(frozen=True)
class _CountPairs:
    """Counts the pairs of a label and a value in a batch."""

    labeling: Shared[Labeling]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        labeling, found = self.labeling.value, [pl.DataFrame(schema=dict(_PAIRS))]
        for place, by_value in enumerate(labeling.by_value):
            if by_value is None:
                pairs = pl.DataFrame({"label": labeling.codes(rows, place), "value": rows[coded_name(place)]})
                counted = pairs.group_by("label", "value").agg(pl.len().alias("records"))
                own = labeling.same[place][counted["label"].to_numpy()] == counted["value"].to_numpy()
                unchanged = pl.Series("unchanged", np.where(own, counted["records"].to_numpy(), 0))
                key = pl.lit(place, pl.UInt64) * (1 << 32) + pl.col("label").cast(pl.UInt64)
                named = counted.with_columns(unchanged, pl.lit(place).alias("column"), key.alias(_KEY))
                found.append(named.select(pl.col(name).cast(dtype) for name, dtype in _PAIRS.items()))
        return pl.concat(found)


@dataclass(frozen=True)
class _Use:
    """Adds up what is counted of each label, all pairs of which are in one partition."""

    ranged: tuple[bool, ...]
    """By column, whether its labels are ranges, which their lowest and highest values tell."""

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        label = ["column", "label"]
        pairs = rows.group_by(*label, "value").agg(pl.col("records", "unchanged").sum()).sort(*label, "value")
        counted = pairs.with_columns(
            pl.col("records", "unchanged").sum().over(label),
            pl.len().over(label).alias("covered"),
            pl.int_range(pl.len()).over(label).alias("place"),
        )
        ranged = pl.col("column").is_in([place for place, each in enumerate(self.ranged) if each])
        is_end = (pl.col("place") < 2) | (pl.col("place") == pl.col("covered") - 1)
        return counted.filter(~ranged | is_end).select(pl.col(name).cast(dtype) for name, dtype in USED.items())
