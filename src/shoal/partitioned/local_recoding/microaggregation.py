"""The method ``microaggregation`` in blocks, on a table that is not in memory: the same blocks and groups as in memory.

Blocks are segments of the first cuts (:mod:`.top_cuts`). Each goes to one worker, which groups its records as in
memory; distances, and what groups are compared with, are those of the whole table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import polars as pl

from shoal.anonymizers.microaggregation.microaggregation import Microaggregation
from shoal.data import CountedColumn
from shoal.engines import LocalEngine
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.everybody import everybody_of
from shoal.partitioned.labeled_table import LabeledTable
from shoal.partitioned.table import PartitionedTable
from shoal.randomness import Randomness

from .centroid_labels import labeled_by_centroids
from .segments_of_workers import gathered, grouped_by_workers, part_of_table, refuse_unfit
from .top_cuts import top_cuts

__all__ = ["aggregated_in_blocks"]


def aggregated_in_blocks(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Microaggregation, randomness: Randomness
) -> LabeledTable:
    """Return the table with the centroids of the groups that microaggregation makes in blocks."""
    refuse_unfit(table, models, method.name)
    table = gathered(table)
    everybody = everybody_of(table)
    tree = top_cuts(table, method.of_blocks(models), everybody, by_hierarchy=False, most=cast(int, method.blocks))
    grouping = _Grouping(table.columns, tuple(models), method, randomness, everybody)
    return labeled_by_centroids(grouped_by_workers(table, tree, grouping))


@dataclass(frozen=True)
class _Grouping:
    """Makes groups of a block."""

    columns: tuple[CountedColumn, ...]
    models: tuple[PrivacyModel, ...]
    method: Microaggregation
    randomness: Randomness
    everybody: GroupCounts

    def __call__(self, rows: pl.DataFrame) -> np.ndarray:
        """Return the group of each record of a block, from 0 on."""
        block = part_of_table(self.columns, rows)
        return self.method.groups_of_block(block, self.models, LocalEngine(), self.randomness, self.everybody)
