"""Rules between the insensitive columns of a release and the quasi-identifiers behind it.

An attacker knows the quasi-identifiers of a person. Where an insensitive column determines the exact value of one that
is generalized, the attacker rules out records of others in the group by reading it; where quasi-identifiers determine
the insensitive value, the attacker knows that, too, and rules out records with another.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from shoal.evidence import PairCounts, equal_codes

from .audited_records import AuditedRecords
from .dependency import determination, determined_within
from .known_column import KnownColumn
from .pair_inferences import pair_rules
from .rules import Rule, SoughtRule, StratumRule, View, WithinRule

__all__ = ["TableInferences"]


_BEST = 2
"""The number of combinations of strata and quasi-identifiers that are judged: those that determine most people, found
on a sample."""
_WORTH_IT = 100
"""More than one person in so many must be determined."""
_PLACES = 4


@dataclass(frozen=True, eq=False)
class _Triple:
    """What is read, one view of a quasi-identifier, and one view of another that makes the strata."""

    columns: tuple[str, ...]
    n_read: int
    of_stratum: View
    inside: View

    def determined(self, counted: PairCounts) -> Iterator[tuple[bool, np.ndarray, int]]:
        """Yield what the quasi-identifier determines, then what determines it, and for how many people."""
        n_strata, n_known, n_read = self.of_stratum.n_labels, self.inside.n_labels, self.n_read
        stratum, value = counted.one // n_known, counted.one % n_known
        other_way = PairCounts(stratum * n_read + counted.other, n_strata * n_read, value, n_known, counted.counts)
        for of_read, pairs, width in ((True, counted, n_known), (False, other_way, n_read)):
            determined = determined_within(pairs, np.repeat(np.arange(n_strata), width), n_strata)
            yield of_read, determined, int(pairs.of_one[determined >= 0].sum())

    def fits(self, n_rows: int) -> bool:
        """Decide whether so many records can tell anything of strata."""
        return self.of_stratum.n_labels * max(self.inside.n_labels, self.n_read) <= _PLACES * n_rows

    def rule(self, counted: PairCounts, *, of_read: bool) -> Rule | None:
        """Return the rule as it is learned from pairs."""
        ((_, determined, _),) = (each for each in self.determined(counted) if each[0] == of_read)
        if not (determined >= 0).any():
            return None
        kind = WithinRule if of_read else StratumRule
        about = (self.of_stratum.name, self.inside.name)
        by_stratum = determined.reshape(self.of_stratum.n_labels, -1)
        return kind(self.columns, about, False, False, self.of_stratum, self.inside, by_stratum)


@dataclass(frozen=True, eq=False)
class TableInferences:
    """Finds rules in a release beside its originals."""

    records: AuditedRecords
    _remembered: dict[tuple[str, ...], tuple[np.ndarray, int]] = field(default_factory=dict)

    def of_column(self, column: str) -> list[Rule]:
        """Return all rules between a column and quasi-identifiers: one by one, by twos, and all together."""
        singly = self.of_columns((column,))
        certain = {name for rule in singly if rule.whole for name in rule.about}
        several = list(self._determined_by_several(column, certain))
        certain |= {name for rule in several for name in rule.about}
        known = [each for each in self.records.known if each.column.name not in certain]
        return [*singly, *several, *self._within_strata(column, known)]

    def of_columns(self, columns: tuple[str, ...]) -> list[Rule]:
        """Return all rules between the combinations of values of columns and single quasi-identifiers."""
        rules: list[Rule] = []
        for known in self.records.generalized:
            pairs = self.records.pairs(columns, known)
            for learned in pairs.learned:
                rules += pair_rules(columns, known, learned, pairs.everything)
        return rules

    def _within_strata(self, column: str, known: list[KnownColumn]) -> Iterator[Rule]:
        """Yield the rules that determine most people; searched on a sample, learned from one record a person."""
        columns, sample = (column,), self.records.sample
        found: list[tuple[int, bool, _Triple]] = []
        for triple in self._triples(columns, known):
            counted = self._counted_in_sample(triple)
            found += [(people, of_read, triple) for of_read, _, people in triple.determined(counted)]
        worth_it = [each for each in found if _WORTH_IT * each[0] > len(sample)]
        for _, of_read, triple in sorted(worth_it, key=lambda each: -each[0])[:_BEST]:
            counted = self.records.pairs_within(columns, triple.of_stratum, triple.inside)
            rule = triple.rule(counted, of_read=of_read)
            if rule is not None:
                yield rule

    def _triples(self, columns: tuple[str, ...], known: list[KnownColumn]) -> Iterator[_Triple]:
        n_read, n_rows = self.records.n_read(columns), len(self.records.sample)
        for one, other in permutations(known, 2):
            if not {one.column.name, other.column.name} & self._coarse:
                continue
            for of_stratum in one.strata:
                for inside in other.within_strata:
                    triple = _Triple(columns, n_read, of_stratum, inside)
                    if triple.fits(n_rows):
                        yield triple

    def _counted_in_sample(self, triple: _Triple) -> PairCounts:
        sample, of_stratum, inside = self.records.sample, triple.of_stratum, triple.inside
        labels = of_stratum.of(sample) * inside.n_labels + inside.of(sample)
        n_labels = of_stratum.n_labels * inside.n_labels
        return PairCounts.of(labels, n_labels, sample.read(triple.columns), triple.n_read)

    @cached_property
    def _coarse(self) -> set[str]:
        return {each.column.name for each in self.records.generalized}

    def _determined_by_several(self, column: str, certain: set[str]) -> Iterator[Rule]:
        """Yield the inferences of the column from two quasi-identifiers, or from all together.

        Those with a certain inference already are not tried again with others.
        """
        found: list[set[str]] = []
        for names in self._several:
            known = any(each <= set(names) for each in found) or not certain.isdisjoint(names)
            if known or not self._is_determined_by(column, names):
                continue
            exact = self.records.determined_by((column,), names)
            if exact is not None:
                found.append(set(names))
                yield SoughtRule((column,), names, True, exact)

    @cached_property
    def _several(self) -> list[tuple[str, ...]]:
        """Two quasi-identifiers each, of which at least one is generalized, and all of them."""
        names = tuple(each.column.name for each in self.records.known)
        pairs: list[tuple[str, ...]] = [pair for pair in combinations(names, 2) if not self._coarse.isdisjoint(pair)]
        return [*pairs, names] if len(names) > 2 and self._coarse else pairs

    def _is_determined_by(self, column: str, names: tuple[str, ...]) -> bool:
        """Try it on some records."""
        labels, n_labels = self._numbered(names)
        codes, n_values = self.records.sample.read((column,)), self.records.n_read((column,))
        return determination(PairCounts.of(labels, n_labels, codes, n_values)).whole

    def _numbered(self, names: tuple[str, ...]) -> tuple[np.ndarray, int]:
        if names not in self._remembered:
            sample, widths = self.records.sample, {each.column.name: each.n_values for each in self.records.known}
            parts = [(sample.known(name), widths[name]) for name in names]
            self._remembered[names] = equal_codes(parts, len(sample))
        return self._remembered[names]
