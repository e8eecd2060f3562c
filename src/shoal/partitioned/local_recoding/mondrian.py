"""The method ``mondrian`` on a table that is not in memory: the same groups as in memory.

The first cuts are made of counts (:mod:`.top_cuts`). Segments that are small enough go each to one worker, which cuts
them further as in memory; what groups are compared with, and how wide values are, is that of the whole table. Where
people may have several records, groups are judged in people, as in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.cut_segments import cut_segments, table_attributes
from shoal.anonymizers.generalization.cuts import Segments
from shoal.anonymizers.mondrian.mondrian import Mondrian
from shoal.anonymizers.promises import GroupPromises
from shoal.data import CountedColumn
from shoal.engines import LocalEngine
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.labeled_table import LabeledTable
from shoal.partitioned.table import PartitionedTable

from .range_labels import labeled_by_extents
from .segments_of_workers import gathered, grouped_by_workers, part_of_table, refuse_unfit
from .top_cuts import top_cuts

__all__ = ["cut_by_mondrian"]


def cut_by_mondrian(table: PartitionedTable, models: Sequence[PrivacyModel], method: Mondrian) -> LabeledTable:
    """Return the table with the labels of the groups that Mondrian makes."""
    refuse_unfit(table, models, method.name)
    table = gathered(table)
    everybody, by_hierarchy = everybody_of(table), method.numbers == "hierarchy"
    tree = top_cuts(table, models, everybody, by_hierarchy=by_hierarchy, most=table.backend.most_records)
    cutting = _Cutting(table.columns, tuple(models), everybody, by_hierarchy)
    groups = grouped_by_workers(table, tree, cutting)
    return labeled_by_extents(groups, by_hierarchy=by_hierarchy, widened=method.labels == "safe")


@dataclass(frozen=True)
class _Cutting:
    """Cuts a part of a table as it would be cut within the whole."""

    columns: tuple[CountedColumn, ...]
    models: tuple[PrivacyModel, ...]
    everybody: GroupCounts
    by_hierarchy: bool

    def __call__(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the group of each record of a segment, from 0 on."""
        table = part_of_table(self.columns, rows)
        promises = GroupPromises(table, self.models, LocalEngine(), self.everybody)
        whole = Segments(np.arange(len(table)), np.array([0, len(table)]))
        made = cut_segments(whole, table_attributes(table, by_hierarchy=self.by_hierarchy), promises)
        groups = np.empty(len(table), np.int64)
        groups[made.order] = np.repeat(np.arange(len(made)), made.sizes)
        return groups
