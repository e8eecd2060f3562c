"""A column whose records are not in memory."""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from .column import Column

__all__ = ["CountedColumn"]


@dataclass(frozen=True, eq=False, repr=False)
class CountedColumn(Column):
    """A column whose records are elsewhere: its values, and how many records have each."""

    numbers: np.ndarray = field(kw_only=True)
    """How many records have each value of the vocabulary: int64."""

    @property
    def counts(self) -> np.ndarray:
        """How many records have each value of the vocabulary."""
        return self.numbers

    @classmethod
    def of(cls, column: Column, numbers: np.ndarray) -> Self:
        """Return a column without its records; ``numbers`` of them have each value."""
        return cls(
            column.name,
            column.role,
            column.vocabulary,
            np.zeros(0, np.int32),
            column.hierarchy,
            column.categories,
            numbers=np.asarray(numbers).astype(np.int64),
        )

    @classmethod
    def with_counts(cls, column: Column) -> Self:
        """Return a column with its records, of which parts may be taken whose counts are those of all."""
        return cls.of(column, column.counts).among_all(column.codes)

    def with_codes(self, codes: np.ndarray) -> Column:
        """Return the column of some of the records."""
        codes = codes.astype(np.int32)
        return Column(self.name, self.role, self.vocabulary, codes, self.hierarchy, self.categories)

    def among_all(self, codes: np.ndarray) -> Self:
        """Return the column of some of the records, the counts of which are those of all."""
        return replace(self, codes=codes.astype(np.int32))
