"""The groups at a node of the lattice counted in people, where a person may have several records.

How many people two groups have together does not follow from how many each has, so these numbers are not rolled up:
they are counted anew from the records at every node that is looked at.
"""

from collections.abc import Sequence

import numpy as np

from shoal.data import Hierarchy, Microdata
from shoal.engines import Engine
from shoal.evidence import GroupCounts, Grouping, PrivacyHashTable, equal_codes

from .allowance import Allowance

__all__ = ["NodePeople"]


class NodePeople:
    """A table whose records are of people with several each."""

    def __init__(self, table: Microdata, hierarchies: Sequence[Hierarchy], engine: Engine, *, sensitive: bool) -> None:
        self._table, self._hierarchies, self._engine, self._sensitive = table, hierarchies, engine, sensitive
        self._last: tuple[PrivacyHashTable, Grouping] | None = None

    def counts(self, node: PrivacyHashTable) -> GroupCounts:
        """Count the people of the groups of a node, in the order of its table."""
        return self._engine.count(self._table, self._grouping(node), sensitive=self._sensitive)

    def are_spared(self, node: PrivacyHashTable, withheld: np.ndarray, spare: int) -> bool:
        """Tell whether groups may be withheld: they have few enough records, and few enough people lose one."""
        return Allowance.of(self._table, spare).covers(self._grouping(node).members(withheld), self._table.persons)

    def _grouping(self, node: PrivacyHashTable) -> Grouping:
        """Return which group each record is in; of one node it is asked for several times in a row."""
        if self._last is None or self._last[0] is not node:
            self._last = node, Grouping(self._groups(node), len(node))
        return self._last[1]

    def _groups(self, node: PrivacyHashTable) -> np.ndarray:
        """Return the group of each record: that with the same label in every attribute."""
        columns = zip(self._table.quasi_identifiers, self._hierarchies, node.node, node.labels.T, strict=True)
        parts = (
            (np.concatenate([of_groups, hierarchy.maps[level][column.codes]]), len(hierarchy.labels[level]))
            for column, hierarchy, level, of_groups in columns
        )
        # groups come before the records, each is another, and they are numbered in their order
        return equal_codes(parts, len(node) + len(self._table))[0][len(node) :]
