"""The groups at a node of the lattice counted in people, where a person may have several records.

How many people two groups have together does not follow from how many each has, so these numbers are not rolled up:
they are counted anew from the records at every node that is looked at.
"""

from collections.abc import Sequence

import numpy as np

from shoal.data import Hierarchy, Microdata
from shoal.engines import Engine
from shoal.evidence import GroupCounts, Grouping, PrivacyHashTable
from shoal.kernels.distinct_keys import distinct_keys

__all__ = ["NodePeople"]

_LARGEST_KEY = 2**62


class NodePeople:
    """A table whose records are of people with several each."""

    def __init__(self, table: Microdata, hierarchies: Sequence[Hierarchy], engine: Engine, *, sensitive: bool) -> None:
        self._table, self._hierarchies, self._engine, self._sensitive = table, hierarchies, engine, sensitive

    def counts(self, node: PrivacyHashTable) -> GroupCounts:
        """Count the people of the groups of a node, in the order of its table."""
        return self._engine.count(self._table, self._grouping(node), sensitive=self._sensitive)

    def are_spared(self, node: PrivacyHashTable, withheld: np.ndarray, spare: int) -> bool:
        """Tell whether no larger share of the people than of the records loses a record if groups are withheld."""
        gone = self._table.take(np.flatnonzero(self._grouping(node).members(withheld)))
        return gone.n_people * len(self._table) <= spare * self._table.n_people

    def _grouping(self, node: PrivacyHashTable) -> Grouping:
        return Grouping(self._groups(node), len(node))

    def _groups(self, node: PrivacyHashTable) -> np.ndarray:
        """Return the group of each record: that with the same label in every attribute."""
        keys, span = np.zeros(len(node) + len(self._table), np.int64), 1
        columns = zip(self._table.quasi_identifiers, self._hierarchies, node.node, node.labels.T, strict=True)
        for column, hierarchy, level, of_groups in columns:
            width = len(hierarchy.labels[level])
            if span * width >= _LARGEST_KEY:
                keys, span = distinct_keys(keys)
            keys = keys * width + np.concatenate([of_groups, hierarchy.maps[level][column.codes]])
            span *= width
        # every group comes before the records and is of another number than the groups before it
        return distinct_keys(keys)[0][len(node) :]
