"""The method ``top-down`` without its local search, on a table that is not in memory: the same groups as in memory.

The first steps are made of counts (:mod:`.top_steps`). Groups that are small enough go each to one worker, which
specializes them further as in memory; what groups are compared with is that of the whole table. Of records with equal
quasi-identifiers, chance decides which is lifted: in memory by a secret, here by what is drawn for each. Where people
may have several records, groups are judged in people and no single record is lifted, as in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.anonymizers.promises import GroupPromises
from shoal.anonymizers.top_down.descent import Descent
from shoal.anonymizers.top_down.specialization import Specialization
from shoal.anonymizers.top_down.top_down import TopDown
from shoal.data import CountedColumn, Hierarchy, Role
from shoal.engines import LocalEngine
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.labeled_table import LabeledTable
from shoal.partitioned.persons import persons_together
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import drawn

from .lifted_records import in_random_order
from .range_labels import labeled_by_extents
from .segments_of_workers import SEGMENT, grouped_by_workers, part_of_table, refuse_unfit
from .top_steps import first_steps

__all__ = ["specialized_top_down"]


def specialized_top_down(table: PartitionedTable, models: Sequence[PrivacyModel], method: TopDown) -> LabeledTable:
    """Return the table with the labels of the groups that the descent of ``top-down`` makes."""
    refuse_unfit(table, models, method.name)
    together = persons_together(table.rows, table.n_records) if table.names_people else table.rows
    table = replace(table, rows=drawn(together))
    everybody = everybody_of(table)
    hierarchies = method.hierarchies(table.quasi_identifiers)
    # a group in which every step is tried to its end must be with a worker
    steps = first_steps(table, models, everybody, hierarchies, max(table.backend.most_records, method.looked_ahead))
    descent = _Descending(
        table.columns, tuple(models), tuple(hierarchies), method.looked_ahead, everybody, steps.closed
    )
    downward = iter(hierarchies)
    columns = tuple(
        replace(column, hierarchy=next(downward)) if column.role is Role.QUASI_IDENTIFIER else column
        for column in table.columns
    )
    grouped = replace(grouped_by_workers(table, steps.tree, descent), columns=columns)
    labeled = labeled_by_extents(grouped, by_hierarchy=method.labels == "safe", widened=False)
    return replace(labeled, table=replace(labeled.table, columns=table.columns))


@dataclass(frozen=True)
class _Descending:
    """Specializes a part of a table as it would be within the whole."""

    columns: tuple[CountedColumn, ...]
    models: tuple[PrivacyModel, ...]
    hierarchies: tuple[Hierarchy, ...]
    looked_ahead: int
    everybody: GroupCounts
    closed: dict[int, np.ndarray]

    def __call__(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the group of each record of a segment, from 0 on."""
        table, engine = part_of_table(self.columns, rows), LocalEngine()
        promises = GroupPromises(table, self.models, engine, self.everybody)
        codes = [column.codes for column in table.quasi_identifiers]
        order, groups = np.lexsort([in_random_order(rows), *codes]), np.zeros(len(table), np.int64)
        if promises.keeps(order):
            descent = Descent(Specialization(codes, self.hierarchies, promises), engine, self.looked_ahead)
            descent.run(order, groups, self.closed.get(int(rows[SEGMENT][0])))
        return groups
