"""Strata that were recoded locally, each by itself, put together as one table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.data import Role
from shoal.partitioned.labeled_table import LEFT_OUT, LabeledTable, Labeling, label_name, same_values
from shoal.partitioned.write_parts import DRAWN, drawn

from .division import STRATUM, DividedTable
from .joined_labels import joined_labels

__all__ = ["put_together"]


def put_together(strata: DividedTable, labeled: Sequence[LabeledTable]) -> LabeledTable:
    """Return one table of the strata that are large enough, as each is labeled; records of the others are left out."""
    table, backend = strata.table, strata.table.backend
    labels, by_value, maps = [], [], [dict[int, np.ndarray]() for _ in labeled]
    for place, column in enumerate(table.columns):
        if column.role is not Role.QUASI_IDENTIFIER:
            labels.append(column.vocabulary)
            by_value.append(np.arange(len(column.vocabulary)))
            continue
        joined, codes = joined_labels([each.labels[place] for each in labeled])
        labels.append(joined)
        by_value.append(None)
        for own, map_ in zip(maps, codes, strict=True):
            own[place] = map_.astype(np.uint32)
    others = {name: dtype for name, dtype in table.rows.columns.items() if name != STRATUM}
    local: Columns = dict.fromkeys(map(label_name, maps[0]), pl.UInt32())
    columns: Columns = {**others, DRAWN: pl.UInt64(), **local, LEFT_OUT: pl.Boolean()}
    parts: list[Partitions] = []
    for each, own in zip(labeled, maps, strict=True):
        relabel = _Relabel(each.labeling, backend.shared(own), tuple(columns))
        parts.append(each.table.rows.map_batches(relabel, columns))
    if len(strata.records) > strata.n_large:
        parts.append(drawn(strata.too_small).map_batches(_LeaveOut(tuple(columns)), columns))
    rows = parts[0].union(*parts[1:]).persist("putting strata together")
    same = tuple(map(same_values, table.columns, labels))
    truthful = all(each.truthful for each in labeled)
    return LabeledTable(replace(table, rows=rows), tuple(labels), Labeling(tuple(by_value), same), truthful)


@dataclass(frozen=True)
class _Relabel:
    """Gives the records of a stratum the labels of all strata."""

    labeling: Labeling
    maps: Shared[dict[int, np.ndarray]]
    """By place of a quasi-identifier, the code of each label of the stratum among those of all strata."""
    columns: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        labels = [
            pl.Series(label_name(place), codes[self.labeling.codes(rows, place)])
            for place, codes in self.maps.value.items()
        ]
        return rows.with_columns(*labels, pl.lit(value=False).alias(LEFT_OUT)).select(self.columns)


@dataclass(frozen=True)
class _LeaveOut:
    """Leaves out the records of a stratum; what their labels are does not matter."""

    columns: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        labels = [pl.lit(0, pl.UInt32).alias(name) for name in self.columns if name not in rows.columns]
        return rows.with_columns(labels).with_columns(pl.lit(value=True).alias(LEFT_OUT)).select(self.columns)
