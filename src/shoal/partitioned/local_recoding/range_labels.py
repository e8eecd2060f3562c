"""Labels of groups that were cut: one for each extent of a group, numbered alike wherever the group is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.cut_segments import table_attributes
from shoal.anonymizers.generalization.cuts import Attribute, Segments
from shoal.backends import Columns, Shared
from shoal.data import CountedColumn, Microdata, Role
from shoal.errors import SchemaError
from shoal.partitioned.coded_columns import code_type
from shoal.partitioned.column_values import MOST_DIFFERENT
from shoal.partitioned.labeled_table import LabeledTable, Labeling, label_name, same_values
from shoal.partitioned.sums import sums_by_key
from shoal.partitioned.table import PartitionedTable, coded_name

from .segments_of_workers import GROUP

__all__ = ["labeled_by_extents", "refuse_many_labels"]

_ENDS = ("e0", "e1", "e2")
_EXTENTS: Columns = {"column": pl.UInt32(), **dict.fromkeys(_ENDS, pl.Int64())}


def labeled_by_extents(table: PartitionedTable, *, by_hierarchy: bool, widened: bool) -> LabeledTable:
    """Return the table with one label for each group and quasi-identifier; its rows say in which group each is."""
    cutting = _Extents(table.columns, by_hierarchy, widened)
    found = sums_by_key(table.rows.map_partitions(cutting, _EXTENTS), list(_EXTENTS), "labeling groups")
    labels, by_value, codes = [], [], []
    for place, column in enumerate(table.columns):
        if column.role is not Role.QUASI_IDENTIFIER:
            labels.append(column.vocabulary)
            by_value.append(np.arange(len(column.vocabulary)))
            continue
        extents = found.filter(pl.col("column") == place).select(_ENDS).to_numpy()
        refuse_many_labels(column, len(extents))
        (attribute,) = _attributes([column.among_all(np.zeros(0))], by_hierarchy=by_hierarchy)
        names, numbers = attribute.labels(extents)
        labels.append(names)
        by_value.append(None)
        codes.append(_LabelOfExtent.of(place, extents, numbers, len(names)))
    same = tuple(map(same_values, table.columns, labels))
    rows = {name: dtype for name, dtype in table.rows.columns.items() if name != GROUP}
    own: Columns = {label_name(each.place): code_type(each.n_labels) for each in codes}
    labeling = _Label(table.backend.shared(cutting), table.backend.shared(tuple(codes)))
    labeled = table.rows.map_partitions(labeling, {**rows, **own})
    return LabeledTable(replace(table, rows=labeled), tuple(labels), Labeling(tuple(by_value), same))


def refuse_many_labels(column: CountedColumn, n_labels: int) -> None:
    """Refuse a column with more labels than can be brought here."""
    if n_labels > MOST_DIFFERENT:
        raise SchemaError(
            f"The column {column.name!r} would have {n_labels:,} different labels, and in a table of this size it may "
            f"have {MOST_DIFFERENT:,}.",
            "Round its values or join them to fewer, or publish in memory (--engine local).",
        )


def _attributes(columns: Sequence[CountedColumn], *, by_hierarchy: bool) -> list[Attribute]:
    return table_attributes(Microdata(tuple(columns)), by_hierarchy=by_hierarchy)


@dataclass(frozen=True)
class _Extents:
    """Finds the extents of the groups of a partition."""

    columns: tuple[CountedColumn, ...]
    by_hierarchy: bool
    widened: bool

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        found = [pl.DataFrame(schema=dict(_EXTENTS))]
        if rows.height:
            for place, extents in self.of_groups(rows).items():
                ends = {name: pl.Series(each) for name, each in zip(_ENDS, extents.T, strict=True)}
                found.append(pl.DataFrame(ends).unique().select(pl.lit(place, pl.UInt32).alias("column"), *_ENDS))
        return pl.concat(found)

    def of_groups(self, rows: pl.DataFrame) -> dict[int, np.ndarray]:
        """Return for each quasi-identifier the extents of the groups of a partition: three numbers each."""
        groups = rows[GROUP].to_numpy()
        order = np.argsort(groups, kind="stable")
        begins = np.concatenate([[0], np.cumsum(np.bincount(groups))])
        segments, found = Segments(order, begins), {}
        for place, column in enumerate(self.columns):
            if column.role is Role.QUASI_IDENTIFIER:
                codes = column.among_all(rows[coded_name(place)].to_numpy())
                (attribute,) = _attributes([codes], by_hierarchy=self.by_hierarchy)
                extents = attribute.extents(segments)
                extents = attribute.widened(extents) if self.widened else extents
                found[place] = np.pad(extents.astype(np.int64), ((0, 0), (0, len(_ENDS) - extents.shape[1])))
        return found


@dataclass(frozen=True)
class _LabelOfExtent:
    """Which label the extents of a group have in one column."""

    place: int
    spans: tuple[int, ...]
    """How many numbers there may be in each place of an extent."""
    keys: np.ndarray
    """The extents, each as one number, ascending."""
    codes: np.ndarray
    n_labels: int

    @classmethod
    def of(cls, place: int, extents: np.ndarray, codes: np.ndarray, n_labels: int) -> "_LabelOfExtent":
        """Number extents, all that there are, which have labels of these codes."""
        spans = tuple(int(each) + 1 for each in extents.max(axis=0, initial=0))
        keys = _keys(extents, spans)
        order = np.argsort(keys)
        return cls(place, spans, keys[order], np.asarray(codes)[order], n_labels)

    def __call__(self, extents: np.ndarray) -> np.ndarray:
        return self.codes[np.searchsorted(self.keys, _keys(extents, self.spans))]


def _keys(extents: np.ndarray, spans: Sequence[int]) -> np.ndarray:
    """Return extents as one number each."""
    keys = np.zeros(len(extents), np.int64)
    for ends, span in zip(extents.T, spans, strict=True):
        keys = keys * span + ends
    return keys


@dataclass(frozen=True)
class _Label:
    """Writes the labels of each record in the place of the number of its group."""

    extents: Shared[_Extents]
    codes: Shared[tuple[_LabelOfExtent, ...]]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        extents = self.extents.value.of_groups(rows) if rows.height else {}
        groups, columns = rows[GROUP].to_numpy(), []
        for each in self.codes.value:
            codes = each(extents[each.place])[groups] if rows.height else groups
            columns.append(pl.Series(label_name(each.place), codes).cast(code_type(each.n_labels)))
        return rows.drop(GROUP).with_columns(columns)
