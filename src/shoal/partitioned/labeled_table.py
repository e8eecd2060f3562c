"""A table as it is to be published: each column has labels, and each record one of them.

Where a method generalizes values, a label belongs to a value, whoever has it (:mod:`.generalization`); where it recodes
locally, each record has labels of its own (:mod:`.local_recoding`). What follows, withholding, judging, writing and
measuring, asks for the labels of rows and need not know where they come from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.backends import Partitions
from shoal.data import Column, CountedColumn, Role, Vocabulary

from .group_rows import GroupLayout, packings
from .table import PartitionedTable, coded_name

__all__ = ["LEFT_OUT", "LabeledTable", "Labeling", "label_name", "same_values"]


LEFT_OUT = "left out"
"""The column that says which records the method itself withholds, where it withholds some; they are whole groups."""


def label_name(place: int) -> str:
    """Return what the column of rows is called that has the label of each record in the column at this place."""
    return f"l{place}"


@dataclass(frozen=True)
class Labeling:
    """Which label each record has, wherever it is."""

    by_value: tuple[np.ndarray | None, ...]
    """By column, the label of each value; None where each record has its own, in a column of rows."""
    same: tuple[np.ndarray, ...]
    """By column, the value that each label is written as; −1 where there is none."""

    def codes(self, rows: pl.DataFrame, place: int) -> np.ndarray:
        """Return the label of each row in the column at a place."""
        by_value = self.by_value[place]
        if by_value is None:
            return rows[label_name(place)].to_numpy()
        return by_value[rows[coded_name(place)].to_numpy()]

    def unchanged(self, rows: pl.DataFrame, place: int) -> np.ndarray:
        """Return the mask of the rows that are published with their own value."""
        return self.same[place][self.codes(rows, place)] == rows[coded_name(place)].to_numpy()


def same_values(column: Column, labels: Vocabulary) -> np.ndarray:
    """Return for each label the value of a column that is written so; −1 where there is none."""
    words = [vocabulary.values.cast(pl.String) for vocabulary in (column.vocabulary, labels)]
    return Vocabulary(words[0]).codes(words[1])


@dataclass(frozen=True)
class LabeledTable:
    """The original records, and how they are to be published."""

    table: PartitionedTable
    """The originals; each row has what was drawn for it."""
    labels: tuple[Vocabulary, ...]
    """By column, the labels."""
    labeling: Labeling
    truthful: bool = True
    """Whether every label covers the values that are published under it; centroids do not."""

    def layout(self, *, sensitive: bool) -> GroupLayout:
        """Return how the groups of what is published are laid out."""
        table, labels = self.table, dict(zip((each.name for each in self.table.columns), self.labels, strict=True))
        words = packings(table.codes_of(table.observable), [len(labels[each.name]) for each in table.observable])
        return GroupLayout(words, table.sensitive if sensitive else (), in_people=table.has_repeated_people)

    def leaving(self, rows: Partitions, records: Sequence[np.ndarray]) -> PartitionedTable:
        """Return the table as it is published, of these rows, if so many of them have each label, by column."""
        columns = tuple(
            CountedColumn.of(column.recoded(labels, column.codes), given)
            if column.role is Role.QUASI_IDENTIFIER
            else replace(column, numbers=given)
            for column, labels, given in zip(self.table.columns, self.labels, records, strict=True)
        )
        n_records = int(records[0].sum())
        return replace(self.table, columns=columns, rows=rows, n_records=n_records, n_people=n_records)
