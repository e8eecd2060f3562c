"""One column of a table."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

import numpy as np
import polars as pl

from shoal.data.hierarchies.hierarchy import Hierarchy

from .same_values import exact_number
from .vocabulary import Vocabulary

__all__ = ["Column", "Role"]


class Role(StrEnum):
    """The part a column plays in a release."""

    IDENTIFIER = "identifier"
    """Names a person directly; never leaves."""
    QUASI_IDENTIFIER = "quasi-identifier"
    """May be known to others and linked; generalized."""
    SENSITIVE = "sensitive"
    """What must not be learned of a person; published as it is."""
    INSENSITIVE = "insensitive"
    """Neither known to others nor harmful; published as it is, and audited."""
    DROP = "drop"
    """Not needed; never leaves."""
    WEIGHT = "weight"
    """The sampling weight: how many people of the population a record represents; never leaves."""
    HOUSEHOLD = "household"
    """Which records are of one household; never leaves."""
    STRATUM = "stratum"
    """The stratum of the sampling design; published as it is, and observable: no equivalence class crosses strata."""

    @property
    def leaves(self) -> bool:
        """Whether a column with this role is part of a release."""
        return self not in (Role.IDENTIFIER, Role.DROP, Role.WEIGHT, Role.HOUSEHOLD)

    @property
    def is_observable(self) -> bool:
        """Whether others may know the values of such a column, so that equivalence classes are equal in it."""
        return self in (Role.QUASI_IDENTIFIER, Role.STRATUM)


@dataclass(frozen=True, eq=False, repr=False)
class Column:
    """A dictionary-coded column with its role and, where it has them, its hierarchy and categories.

    A column may be left unencoded: it then holds outside values, which are encoded when somebody asks for their
    vocabulary or codes. Names are all different, and to sort a million of them takes longer than to read the file.
    """

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

    @classmethod
    def unencoded(cls, name: str, role: Role, values: pl.Series) -> Self:
        """Build a column from outside values that are encoded only when somebody asks for it."""
        column = cls.__new__(cls)
        column.__dict__.update(name=name, role=role, hierarchy=None, categories=(), outside=_Outside(values))
        return column

    def __getattr__(self, name: str) -> Any:
        """Encode a column that was left unencoded."""
        if name not in ("vocabulary", "codes") or "outside" not in self.__dict__:
            raise AttributeError(name)
        vocabulary, codes = self._outside.encoded()
        self.__dict__.update(vocabulary=vocabulary, codes=codes)
        self.__post_init__()
        return self.__dict__[name]

    @property
    def _outside(self) -> "_Outside":
        return self.__dict__["outside"]

    @property
    def is_encoded(self) -> bool:
        """Whether the values are there as codes of a vocabulary."""
        return "codes" in self.__dict__

    @property
    def dtype(self) -> pl.DataType:
        """The type of the outside values."""
        return self.vocabulary.values.dtype if self.is_encoded else self._outside.values.dtype

    def __len__(self) -> int:
        return len(self.codes) if self.is_encoded else len(self._outside)

    def __repr__(self) -> str:
        distinct = f"{len(self.vocabulary)} distinct" if self.is_encoded else f"{len(self)} values"
        return f"Column({self.name!r}, {self.role}, {distinct})"

    @property
    def values(self) -> pl.Series:
        """The outside value of each record."""
        values = self.vocabulary.take(self.codes) if self.is_encoded else self._outside.taken()
        return values.rename(self.name)

    @property
    def counts(self) -> np.ndarray:
        """How many records have each value of the vocabulary."""
        return np.bincount(self.codes, minlength=len(self.vocabulary))

    @property
    def n_missing(self) -> int:
        """How many records have no value."""
        if not self.is_encoded:
            return self.values.null_count()
        return int(self.counts[self.vocabulary.values.is_null().to_numpy()].sum())

    @property
    def n_repeating(self) -> int:
        """How many records share their value with another; missing values are not shared."""
        if not self.is_encoded:
            hashes = np.sort(self.values.drop_nulls().hash().to_numpy())
            if (hashes[1:] != hashes[:-1]).all():  # values of different hashes are different
                return 0
        counts = self.counts[~self.vocabulary.values.is_null().to_numpy()]
        return int(counts[counts > 1].sum())

    @property
    def category_of(self) -> np.ndarray:
        """The category of each value of the vocabulary, the most sensitive being 0; −1 for values in none: int32.

        Numbers are in a category however they are written there: ``"1"`` is 1 and 1.0.
        """
        return self._looked_up([(word, number) for number, words in enumerate(self.categories) for word in words])

    @property
    def rank_of(self) -> np.ndarray | None:
        """The place of each value of the vocabulary in the order of the values, missing ones first: int32.

        Numbers and dates are in their own order, other values in that in which the categories list them: −1 for those
        that they do not list, and None where there are none.
        """
        values = self.vocabulary.values
        if self.vocabulary.is_ordered:
            ranks = np.empty(len(values), np.int32)
            ranks[values.arg_sort(nulls_last=False).to_numpy()] = np.arange(len(values))
            return ranks
        if not self.categories:
            return None
        words = [word for category in self.categories for word in category]
        ranks = self._looked_up([(word, place) for place, word in enumerate(words, start=1)])
        ranks[values.is_null().to_numpy()] = 0
        return ranks

    def _looked_up(self, numbers: list[tuple[str, int]]) -> np.ndarray:
        """Return the number of each value of the vocabulary among words; a word that is there twice has the first."""
        is_numeric = self.vocabulary.is_numeric
        number_of: dict[object, int] = {}
        for word, number in numbers:
            number_of.setdefault(exact_number(word) if is_numeric else word, number)
        values = self.vocabulary.values.cast(pl.String)
        meant = (exact_number(value) if is_numeric else value for value in values)
        return np.array([-1 if value is None else number_of.get(value, -1) for value in meant], np.int32)

    def take(self, rows: np.ndarray) -> Self:
        """Return these records in this order."""
        if self.is_encoded:
            return replace(self, codes=self.codes[rows])
        column = type(self).unencoded(self.name, self.role, self._outside.values)
        column.__dict__["outside"] = self._outside.take(rows)
        return column

    def recoded(self, values: Vocabulary, codes: np.ndarray) -> Self:
        """Return the column with other labels; a hierarchy of the old values no longer applies."""
        return replace(self, vocabulary=values, codes=codes.astype(np.int32, copy=False), hierarchy=None)

    def compacted(self) -> Self:
        """Return the same column over the values that occur, so that it reveals no others.

        A hierarchy goes, but for that of sensitive values, which a promise may need. Categories keep their number
        and their order, because values weigh by them, and name only values that occur.
        """
        occurs = self.counts > 0
        used, codes = np.flatnonzero(occurs), self.codes
        if len(used) < len(occurs):
            codes = (np.cumsum(occurs) - 1).astype(np.int32)[codes]
        column = self.recoded(self.vocabulary.select(used), codes)
        column = replace(column, categories=_occurring(self.categories, column.vocabulary))
        if self.hierarchy is None or self.role is not Role.SENSITIVE:
            return column
        return column.with_hierarchy(self.hierarchy.select(used))

    def with_hierarchy(self, hierarchy: Hierarchy) -> Self:
        """Return the same column with a hierarchy over its vocabulary."""
        return replace(self, hierarchy=hierarchy)


@dataclass(frozen=True)
class _Outside:
    """Outside values, and which of them the records have, in what order: all in their own order if that is None."""

    values: pl.Series
    rows: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.values) if self.rows is None else len(self.rows)

    def take(self, rows: np.ndarray) -> "_Outside":
        return _Outside(self.values, (np.arange(len(self)) if self.rows is None else self.rows)[rows])

    def taken(self) -> pl.Series:
        return self.values if self.rows is None else self.values.gather(self.rows)

    def encoded(self) -> tuple[Vocabulary, np.ndarray]:
        vocabulary, codes = Vocabulary.encode(self.values)
        return vocabulary, codes if self.rows is None else codes[self.rows]


def _occurring(categories: tuple[tuple[str, ...], ...], vocabulary: Vocabulary) -> tuple[tuple[str, ...], ...]:
    """Return categories without the words that are no value of a vocabulary."""
    is_numeric = vocabulary.is_numeric
    words = vocabulary.values.cast(pl.String).drop_nulls()
    occurring = {exact_number(word) if is_numeric else word for word in words}
    return tuple(
        tuple(word for word in category if (exact_number(word) if is_numeric else word) in occurring)
        for category in categories
    )
