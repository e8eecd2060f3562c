"""Strata that are generalized, each to a node of its own, or left as they are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.anonymizers import Allowance
from shoal.anonymizers.lattice.lattice import Lattice, LatticeOutcome
from shoal.backends import Columns, Shared
from shoal.data import Role, Vocabulary
from shoal.models import PrivacyModel
from shoal.partitioned.labeled_table import LEFT_OUT, LabeledTable, Labeling, label_name, same_values
from shoal.partitioned.lattice import PartitionedLattice, hierarchies_of
from shoal.partitioned.table import PartitionedTable, coded_name
from shoal.partitioned.write_parts import drawn

from .division import STRATUM, DividedTable
from .joined_labels import joined_labels

__all__ = ["generalized_in_strata"]


def generalized_in_strata(
    table: PartitionedTable, models: Sequence[PrivacyModel], method: Lattice | None, budget: Allowance
) -> tuple[LabeledTable, list[LatticeOutcome]]:
    """Return a table in which each stratum is generalized by itself, or left as it is, and what was found of each."""
    strata = DividedTable.of(table, models, budget)
    kept = strata.promises(models)
    outcomes, nodes = [], []
    for part, some in strata.parts(budget):
        if method is None:
            nodes.append((0,) * len(table.quasi_identifiers))
            continue
        outcome = PartitionedLattice(part).searched(method, kept, some)
        outcomes.append(outcome)
        nodes.append(method.best_node(outcome))
    return _labeled(strata, nodes), outcomes


def _labeled(strata: DividedTable, nodes: Sequence[tuple[int, ...]]) -> LabeledTable:
    """Return the table in which each stratum is generalized to its node."""
    table, places = strata.table, iter(range(len(strata.table.quasi_identifiers)))
    labels, by_value, levels = [], [], {}
    for place, column in enumerate(table.columns):
        if column.role is not Role.QUASI_IDENTIFIER:
            labels.append(column.vocabulary)
            by_value.append(np.arange(len(column.vocabulary)))
            continue
        attribute = next(places)
        own = _LevelLabels.of(table, attribute, [node[attribute] for node in nodes])
        labels.append(own.labels)
        by_value.append(None)
        levels[place] = own
    columns = {name: dtype for name, dtype in table.rows.columns.items() if name != STRATUM}
    made: Columns = {**columns, **{label_name(place): pl.UInt32() for place in levels}, LEFT_OUT: pl.Boolean()}
    rows = table.rows.map_batches(_Label(table.backend.shared(levels), strata.n_large), made)
    same = tuple(map(same_values, table.columns, labels))
    return LabeledTable(replace(table, rows=drawn(rows)), tuple(labels), Labeling(tuple(by_value), same))


@dataclass(frozen=True)
class _LevelLabels:
    """The labels of a quasi-identifier that is generalized to another level in each stratum."""

    labels: Vocabulary
    by_level: dict[int, np.ndarray]
    """By level, the label of each value."""
    level_of: np.ndarray
    """By stratum, the level."""

    @classmethod
    def of(cls, table: PartitionedTable, attribute: int, levels: Sequence[int]) -> "_LevelLabels":
        hierarchy = hierarchies_of(table)[attribute]
        used = list(dict.fromkeys(levels))
        labels, codes = joined_labels([hierarchy.labels[level] for level in used])
        by_level = {level: each[hierarchy.maps[level]] for level, each in zip(used, codes, strict=True)}
        return cls(labels, by_level, np.array(levels, np.int64))


@dataclass(frozen=True)
class _Label:
    """Labels rows by their stratum; those of strata that are too small are left out."""

    levels: Shared[dict[int, _LevelLabels]]
    n_large: int

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        strata = rows[STRATUM].to_numpy()
        large, labeled = strata < self.n_large, []
        for place, own in self.levels.value.items():
            values, labels = rows[coded_name(place)].to_numpy(), np.zeros(rows.height, np.uint32)
            level = own.level_of[np.where(large, strata, 0)]
            for each, by_value in own.by_level.items():
                here = level == each
                labels[here] = by_value[values[here]]
            labeled.append(pl.Series(label_name(place), labels))
        return rows.drop(STRATUM).with_columns(*labeled, pl.Series(LEFT_OUT, ~large))
