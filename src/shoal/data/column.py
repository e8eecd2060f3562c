"""One column of a table."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from .hierarchy import Hierarchy
from .role import Role
from .vocabulary import Vocabulary

__all__ = ["Column"]


@dataclass(frozen=True, eq=False, repr=False)
class Column:
    """A dictionary-coded column with its role and, where it has them, its hierarchy and categories."""

    name: str
    role: Role
    vocabulary: Vocabulary
    codes: np.ndarray
    """The value of each record as a code of the vocabulary: int32."""
    hierarchy: Hierarchy | None = None
    categories: tuple[tuple[str, ...], ...] = ()
    """Sensitive values by category, most sensitive first."""

    def __post_init__(self) -> None:
        assert self.codes.dtype == np.int32
        assert self.hierarchy is None or self.hierarchy.n_values == len(self.vocabulary)
        self.codes.flags.writeable = False

    @classmethod
    def encode(cls, name: str, role: Role, values: pl.Series, categories: tuple[tuple[str, ...], ...] = ()) -> Self:
        """Build a column from outside values."""
        vocabulary, codes = Vocabulary.encode(values)
        return cls(name, role, vocabulary, codes, None, categories)

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.role}, {len(self.vocabulary)} distinct)"

    @property
    def values(self) -> pl.Series:
        """The outside value of each record."""
        return self.vocabulary.take(self.codes).rename(self.name)

    def take(self, rows: np.ndarray) -> Self:
        """Give these records in this order."""
        return replace(self, codes=self.codes[rows])

    def recoded(self, values: Vocabulary, codes: np.ndarray) -> Self:
        """Give the same column told in other words; a hierarchy of the old words no longer applies."""
        return replace(self, vocabulary=values, codes=codes.astype(np.int32, copy=False), hierarchy=None)

    def compacted(self) -> Self:
        """Give the same column over the values that occur, and without a hierarchy: nothing else is told by it."""
        used, codes = np.unique(self.codes, return_inverse=True)
        return self.recoded(self.vocabulary.select(used), codes)

    def with_hierarchy(self, hierarchy: Hierarchy) -> Self:
        """Give the same column with a hierarchy over its vocabulary."""
        return replace(self, hierarchy=hierarchy)
