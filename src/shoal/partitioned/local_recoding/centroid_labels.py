"""Centroids as the labels of groups: numbered alike wherever a group is."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.anonymizers.microaggregation.centroids import group_centroids
from shoal.backends import Columns, Shared
from shoal.data import Column, CountedColumn, Role, Vocabulary
from shoal.partitioned.coded_columns import code_type
from shoal.partitioned.labeled_table import LabeledTable, Labeling, label_name, same_values
from shoal.partitioned.sums import sums_by_key
from shoal.partitioned.table import PartitionedTable, coded_name

from .range_labels import refuse_many_labels
from .segments_of_workers import GROUP

__all__ = ["labeled_by_centroids"]

_CENTROIDS: Columns = {"column": pl.UInt32(), "number": pl.Int64(), "missing": pl.Boolean()}
"""A column and one of its centroids, as the bits of a number."""


def labeled_by_centroids(table: PartitionedTable) -> LabeledTable:
    """Return the table with the centroid of each group and quasi-identifier; its rows say in which group each is."""
    finding = _Centroids(table.columns)
    found = sums_by_key(table.rows.map_partitions(finding, _CENTROIDS), list(_CENTROIDS), "finding centroids")
    labels: dict[int, Vocabulary] = {}
    for place in finding.places:
        mine = found.filter(pl.col("column") == place)
        refuse_many_labels(table.columns[place], mine.height)
        labels[place] = _vocabulary(table.columns[place], mine)
    names = tuple(labels.get(place, column.vocabulary) for place, column in enumerate(table.columns))
    by_value = tuple(None if place in labels else np.arange(len(each)) for place, each in enumerate(names))
    rows = {name: dtype for name, dtype in table.rows.columns.items() if name != GROUP}
    own: Columns = {label_name(place): code_type(len(each)) for place, each in labels.items()}
    writing = _Label(table.backend.shared(finding), table.backend.shared(labels))
    labeled = table.rows.map_partitions(writing, {**rows, **own})
    same = tuple(map(same_values, table.columns, names))
    return LabeledTable(replace(table, rows=labeled), names, Labeling(by_value, same), truthful=False)


def _bits(centroids: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return values as whole numbers, and whether each is missing."""
    physical = centroids.to_physical()
    filled = physical.fill_null(0).to_numpy()
    whole = filled.view(np.int64) if physical.dtype == pl.Float64 else filled.astype(np.int64)
    return pl.Series(whole), centroids.is_null()


def _vocabulary(column: CountedColumn, found: pl.DataFrame) -> Vocabulary:
    """Return the centroids of a column from their bits."""
    if not column.vocabulary.is_ordered:
        return column.vocabulary
    dtype = _centroids(column, np.zeros(1, np.int64), np.zeros(1, np.int64)).dtype
    bits = found["number"].to_numpy()
    values = pl.Series(bits.view(np.float64)) if dtype == pl.Float64 else pl.Series(bits).cast(_physical(dtype))
    typed = pl.select(pl.when(~found["missing"]).then(values.cast(dtype)).otherwise(None)).to_series()
    return Vocabulary.encode(typed)[0]


def _physical(dtype: pl.DataType) -> pl.DataType:
    return pl.Series([], dtype=dtype).to_physical().dtype


def _centroids(column: CountedColumn, codes: np.ndarray, groups: np.ndarray) -> Column:
    return group_centroids(column.with_codes(codes), groups)


@dataclass(frozen=True)
class _Centroids:
    """Finds the centroids of the groups of a partition."""

    columns: tuple[CountedColumn, ...]

    @property
    def places(self) -> list[int]:
        """Where the quasi-identifiers are."""
        return [place for place, column in enumerate(self.columns) if column.role is Role.QUASI_IDENTIFIER]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = [pl.DataFrame(schema=dict(_CENTROIDS))]
        for place in self.places if rows.height else []:
            if self.columns[place].vocabulary.is_ordered:  # others have values of the column
                bits, missing = _bits(self.of_groups(rows, place).vocabulary.values)
                columns = {
                    "column": pl.Series([place] * len(bits), dtype=pl.UInt32),
                    "number": bits,
                    "missing": missing,
                }
                found.append(pl.DataFrame(columns))
        return pl.concat(found)

    def of_groups(self, rows: pl.DataFrame, place: int) -> Column:
        """Return a column in which every record has the centroid of its group."""
        groups = rows[GROUP].to_numpy().astype(np.int64)
        return _centroids(self.columns[place], rows[coded_name(place)].to_numpy(), groups)


@dataclass(frozen=True)
class _Label:
    """Writes the centroids of each record in the place of the number of its group."""

    centroids: Shared[_Centroids]
    labels: Shared[dict[int, Vocabulary]]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        columns = []
        for place, labels in self.labels.value.items():
            codes = self._codes(rows, place, labels) if rows.height else np.zeros(0, np.int64)
            columns.append(pl.Series(label_name(place), codes).cast(code_type(len(labels))))
        return rows.drop(GROUP).with_columns(columns)

    def _codes(self, rows: pl.DataFrame, place: int, labels: Vocabulary) -> np.ndarray:
        made = self.centroids.value.of_groups(rows, place)
        return labels.codes(made.vocabulary.values)[made.codes]
