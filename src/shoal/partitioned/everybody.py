"""All records of a table as one group: what promises that compare groups with all records compare them with."""

from collections.abc import Sequence

import numpy as np

from shoal.data import CountedColumn
from shoal.evidence import GroupCounts, SensitiveValues, ValueCounts

from .people.values import people_of_values
from .table import PartitionedTable

__all__ = ["as_one_group", "everybody_of"]


def everybody_of(table: PartitionedTable) -> GroupCounts:
    """Return what is counted of all records as one group.

    Where people may have several, they are counted, and all records of a person are in one partition.
    """
    if table.names_people and table.sensitive:
        return as_one_group(table.sensitive, people_of_values(table, are_together=True), table.n_people)
    return as_one_group(table.sensitive, [column.counts for column in table.sensitive], table.n_people)


def as_one_group(sensitive: Sequence[CountedColumn], numbers: Sequence[np.ndarray], size: int) -> GroupCounts:
    """Return one group of so many, of whom these numbers have each value of the sensitive columns."""
    values = []
    for column, given in zip(sensitive, numbers, strict=True):
        held = np.flatnonzero(given)
        known = SensitiveValues(column, given)
        values.append(ValueCounts(np.array([0, len(held)]), held.astype(np.int32), given[held], len(given), known))
    return GroupCounts(np.array([size]), tuple(values))
