"""Inferences between the insensitive columns of a release and the quasi-identifiers behind it.

An attacker knows the quasi-identifiers of a person. Where an insensitive column determines the exact value of one that
is generalized, the attacker rules out records of others in the group by reading it; where quasi-identifiers determine
the insensitive value, the attacker knows that, too, and rules out records with another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from shoal.data import Column, Microdata
from shoal.evidence import Grouping, PairCounts, equal_tuples, people_by_class

from .dependency import determination, determined_within
from .inferences import ClassInference, Inference, StratumInference
from .known_column import KnownColumn
from .pair_inferences import LearnedFrom, ReadColumns, classes, label_inference, one_record_a_person, pair_inferences

__all__ = ["TableInferences", "strata_inferences"]


_BEST = 2
"""The number of combinations of strata and quasi-identifiers that are judged: those that determine most people, found
on a sample."""
_WORTH_IT = 100
"""More than one person in so many must be determined."""
_PLACES = 4


_View = tuple[KnownColumn, np.ndarray, int]
"""A quasi-identifier, the label of each of its values, and the number of labels."""


@dataclass(frozen=True, eq=False)
class _Triple:
    """What is read, one view of a quasi-identifier, and one view of another that makes the strata."""

    read: ReadColumns
    of_stratum: _View
    inside: _View

    def determined(self, rows: np.ndarray) -> Iterator[tuple[bool, np.ndarray, int]]:
        """Yield what the quasi-identifier determines, then what determines it, and for how many people."""
        n_strata, n_known, n_read = self.of_stratum[2], self.inside[2], self.read.n_values
        if n_strata * max(n_known, n_read) > _PLACES * len(rows):
            return
        strata, known, read = _labels(self.of_stratum, rows), _labels(self.inside, rows), self.read.codes[rows]
        counted = PairCounts.of(strata * n_known + known, n_strata * n_known, read, n_read)
        stratum, value = counted.one // n_known, counted.one % n_known
        other_way = PairCounts(stratum * n_read + counted.other, n_strata * n_read, value, n_known, counted.counts)
        for of_read, pairs, width in ((True, counted, n_known), (False, other_way, n_read)):
            determined = determined_within(pairs, np.repeat(np.arange(n_strata), width), n_strata)
            yield of_read, determined, int(pairs.of_one[determined >= 0].sum())

    def inference(self, *, of_read: bool, rows: np.ndarray) -> Inference | None:
        """Return the inference as it is learned from rows, for all records."""
        ((_, determined, _),) = (each for each in self.determined(rows) if each[0] == of_read)
        if not (determined >= 0).any():
            return None
        about = (self.of_stratum[0].column.name, self.inside[0].column.name)
        strata, known, read = _labels(self.of_stratum), _labels(self.inside), self.read.codes
        if of_read:
            sought = determined[strata * self.inside[2] + known]
            found = np.where(sought == read, sought, -1)
            return ClassInference(self.read.names, about, False, False, classes(read), classes(found))
        by_stratum = determined.reshape(self.of_stratum[2], self.read.n_values)
        parts = []
        for stratum in np.flatnonzero((by_stratum >= 0).any(axis=1)):
            of_record, here = by_stratum[stratum][read], strata == stratum
            # people of the stratum who are exceptions are looked for anywhere
            of_target = np.where(here & (of_record == known), known, -1)
            parts.append(ClassInference(self.read.names, about, False, False, classes(of_record), classes(of_target)))
        return StratumInference(self.read.names, about, parts)


def _labels(view: _View, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    known, label_of, _ = view
    return label_of[known.codes[rows]]


def strata_inferences(
    read: ReadColumns, known: list[KnownColumn], generalized: set[str], sample: np.ndarray, rows: np.ndarray
) -> Iterator[Inference]:
    """Yield the inferences that determine most people; searched on a sample, learned from ``rows``."""
    found: list[tuple[int, bool, _Triple]] = []
    for one, other in permutations(known, 2):
        if not {one.column.name, other.column.name} & generalized:
            continue
        for of_stratum in one.strata:
            for inside in other.within_strata:
                triple = _Triple(read, (one, *of_stratum), (other, *inside))
                found += [(people, of_read, triple) for of_read, _, people in triple.determined(sample)]
    worth_it = [each for each in found if _WORTH_IT * each[0] > len(sample)]
    for _, of_read, triple in sorted(worth_it, key=lambda each: -each[0])[:_BEST]:
        inference = triple.inference(of_read=of_read, rows=rows)
        if inference is not None:
            yield inference


_SEARCHED = 20_000
"""The largest number of people on whom pairs of quasi-identifiers are tried; what is found is judged on all."""


@dataclass(frozen=True, eq=False)
class TableInferences:
    """A release, record by record beside its original."""

    published: Microdata
    """In random order, as the road makes it: its first records are a sample."""
    original: Microdata
    """The same records in the same order."""
    grouping: Grouping
    """Published records that are alike in all quasi-identifiers."""
    persons: np.ndarray | None = None
    hidden: str = "generalized quasi-identifier"
    """What a column that others may know, and that is not published as it is, is called in sentences."""

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """How many people look like the one behind each record."""
        return people_by_class(self.grouping.labels, self.grouping.n_groups, self.persons)[self.grouping.labels]

    def of_column(self, column: Column) -> list[Inference]:
        """Return all inferences between a column and quasi-identifiers: one by one, by twos, and all together."""
        singly = self.of_columns([column])
        certain = {name for inference in singly if inference.whole for name in inference.about}
        several = list(self._determined_by_several(column, certain))
        certain |= {name for inference in several for name in inference.about}
        known = [each for each in self._known if each.column.name not in certain]
        read, generalized = _read(column), {each.column.name for each in self._generalized}
        return [*singly, *several, *strata_inferences(read, known, generalized, self._sample, self._one_each)]

    def of_columns(self, columns: Sequence[Column]) -> list[Inference]:
        """Return all inferences between the combinations of values of columns and single quasi-identifiers."""
        read = _read(*columns)
        return [
            inference
            for known in self._generalized
            for learned_from in self._learned_from
            for inference in pair_inferences(read, known, learned_from)
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
        return tuple(KnownColumn(column) for column in self.original.observable)

    @cached_property
    def _generalized(self) -> tuple[KnownColumn, ...]:
        """The quasi-identifiers of which some published label stands for several values."""
        return tuple(each for each in self._known if _is_coarser(self.published[each.column.name], each.column))

    def _determined_by_several(self, column: Column, certain: set[str]) -> Iterator[ClassInference]:
        """Yield the inferences of the column from two quasi-identifiers, or from all together.

        Those with a certain inference already are not tried again with others.
        """
        read, rows = _read(column), self._one_each
        found: list[set[str]] = []
        for those in self._several:
            names = tuple(each.name for each in those)
            known = any(each <= set(names) for each in found) or not certain.isdisjoint(names)
            if known or not self._is_determined_by(column, those):
                continue
            labels, n_labels = equal_tuples(those, len(column))
            said = determination(PairCounts.of(labels[rows], n_labels, read.codes[rows], read.n_values))
            if said.whole:
                found.append(set(names))
                yield from label_inference(read, names, said, labels)

    @cached_property
    def _several(self) -> list[tuple[Column, ...]]:
        """Two quasi-identifiers each, of which at least one is generalized, and all of them."""
        known = self.original.observable
        coarse = {each.column.name for each in self._generalized}
        pairs: list[tuple[Column, ...]] = [
            pair for pair in combinations(known, 2) if any(each.name in coarse for each in pair)
        ]
        return [*pairs, known] if len(known) > 2 and coarse else pairs

    def _is_determined_by(self, column: Column, known: Sequence[Column]) -> bool:
        """Try it on some records."""
        labels, n_labels = self._numbered(tuple(known))
        codes, n_values = column.codes[self._sample], len(column.vocabulary)
        return determination(PairCounts.of(labels, n_labels, codes, n_values)).whole

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
