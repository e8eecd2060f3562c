"""A table's quasi-identifiers with hierarchies, and its privacy hash table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy, Microdata
from shoal.engines import Engine
from shoal.errors import SchemaError
from shoal.evidence import NeedGroups, PrivacyHashTable
from shoal.models import PrivacyModel

from .node_people import NodePeople

__all__ = ["TableLattice"]


@dataclass(frozen=True, eq=False)
class TableLattice:
    """A table and the ways to tell its quasi-identifiers less exactly."""

    table: Microdata
    engine: Engine

    def __post_init__(self) -> None:
        if not self.table.quasi_identifiers:
            raise SchemaError("There is no quasi-identifier to generalise.", "Give columns that role in the schema.")

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """The hierarchy of each quasi-identifier; one that has none is told or not told."""
        return tuple(column.hierarchy or _all_or_nothing(column) for column in self.table.quasi_identifiers)

    def hash_table(self, models: Sequence[PrivacyModel]) -> PrivacyHashTable:
        """Count records, and what promises need of them, once for each combination of values that occurs."""
        grouping = self.engine.group(self.table)
        in_people = self.table.has_repeated_people
        records = replace(self.table, persons=None) if in_people else self.table
        counts = self.engine.count(records, grouping, sensitive=_look_at_values(models) and not in_people)
        first = np.zeros(grouping.n_groups, np.int64)
        first[grouping.labels[::-1]] = np.arange(len(self.table))[::-1]
        values = [column.codes[first] for column in self.table.quasi_identifiers]
        return PrivacyHashTable.of_groups(self.hierarchies, values, counts)

    def people(self, models: Sequence[PrivacyModel]) -> NodePeople | None:
        """Return what counts the people at nodes, where they may have several records each; else records are people."""
        if not self.table.has_repeated_people:
            return None
        return NodePeople(self.table, self.hierarchies, self.engine, sensitive=_look_at_values(models))

    def generalised(self, node: Sequence[int]) -> Microdata:
        """Tell every quasi-identifier at the level of a node."""
        told = (
            column.recoded(hierarchy.labels[level], hierarchy.generalised(column.codes, level))
            for column, hierarchy, level in zip(self.table.quasi_identifiers, self.hierarchies, node, strict=True)
        )
        return self.table.replaced(tuple(told))


def _look_at_values(models: Sequence[PrivacyModel]) -> bool:
    return any(isinstance(model.need, NeedGroups) and model.need.sensitive for model in models)


def _all_or_nothing(column: Column) -> Hierarchy:
    values = column.vocabulary.values
    return Hierarchy.from_columns([values, pl.Series(["*"] * len(values), dtype=pl.String)])
