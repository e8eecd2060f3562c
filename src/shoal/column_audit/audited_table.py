"""A release in memory, record by record beside its original."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.data import Column, Microdata
from shoal.evidence import Grouping, PairCounts, equal_tuples, people_among, people_by_class

from .audited_records import SEARCHED, CountedPairs, Exposed
from .dependency import determination
from .inferences import ClassInference, candidates_left_by_all
from .known_column import KnownColumn
from .rules import AuditedRows, ClassRule, Rule, View

__all__ = ["AuditedTable", "candidates_left", "one_record_a_person"]


def one_record_a_person(persons: np.ndarray) -> np.ndarray:
    """Return the row of everybody's first record.

    Whoever has many different records is one exception then, and not as many as there are records.
    """
    return np.sort(np.unique(persons, return_index=True)[1])


def candidates_left(
    rules: Sequence[Rule], rows: AuditedRows, grouping: Grouping, persons: np.ndarray | None
) -> np.ndarray:
    """Return for the person behind each record how many people of the group the rules leave together."""
    inferences = [rule.on(rows) for rule in rules]
    if len(inferences) == 1:
        return inferences[0].candidates_left(grouping, persons)
    by_class = [each for each in inferences if isinstance(each, ClassInference)]
    assert len(by_class) == len(inferences)
    return candidates_left_by_all(by_class, grouping, persons)


@dataclass(frozen=True, eq=False)
class AuditedTable:
    """A release beside its originals: the same records in the same order."""

    columns: Sequence[Column]
    """The insensitive columns as they are published."""
    published: Microdata
    """In random order, as the road makes it: its first records are a sample."""
    original: Microdata
    grouping: Grouping
    """Published records that are alike in all quasi-identifiers."""
    persons: np.ndarray | None = None
    hidden: str = "generalized quasi-identifier"
    determined: dict[tuple[tuple[str, ...], tuple[str, ...]], np.ndarray] = field(default_factory=dict)
    """By columns and quasi-identifiers that determine them: what is determined, record by record."""
    _joint: dict[tuple[str, ...], tuple[np.ndarray, int]] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """What is counted."""
        return "records" if self.persons is None else "people"

    @property
    def everybody(self) -> int:
        """How many people there are."""
        return self._everybody

    @cached_property
    def _everybody(self) -> int:
        return people_among(np.ones(len(self.original), np.bool_), self.persons)

    @property
    def known(self) -> tuple[KnownColumn, ...]:
        """The original quasi-identifiers."""
        return self._known

    @cached_property
    def _known(self) -> tuple[KnownColumn, ...]:
        return tuple(KnownColumn(column) for column in self.original.observable)

    @property
    def generalized(self) -> tuple[KnownColumn, ...]:
        """Those of which some published label stands for several values."""
        return self._generalized

    @cached_property
    def _generalized(self) -> tuple[KnownColumn, ...]:
        return tuple(each for each in self.known if _is_coarser(self.published[each.column.name], each.column))

    @property
    def sample(self) -> "_SomeRows":
        """Records of some people."""
        return self._sample

    @cached_property
    def _sample(self) -> "_SomeRows":
        return _SomeRows(self, self._one_each[:SEARCHED])

    @cached_property
    def _one_each(self) -> np.ndarray:
        """The rows of one record a person."""
        return np.arange(len(self.original)) if self.persons is None else one_record_a_person(self.persons)

    def n_read(self, columns: tuple[str, ...]) -> int:
        """Return how many different values are read in a column, or combinations of values in several."""
        return self._read(columns)[1]

    def read(self, columns: tuple[str, ...]) -> np.ndarray:
        """Return the code of what is read in columns."""
        return self._read(columns)[0]

    def _read(self, names: tuple[str, ...]) -> tuple[np.ndarray, int]:
        columns = [column for name in names for column in self.columns if column.name == name]
        if len(columns) == 1:
            return columns[0].codes, len(columns[0].vocabulary)
        if names not in self._joint:
            self._joint.clear()  # one set of columns is looked at after the other
            self._joint[names] = equal_tuples(columns, len(self.original))
        return self._joint[names]

    def pairs(self, columns: tuple[str, ...], known: KnownColumn) -> CountedPairs:
        """Count what is read in columns beside a quasi-identifier."""
        (read, n_read), codes, rows = self._read(columns), known.column.codes, self._one_each
        everything = PairCounts.of(read, n_read, codes, known.n_values, self.persons)
        if len(rows) == len(self.original):
            return CountedPairs((everything,))
        return CountedPairs((everything, PairCounts.of(read[rows], n_read, codes[rows], known.n_values)))

    def pairs_within(self, columns: tuple[str, ...], of_stratum: View, inside: View) -> PairCounts:
        """Count what is read beside the labels inside strata, in one record a person."""
        rows, n_labels = _SomeRows(self, self._one_each), of_stratum.n_labels * inside.n_labels
        labels = of_stratum.of(rows) * inside.n_labels + inside.of(rows)
        return PairCounts.of(labels, n_labels, rows.read(columns), self.n_read(columns))

    def determined_by(self, columns: tuple[str, ...], names: tuple[str, ...]) -> bool | None:
        """Decide whether several quasi-identifiers determine what is read as a whole: True if without exception."""
        (read, n_read), rows = self._read(columns), self._one_each
        labels, n_labels = equal_tuples([self.original[name] for name in names], len(self.original))
        said = determination(PairCounts.of(labels[rows], n_labels, read[rows], n_read))
        if not said.whole:
            return None
        sought = said.determined[labels]
        self.determined[columns, names] = sought
        return said.exact and bool((sought == read).all())

    def placed(self, rules: Sequence[ClassRule]) -> list[tuple[int, int]]:
        """Return for each rule how many records and targets it gives classes to, and the highest class of a record."""
        return [rule.on(self._all).placed for rule in rules]

    def exposed(self, combinations: Sequence[Sequence[Rule]], k: int) -> list[Exposed]:
        """Count for each combination of rules the people whom it leaves with fewer than ``k`` candidates."""
        return [self._exposed(rules, k) for rules in combinations]

    def _exposed(self, rules: Sequence[Rule], k: int) -> Exposed:
        if not rules:
            return Exposed()
        left = candidates_left(rules, self._all, self.grouping, self.persons)
        exposed = (self._group_sizes >= k) & (left < k)
        return Exposed(people_among(exposed, self.persons), people_among(exposed & (left == 1), self.persons))

    @cached_property
    def _group_sizes(self) -> np.ndarray:
        """How many people look like the one behind each record."""
        return people_by_class(self.grouping.labels, self.grouping.n_groups, self.persons)[self.grouping.labels]

    @property
    def _all(self) -> "_SomeRows":
        return _SomeRows(self, slice(None))


@dataclass(frozen=True, eq=False)
class _SomeRows:
    """Some of the records."""

    table: AuditedTable
    rows: np.ndarray | slice

    def __len__(self) -> int:
        return len(np.arange(len(self.table.original))[self.rows])

    def read(self, columns: tuple[str, ...]) -> np.ndarray:
        """Return the code of what is read in columns."""
        return self.table.read(columns)[self.rows]

    def known(self, name: str) -> np.ndarray:
        """Return the code of the original value of a quasi-identifier."""
        return self.table.original[name].codes[self.rows]

    def sought(self, columns: tuple[str, ...], about: tuple[str, ...]) -> np.ndarray:
        """Return the code to look for in columns, by several quasi-identifiers."""
        return self.table.determined[columns, about][self.rows]


def _is_coarser(published: Column, original: Column) -> bool:
    pairs = PairCounts.of(published.codes, len(published.vocabulary), original.codes, len(original.vocabulary))
    return len(pairs.counts) > len(np.unique(pairs.one))
