"""Answers and demographics of the same people."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl

from .column import Column, Role
from .microdata import Microdata
from .rating_matrix import RatingMatrix
from .ratings import Ratings
from .records import Records
from .vocabulary import Vocabulary

__all__ = ["PARTS", "Part", "Survey", "part_of"]

Part = Literal["demographics", "answers"]
PARTS: tuple[Part, ...] = ("demographics", "answers")
"""What a promise may be made on alone."""


@dataclass(frozen=True, eq=False, repr=False)
class Survey:
    """One record a person: a row of a table, and a profile of ratings. Whoever looks for somebody may know both."""

    kind: ClassVar[str] = "survey"

    table: Microdata
    """The demographics, a row for each person."""
    ratings: Ratings
    """The answers of the same people in the same order; their ids are those of the survey."""

    def __post_init__(self) -> None:
        assert len(self.table) == len(self.ratings)
        assert not self.table.has_repeated_people, "everybody answers once"
        assert self.table.unit == "person"
        assert self.ratings.people is None, "a row of demographics is of one person"

    def __len__(self) -> int:
        return len(self.ratings)

    def __repr__(self) -> str:
        return f"Survey({self.table!r}, {self.ratings!r})"

    @property
    def n_people(self) -> int:
        """How many people there are: as many as records."""
        return len(self)

    @property
    def stated(self) -> None:
        """Everybody has one record, so there is nothing to state."""
        return

    @property
    def has_observable(self) -> bool:
        """Whether any column is a quasi-identifier, or any item is not sensitive."""
        return self.table.has_observable or self.ratings.has_observable

    @property
    def has_sensitive(self) -> bool:
        """Whether any column is sensitive, or any answer to a sensitive item was given."""
        return self.table.has_sensitive or self.ratings.sensitive.n_ratings > 0

    def part(self, name: Part) -> Microdata | Ratings:
        """Return the demographics or the answers alone."""
        return self.table if name == "demographics" else self.ratings

    def take(self, rows: np.ndarray) -> Self:
        """Return these people in this order."""
        return replace(self, table=self.table.take(rows), ratings=self.ratings.take(rows))

    @cached_property
    def with_sensitive_answers(self) -> Microdata:
        """The table with a column for each sensitive item that somebody rated: a missing answer is a missing value.

        So promises on sensitive columns are defined on sensitive answers too.
        """
        matrix = self.ratings.sensitive.by_item()
        columns = list(self.table.columns)
        for column in self._columns_of(self.ratings.sensitive, np.flatnonzero(np.diff(matrix.indptr)), Role.SENSITIVE):
            taken = {column.name for column in columns}
            name = next(name for name in _spellings(column.name) if name not in taken)
            columns.append(replace(column, name=name))
        return replace(self.table, columns=tuple(columns))

    def observable_answers(self, items: np.ndarray) -> list[Column]:
        """Return the answers to some of the items that are not sensitive, as columns that others may know."""
        return list(self._columns_of(self.ratings.observable, items, Role.QUASI_IDENTIFIER))

    def _columns_of(self, ratings: RatingMatrix, items: np.ndarray, role: Role) -> Iterator[Column]:
        """Yield the answers to each item as a column in which a missing answer is a missing value."""
        matrix, scale = ratings.by_item(), self.ratings.scale
        names = ratings.items.values.cast(pl.String)
        points = pl.Series(scale.decode(np.arange(scale.points, dtype=scale.dtype)))
        vocabulary = Vocabulary(pl.concat([pl.Series([None], dtype=points.dtype), points]))
        for item in items.tolist():
            here = slice(int(matrix.indptr[item]), int(matrix.indptr[item + 1]))
            codes = np.zeros(len(self), np.int32)  # 0 is the missing answer
            codes[matrix.indices[here]] = matrix.codes[here].astype(np.int32) + 1
            yield Column(names[item], role, vocabulary, codes)


def _spellings(name: str) -> list[str]:
    """Return a name and others that are used in its place where a column has it already."""
    return [name, *(f"{name} ({number})" for number in range(2, 1000))]


def part_of(records: Records, part: Part | None) -> Records:
    """Return a part of a survey, or all records where no part is named."""
    return records if part is None or not isinstance(records, Survey) else records.part(part)
