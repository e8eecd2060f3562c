"""What is known about the values of a sensitive attribute."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.data import Column

__all__ = ["SensitiveValues"]


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveValues:
    """How often each value occurs in all records, and what was declared of the values.

    Groups are judged against it, be they all groups or a few candidates. Those of two blocks of records add.
    """

    column: Column
    """The column, for what it declares of its values; whose records it holds does not matter."""
    totals: np.ndarray
    """How many of all records have each value: int64."""

    def __post_init__(self) -> None:
        assert self.totals.dtype == np.int64
        assert len(self.totals) == len(self.column.vocabulary)

    def __repr__(self) -> str:
        return f"SensitiveValues({len(self.totals):,} values)"

    @classmethod
    def of(cls, column: Column) -> "SensitiveValues":
        """Count the values of a whole column."""
        return cls(column, np.bincount(column.codes, minlength=len(column.vocabulary)).astype(np.int64))

    def __add__(self, other: "SensitiveValues") -> "SensitiveValues":
        """Add those of another block of records of the same column."""
        return SensitiveValues(self.column, self.totals + other.totals)

    def without(self, values: np.ndarray, counts: np.ndarray) -> "SensitiveValues":
        """Return what is known when so many records with these values, which may repeat, are withheld."""
        gone = np.bincount(values, counts, minlength=len(self.totals)).astype(np.int64)  # below 2⁵³: exact
        return SensitiveValues(self.column, self.totals - gone)

    @property
    def n_categories(self) -> int:
        """How many categories were declared."""
        return len(self.column.categories)

    @cached_property
    def categories(self) -> np.ndarray:
        """The category of each value, the most sensitive being 0; ``n_categories`` for values in none: int32."""
        told = self.column.category_of
        return np.where(told < 0, np.int32(self.n_categories), told)

    @cached_property
    def positions(self) -> np.ndarray:
        """The place of each value that occurs among those that do, in their order; −1 for the others: int64."""
        ranks = self.column.rank_of
        assert ranks is not None, "the values have an order"
        occurring = np.flatnonzero(self.totals)
        positions = np.full(len(self.totals), -1, np.int64)
        positions[occurring[np.argsort(ranks[occurring], kind="stable")]] = np.arange(len(occurring))
        return positions

    @property
    def levels(self) -> tuple[np.ndarray, ...]:
        """The label of each value at every level of the hierarchy, from the value itself up to below the root."""
        assert self.column.hierarchy is not None, "the values have a hierarchy"
        return self.column.hierarchy.maps[:-1]
