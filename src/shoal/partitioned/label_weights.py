"""What the values and the labels of a sample weigh: sums of sampling weights, which never leave."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions

from .labeled_table import LabeledTable, Labeling
from .table import WEIGHT, coded_name

__all__ = ["Weights", "label_weights"]


@dataclass(frozen=True)
class Weights:
    """What the values and the labels of one column weigh."""

    before: np.ndarray
    """By value, the weights of all records that have it."""
    after: np.ndarray
    """By label, the weights of the published records that have it."""


def label_weights(kept: Partitions, labeled: LabeledTable) -> list[Weights] | None:
    """Return by column what values and labels weigh, of which these rows are published; None without weights."""
    rows = labeled.table.rows
    if WEIGHT not in rows.columns:
        return None
    columns = labeled.table.columns
    before = _summed(rows, _AddUp(len(columns)), [len(column.vocabulary) for column in columns])
    after = _summed(kept, _AddUp(len(columns), labeled.labeling), [len(labels) for labels in labeled.labels])
    return [Weights(*both) for both in zip(before, after, strict=True)]


_SUMS: Columns = {"column": pl.UInt32(), "code": pl.Int64(), WEIGHT: pl.Float64()}


@dataclass(frozen=True)
class _AddUp:
    """Adds up the weights of a batch by column and code: of values, or of labels where there is a labeling."""

    n_columns: int
    labeling: Labeling | None = None

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        sums = []
        for place in range(self.n_columns):
            codes = batch[coded_name(place)].to_numpy() if self.labeling is None else self.labeling.codes(batch, place)
            weighed = pl.DataFrame({"code": codes.astype(np.int64), WEIGHT: batch[WEIGHT]})
            by_code = weighed.group_by("code").agg(pl.col(WEIGHT).sum())
            sums.append(by_code.select(pl.lit(place, pl.UInt32).alias("column"), "code", WEIGHT))
        return pl.concat([pl.DataFrame(schema=dict(_SUMS)), *sums])


def _summed(rows: Partitions, adding: _AddUp, sizes: list[int]) -> list[np.ndarray]:
    found = rows.map_batches(adding, _SUMS).collect("adding up weights")
    mine = (found.filter(pl.col("column") == place) for place in range(len(sizes)))
    return [np.bincount(each["code"], each[WEIGHT], minlength=size) for each, size in zip(mine, sizes, strict=True)]
