"""The promises on a table that is not in memory, judged by what is counted of groups."""

from collections.abc import Sequence

import numpy as np

from shoal.anonymizers.promises import GroupPromises
from shoal.data import Microdata
from shoal.engines import LocalEngine
from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel
from shoal.partitioned.table import PartitionedTable

__all__ = ["promises_by_counts"]


def promises_by_counts(
    table: PartitionedTable, models: Sequence[PrivacyModel], everybody: GroupCounts
) -> GroupPromises:
    """Return what judges groups of a table, among ``everybody``; no record of it is here."""
    columns = tuple(column.among_all(np.zeros(0)) for column in (*table.quasi_identifiers, *table.sensitive))
    nobody = Microdata(columns, np.zeros(0, np.int64) if table.names_people else None)
    return GroupPromises(nobody, models, LocalEngine(), everybody)
