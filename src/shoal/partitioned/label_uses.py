"""How the labels of a table are used by what is published of it: by how many records, and for which values."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions
from shoal.data import Column, CountedColumn, Vocabulary
from shoal.labels import PublishedColumn, published_column

from .labeled_table import LabeledTable
from .local_recoding.used_labels import USED, used_labels
from .sums import sums_by_key
from .table import coded_name

__all__ = ["LabelUse", "counts_of_values", "label_uses"]


@dataclass(frozen=True)
class LabelUse:
    """How the labels of one column are used."""

    column: CountedColumn
    """The column of the originals."""
    labels: Vocabulary
    records: np.ndarray
    """By label, how many published records have it."""
    covered: np.ndarray
    """By label, how many different values are published under it."""
    pairs: tuple[np.ndarray, np.ndarray]
    """Labels, and values that are published under them."""
    n_values: int
    """How many different values the published records have."""
    changed: int
    """How many records are published with another label than their value."""

    @property
    def published(self) -> PublishedColumn:
        """The labels read beside the originals; of its records only those of the pairs are there."""
        labels, under = self.pairs
        occurring = np.flatnonzero(self.column.counts)
        original = self.column.with_codes(np.concatenate([occurring, under]))
        published = original.recoded(self.labels, np.asarray(labels))
        return published_column(original, published, len(occurring) + np.arange(len(under)))


def label_uses(rows: Partitions, labeled: LabeledTable) -> list[LabelUse]:
    """Return how the labels of each column are used by these rows, which are published."""
    labeling, columns = labeled.labeling, labeled.table.columns
    local = any(each is None for each in labeling.by_value)
    own = used_labels(rows, labeled) if local else pl.DataFrame(schema=dict(USED))
    uses = []
    for place, given in enumerate(counts_of_values(rows, columns)):
        column, labels, label_of = columns[place], labeled.labels[place], labeling.by_value[place]
        if label_of is None:
            uses.append(_by_record(column, labels, given, own.filter(pl.col("column") == place)))
        else:
            uses.append(_by_value(column, labels, given, label_of, labeling.same[place]))
    return uses


def _by_record(column: CountedColumn, labels: Vocabulary, given: np.ndarray, own: pl.DataFrame) -> LabelUse:
    """Return the use of labels of which each record has its own, if so many published records have each value."""
    under, values = own["label"].to_numpy(), own["value"].to_numpy()
    records, covered, unchanged = (np.zeros(len(labels), np.int64) for _ in range(3))
    for name, amounts in (("records", records), ("covered", covered), ("unchanged", unchanged)):
        amounts[under] = own[name].to_numpy()  # the same for all values of a label
    changed = int(records.sum() - unchanged.sum())
    return LabelUse(column, labels, records, covered, (under, values), int(np.count_nonzero(given)), changed)


def _by_value(
    column: CountedColumn, labels: Vocabulary, given: np.ndarray, label_of: np.ndarray, same: np.ndarray
) -> LabelUse:
    """Return the use of labels if so many published records have each value."""
    values = np.flatnonzero(given)
    under = label_of[values]
    changed = int(given[same[label_of] != np.arange(len(given))].sum())
    records = np.bincount(label_of, given, minlength=len(labels)).astype(np.int64)  # below 2⁵³: exact
    covered = np.bincount(under, minlength=len(labels))
    return LabelUse(column, labels, records, covered, (under, values), len(values), changed)


_VALUES: Columns = {"column": pl.UInt32(), "value": pl.UInt32(), "records": pl.Int64()}


def counts_of_values(rows: Partitions, columns: Sequence[Column]) -> list[np.ndarray]:
    """Return by column how many records have each value."""
    counted = rows.map_batches(_CountValues(len(columns)), _VALUES)
    summed = sums_by_key(counted, ["column", "value"], "counting what is published")
    counts = []
    for place, column in enumerate(columns):
        mine = summed.filter(pl.col("column") == place)
        counts.append(np.zeros(len(column.vocabulary), np.int64))
        counts[-1][mine["value"].to_numpy()] = mine["records"].to_numpy()
    return counts


@dataclass(frozen=True)
class _CountValues:
    n_columns: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        counted = [
            rows.group_by(pl.col(coded_name(place)).cast(pl.UInt32).alias("value"))
            .agg(pl.len().cast(pl.Int64).alias("records"))
            .select(pl.lit(place, pl.UInt32).alias("column"), "value", "records")
            for place in range(self.n_columns)
        ]
        return pl.concat([pl.DataFrame(schema=dict(_VALUES)), *counted])
