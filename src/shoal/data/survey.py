"""Answers and demographics of the same people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl

from .column import Column, Role
from .item_periods import without_periods
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
    dated: bool = False
    """Whether an item of the answers is the pair of an item and the period in which it was rated."""

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

        So promises on sensitive columns are defined on sensitive answers too. Where answers are dated, an item also has
        a column without its periods: people who gave one answer in different periods do not differ in what it was.
        """
        rated = np.flatnonzero(np.diff(self.ratings.sensitive.by_item().indptr))
        answers = list(self._columns_of(self.ratings.sensitive, rated, Role.SENSITIVE))
        columns = list(self.table.columns)
        for column in (*answers, *(_without_periods(answers) if self.dated else ())):
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


def _without_periods(answers: Sequence[Column]) -> Iterator[Column]:
    """Yield the answers to each item that was rated in several periods: which were given, whenever that was."""
    items = without_periods(pl.Series([column.name for column in answers], dtype=pl.String))[0]
    for item in items.unique(maintain_order=True):
        pairs = [column for column, name in zip(answers, items, strict=True) if name == item]
        if len(pairs) == 1:
            continue
        given = np.sort(np.stack([column.codes for column in pairs], axis=1), axis=1)  # 0 is the missing answer
        if not given[:, :-1].any():  # one answer a person at most
            yield replace(pairs[0], name=item, codes=given[:, -1])
            continue
        found, codes = np.unique(given, axis=0, return_inverse=True)
        points = pairs[0].vocabulary.values.cast(pl.String)
        words = [" and ".join(points[code] for code in row if code) or None for row in found.tolist()]
        vocabulary = Vocabulary(pl.Series(words, dtype=pl.String))
        yield Column(item, Role.SENSITIVE, vocabulary, codes.ravel().astype(np.int32))


def _spellings(name: str) -> list[str]:
    """Return a name and others that are used in its place where a column has it already."""
    return [name, *(f"{name} ({number})" for number in range(2, 1000))]


def part_of(records: Records, part: Part | None) -> Records:
    """Return a part of a survey, or all records where no part is named."""
    return records if part is None or not isinstance(records, Survey) else records.part(part)
