"""A release that is not in memory, beside its originals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.backends import Columns, Partitions, Shared
from shoal.column_audit.audited_records import SEARCHED, CountedPairs, Exposed
from shoal.column_audit.dependent_columns import dependent_columns
from shoal.column_audit.known_column import KnownColumn
from shoal.column_audit.revealing_columns import Objection, columns_taking_part
from shoal.column_audit.rules import ClassRule, Rule, View
from shoal.data import CountedColumn, Role
from shoal.evidence import PairCounts
from shoal.partitioned.kept_rows import RowsOfGroups, grouped_rows
from shoal.partitioned.label_uses import LabelUse, counts_of_values
from shoal.partitioned.persons import PERSON
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import DRAWN

from .alike_people import PartitionedPeople
from .exposure import exposed_people, placed_records
from .pair_counting import PairsAsked, counted_pairs
from .release_rows import JOINT, ONE_EACH, Reading, ReleaseRows, collected, keys_of, represented
from .several_known import SeveralKnown

__all__ = ["AuditedRelease", "audit_release"]


def audit_release(
    leaving: PartitionedTable, uses: Sequence[LabelUse], grouped: RowsOfGroups, k: int
) -> tuple[Objection, ...]:
    """Judge the insensitive columns of a release together and beside the quasi-identifiers.

    ``leaving`` has the rows that are published, those of a group in one partition, with the codes of their originals;
    ``uses`` say how labels are used, and ``k`` is the required number of people in each group.
    """
    names = [column.name for column in leaving.columns if column.role is Role.INSENSITIVE]
    if not names or not len(leaving):
        return ()
    records = AuditedRelease.of(leaving, uses, grouped)
    revealing = columns_taking_part(records.columns, k, records.people)
    spared = () if revealing is None else revealing.columns
    objections = () if revealing is None else (revealing,)
    return (*objections, *dependent_columns(records, names, k, spared))


class AuditedRelease:
    """Answers what the audit asks of a release."""

    hidden = "generalized quasi-identifier"

    def __init__(
        self,
        leaving: PartitionedTable,
        columns: Sequence[CountedColumn],
        known: Sequence[KnownColumn],
        coarse: Sequence[str],
        reading: Reading,
        grouped: RowsOfGroups,
    ) -> None:
        self._backend, self._n, self.everybody = leaving.backend, leaving.n_records, leaving.n_people
        self.columns, self.known = tuple(columns), tuple(known)
        self.generalized = tuple(each for each in known if each.column.name in coarse)
        self._grouped = self._backend.shared(grouped)
        self._reading = reading
        self._pairs: dict[tuple[str, ...], dict[str, CountedPairs]] = {}
        several = PERSON in leaving.rows.columns
        self._by_person = represented(leaving.rows, self._n) if several else leaving.rows
        self._by_group = self._grouped_again(self._by_person) if several else leaving.rows
        self.unit = "people" if several else "records"

    @classmethod
    def of(cls, leaving: PartitionedTable, uses: Sequence[LabelUse], grouped: RowsOfGroups) -> "AuditedRelease":
        """Return a release whose labels are used so."""
        columns = tuple(each for each in leaving.columns if each.role is Role.INSENSITIVE)
        originals = [use.column for use in uses]
        counts = counts_of_values(leaving.rows, originals)
        known = [
            KnownColumn(replace(column, numbers=given))
            for column, given in zip(originals, counts, strict=True)
            if column.role.is_observable
        ]
        coarse = [use.column.name for use in uses if use.column.role.is_observable and use.covered.max() > 1]
        places = dict(zip((each.name for each in leaving.columns), leaving.codes_of(leaving.columns), strict=True))
        published = {column.name: _numbers_of_occurring(column.counts) for column in columns}
        occurring = [_occurring(column) for column in columns]
        return cls(leaving, occurring, known, coarse, Reading(places, published), grouped)

    def _grouped_again(self, rows: Partitions) -> Partitions:
        return grouped_rows(rows, self._grouped, self._n).persist("grouping what is published")

    @property
    def people(self) -> PartitionedPeople:
        """Whom the records are of."""
        return PartitionedPeople(self._by_person, dict(self._reading.places), self._n, self.everybody)

    @property
    def sample(self) -> ReleaseRows:
        """Records of some people, in random order."""
        return self._sample

    @cached_property
    def _sample(self) -> ReleaseRows:
        """Bring the records here for which the lowest numbers were drawn."""
        bound = 1 << 60
        share = 2 * SEARCHED / self._n
        while True:
            chosen = self._by_person.map_batches(_Below(int(min(share, 1) * bound)), self._by_person.columns)
            found = chosen.collect("choosing records").sort(DRAWN)
            if found.height >= SEARCHED or share >= 1:
                return ReleaseRows(self._reading, found.head(SEARCHED))
            share *= 4

    @property
    def _shared_reading(self) -> Shared[Reading]:
        return self._backend.shared(self._reading)

    def n_read(self, columns: tuple[str, ...]) -> int:
        """Return how many different values are read in a column, or combinations of values in several."""
        if len(columns) == 1:
            (column,) = (each for each in self.columns if each.name == columns[0])
            return len(column.vocabulary)
        if columns not in self._reading.joint:
            self._reading = replace(self._reading, joint={columns: self._combinations(columns)})
        return self._reading.joint[columns].height

    def _combinations(self, columns: tuple[str, ...]) -> pl.DataFrame:
        """Number the combinations of values, in the order of the lowest number drawn for a record that has one."""
        coded = tuple(self._reading.coded(columns))
        kinds: Columns = {**{name: self._by_group.columns[name] for name in coded}, DRAWN: pl.UInt64()}
        found = self._by_group.map_batches(_Combine(coded), {**kinds, _KEY: pl.UInt64()})
        title = "counting combinations of values"
        together = found.shuffle(_KEY, self._n, title).map_partitions(_Lowest(coded), kinds)
        combinations = collected(together, self._backend.most_groups, title).sort(DRAWN).drop(DRAWN)
        return combinations.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(JOINT))

    def pairs(self, columns: tuple[str, ...], known: KnownColumn) -> CountedPairs:
        """Count what is read in columns beside a generalized quasi-identifier."""
        if columns not in self._pairs:
            self._pairs[columns] = self._counted(columns)
        return self._pairs[columns][known.column.name]

    def _counted(self, columns: tuple[str, ...]) -> dict[str, CountedPairs]:
        """Count what is read in columns beside each generalized quasi-identifier."""
        n_read, kinds = self.n_read(columns), (False, True) if self.unit == "people" else (False,)
        asked = [
            PairsAsked(columns, n_read, (known.exactly,), one_each) for known in self.generalized for one_each in kinds
        ]
        found = iter(self._count(asked))
        return {known.column.name: CountedPairs(tuple(next(found) for _ in kinds)) for known in self.generalized}

    def _count(self, asked: Sequence[PairsAsked]) -> list[PairCounts]:
        return counted_pairs(self._by_person, self._shared_reading, asked, self._n, self._backend.most_groups)

    def pairs_within(self, columns: tuple[str, ...], of_stratum: View, inside: View) -> PairCounts:
        """Count what is read beside the labels inside strata, in one record a person."""
        (found,) = self._count([PairsAsked(columns, self.n_read(columns), (of_stratum, inside), one_each=True)])
        return found.swapped

    def determined_by(self, columns: tuple[str, ...], names: tuple[str, ...]) -> bool | None:
        """Decide whether several quasi-identifiers determine what is read as a whole: True if without exception."""
        usual = int(self.pairs(columns, self.generalized[0]).learned[-1].of_one.argmax())
        sizes = {each.column.name: each.n_values for each in self.known}
        several = SeveralKnown(
            self._shared_reading, columns, self.n_read(columns), usual, names, tuple(sizes[name] for name in names)
        )
        together = several.together(self._by_group, self._n)
        guesses, same = several.guessed(together)
        if not guesses.whole:
            return None
        self._by_group = self._grouped_again(several.told(together, self._by_group.columns))
        return not guesses.exceptions and same

    def placed(self, rules: Sequence[ClassRule]) -> list[tuple[int, int]]:
        """Return for each rule how many records and targets it gives classes to, and the highest class of a record."""
        return placed_records(self._by_group, self._shared_reading, self._backend.shared(tuple(rules))) if rules else []

    def exposed(self, combinations: Sequence[Sequence[Rule]], k: int) -> list[Exposed]:
        """Count for each combination of rules the people whom it leaves with fewer than ``k`` candidates."""
        if not any(combinations):
            return [Exposed()] * len(combinations)
        return exposed_people(
            self._by_group, self._backend, self._shared_reading, self._grouped, combinations, k, self._n
        )


_KEY = "key"


@dataclass(frozen=True)
class _Below:
    """Leaves the rows, one of everybody, for which a lower number was drawn."""

    bound: int

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        chosen = batch.filter(ONE_EACH) if ONE_EACH in batch.columns else batch
        return chosen.filter(pl.col(DRAWN) < self.bound)


@dataclass(frozen=True)
class _Combine:
    """Joins rows with equal codes."""

    coded: tuple[str, ...]

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        joined = batch.group_by(self.coded).agg(pl.col(DRAWN).min())
        return joined.with_columns(keys_of(joined, self.coded).alias(_KEY))


@dataclass(frozen=True)
class _Lowest:
    coded: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return rows.group_by(self.coded).agg(pl.col(DRAWN).min())


def _numbers_of_occurring(counts: np.ndarray) -> np.ndarray:
    """Return the number of each value among those that occur."""
    return np.cumsum(counts > 0) - 1


def _occurring(column: CountedColumn) -> CountedColumn:
    """Return a column with the values that occur alone."""
    used = np.flatnonzero(column.counts)
    vocabulary = column.vocabulary.select(used)
    return replace(column, vocabulary=vocabulary, hierarchy=None, numbers=column.counts[used])
