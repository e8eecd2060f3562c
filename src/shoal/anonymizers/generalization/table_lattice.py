"""The lattice of a table: its quasi-identifiers with hierarchies, and the groups at a node.

Counts of records are rolled up from node to node. Where a person may have several records, groups are counted in
people, and these counts cannot be rolled up: two groups may have people in common. They are counted from the records at
every node that is evaluated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.anonymizers.allowance import Allowance
from shoal.data import Column, Hierarchy, Microdata
from shoal.engines import Engine
from shoal.errors import SchemaError
from shoal.evidence import GroupCounts, Grouping, NeedGroups, PrivacyHashTable, equal_codes
from shoal.models import PrivacyModel

__all__ = ["NodePeople", "TableLattice", "all_or_nothing"]


class NodePeople:
    """Counts the people of groups, in a table in which a person may have several records."""

    def __init__(self, table: Microdata, hierarchies: Sequence[Hierarchy], engine: Engine, *, sensitive: bool) -> None:
        self._table, self._hierarchies, self._engine, self._sensitive = table, hierarchies, engine, sensitive
        self._last: tuple[PrivacyHashTable, Grouping] | None = None

    def counts(self, node: PrivacyHashTable) -> GroupCounts:
        """Count the people of the groups of a node, in the order of its table."""
        return self._engine.count(self._table, self._grouping(node), sensitive=self._sensitive)

    def may_withhold(self, node: PrivacyHashTable, withheld: np.ndarray, max_withheld: Allowance) -> bool:
        """Decide whether the groups of a mask may be withheld, in records and in people."""
        return max_withheld.covers(self._grouping(node).members(withheld), self._table.persons)

    def _grouping(self, node: PrivacyHashTable) -> Grouping:
        """Return the group of each record; the last node is kept, as it is asked for several times in a row."""
        if self._last is None or self._last[0] is not node:
            self._last = node, Grouping(self._groups(node), len(node))
        return self._last[1]

    def _groups(self, node: PrivacyHashTable) -> np.ndarray:
        """Return the group of each record: the one with the same label in every attribute."""
        columns = zip(self._table.quasi_identifiers, self._hierarchies, node.node, node.labels.T, strict=True)
        parts = (
            (np.concatenate([of_groups, hierarchy.maps[level][column.codes]]), len(hierarchy.labels[level]))
            for column, hierarchy, level, of_groups in columns
        )
        # the groups come before the records and differ from each other, so they are numbered in their order
        return equal_codes(parts, len(node) + len(self._table))[0][len(node) :]


@dataclass(frozen=True, eq=False)
class TableLattice:
    """A table and the lattice of its full-domain generalizations."""

    table: Microdata
    engine: Engine

    def __post_init__(self) -> None:
        if not self.table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalize.", "Give columns that role in the schema.")

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """The hierarchy of each quasi-identifier; one without a hierarchy is published as it is or suppressed."""
        return tuple(column.hierarchy or all_or_nothing(column) for column in self.table.quasi_identifiers)

    def hash_table(self, models: Sequence[PrivacyModel]) -> PrivacyHashTable:
        """Count records, and the sensitive values that promises need, for each combination of values that occurs."""
        grouping = self.engine.group(self.table)
        in_people = self.table.has_repeated_people
        records = replace(self.table, persons=None) if in_people else self.table
        counts = self.engine.count(records, grouping, sensitive=_need_sensitive(models) and not in_people)
        first = np.zeros(grouping.n_groups, np.int64)
        first[grouping.labels[::-1]] = np.arange(len(self.table))[::-1]
        values = [column.codes[first] for column in self.table.quasi_identifiers]
        return PrivacyHashTable.of_groups(self.hierarchies, values, counts)

    def people(self, models: Sequence[PrivacyModel]) -> NodePeople | None:
        """Return the counter of people at nodes; None where every record is of another person."""
        if not self.table.has_repeated_people:
            return None
        return NodePeople(self.table, self.hierarchies, self.engine, sensitive=_need_sensitive(models))

    def generalized(self, node: Sequence[int]) -> Microdata:
        """Return the table with every quasi-identifier generalized to its level at a node."""
        columns = (
            column.recoded(hierarchy.labels[level], hierarchy.generalized(column.codes, level))
            for column, hierarchy, level in zip(self.table.quasi_identifiers, self.hierarchies, node, strict=True)
        )
        return self.table.replaced(tuple(columns))


def _need_sensitive(models: Sequence[PrivacyModel]) -> bool:
    return any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in models)


def all_or_nothing(column: Column) -> Hierarchy:
    """Return the hierarchy of a column that has none: a value is published as it is, or suppressed."""
    values = column.vocabulary.values
    return Hierarchy.from_columns([values, pl.Series(["*"] * len(values), dtype=pl.String)])
