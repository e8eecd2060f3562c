"""What insensitive columns tell of the quasi-identifiers behind a release, and the other way round.

An attacker of the promises knows the quasi-identifiers of a person. Where an insensitive column tells the exact value
of one that is published less exactly, records of others in the group can be ruled out by reading it; where
quasi-identifiers tell the insensitive value, the attacker knows that, too, and rules out whoever has another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from shoal.data import Column, Microdata
from shoal.evidence import Grouping, PairCounts, equal_tuples, people_by_class

from .clue import Clue
from .clues import AnyClue
from .known_column import KnownColumn
from .learned_from import LearnedFrom, one_record_a_person
from .pair_clues import ReadColumns, pair_clues, told_clue
from .strata_clues import strata_clues
from .telling import telling

__all__ = ["TableClues"]

_SEARCHED = 20_000
"""Pairs of quasi-identifiers are tried on so many people at most; what is found is judged on all."""


@dataclass(frozen=True, eq=False)
class TableClues:
    """A release, record by record beside its original."""

    published: Microdata
    """In random order, as the road makes it: its first records are a sample."""
    original: Microdata
    """The same records in the same order."""
    grouping: Grouping
    """Published records that are alike in all quasi-identifiers."""
    persons: np.ndarray | None = None

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """How many people look like the one behind each record."""
        return people_by_class(self.grouping.labels, self.grouping.n_groups, self.persons)[self.grouping.labels]

    def of_column(self, column: Column) -> list[AnyClue]:
        """Return all clues between a column and quasi-identifiers: one by one, by twos, and all together."""
        singly = self.of_columns([column])
        certain = {name for clue in singly if clue.whole for name in clue.about}
        several = list(self._told_by_several(column, certain))
        certain |= {name for clue in several for name in clue.about}
        known = [each for each in self._known if each.column.name not in certain]
        read, generalized = _read(column), {each.column.name for each in self._generalized}
        return [*singly, *several, *strata_clues(read, known, generalized, self._sample, self._one_each)]

    def of_columns(self, columns: Sequence[Column]) -> list[AnyClue]:
        """Return all clues between the combinations of values of columns and single quasi-identifiers."""
        read = _read(*columns)
        return [
            clue
            for known in self._generalized
            for learned_from in self._learned_from
            for clue in pair_clues(read, known, learned_from)
        ]

    @cached_property
    def _learned_from(self) -> list[LearnedFrom]:
        """All records; and where people have several, one of everybody, so that nobody is more than one exception."""
        everything = [LearnedFrom(self.persons)]
        several = len(self._one_each) < len(self.original)
        return [*everything, LearnedFrom(rows=self._one_each)] if several else everything

    @cached_property
    def _one_each(self) -> np.ndarray:
        """The rows of one record a person."""
        return np.arange(len(self.original)) if self.persons is None else one_record_a_person(self.persons)

    @property
    def _sample(self) -> np.ndarray:
        return self._one_each[:_SEARCHED]

    @cached_property
    def _known(self) -> tuple[KnownColumn, ...]:
        return tuple(KnownColumn(column) for column in self.original.quasi_identifiers)

    @cached_property
    def _generalized(self) -> tuple[KnownColumn, ...]:
        """The quasi-identifiers of which some published label stands for several values."""
        return tuple(each for each in self._known if _is_coarser(self.published[each.column.name], each.column))

    def _told_by_several(self, column: Column, certain: set[str]) -> Iterator[Clue]:
        """Return by which two quasi-identifiers, or by all together, the column is told as a whole.

        Those of which a clue is certain already are not tried again with others.
        """
        read, rows = _read(column), self._one_each
        found: list[set[str]] = []
        for those in self._several:
            names = tuple(each.name for each in those)
            known = any(each <= set(names) for each in found) or not certain.isdisjoint(names)
            if known or not self._told_as_a_whole(column, those):
                continue
            labels, n_labels = equal_tuples(those, len(column))
            said = telling(PairCounts.of(labels[rows], n_labels, read.codes[rows], read.n_values))
            if said.whole:
                found.append(set(names))
                yield from told_clue(read, names, said, labels)

    @cached_property
    def _several(self) -> list[tuple[Column, ...]]:
        """Two quasi-identifiers each, of which at least one is generalized, and all of them."""
        known = self.original.quasi_identifiers
        coarse = {each.column.name for each in self._generalized}
        pairs: list[tuple[Column, ...]] = [
            pair for pair in combinations(known, 2) if any(each.name in coarse for each in pair)
        ]
        return [*pairs, known] if len(known) > 2 and coarse else pairs

    def _told_as_a_whole(self, column: Column, known: Sequence[Column]) -> bool:
        """Try it on some records."""
        labels, n_labels = self._numbered(tuple(known))
        codes, n_values = column.codes[self._sample], len(column.vocabulary)
        return telling(PairCounts.of(labels, n_labels, codes, n_values)).whole

    def _numbered(self, known: tuple[Column, ...]) -> tuple[np.ndarray, int]:
        if known not in self._remembered:
            rows = self._sample
            self._remembered[known] = equal_tuples([each.take(rows) for each in known], len(rows))
        return self._remembered[known]

    @cached_property
    def _remembered(self) -> dict[tuple[Column, ...], tuple[np.ndarray, int]]:
        return {}


def _read(*columns: Column) -> ReadColumns:
    names = tuple(column.name for column in columns)
    if len(columns) == 1:
        return ReadColumns(names, columns[0].codes, len(columns[0].vocabulary))
    return ReadColumns(names, *equal_tuples(columns, len(columns[0])))


def _is_coarser(published: Column, original: Column) -> bool:
    pairs = PairCounts.of(published.codes, len(published.vocabulary), original.codes, len(original.vocabulary))
    return len(pairs.counts) > len(np.unique(pairs.one))
