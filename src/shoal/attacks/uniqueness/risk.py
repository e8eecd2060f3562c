"""The attack ``risk``: the prosecutor, journalist and marketer risk of re-identification.

*Knowledge.* All quasi-identifiers of people. A *prosecutor* knows those of the target, who is known to be in the table.
A *journalist* knows those of everybody in the population from which the table was sampled. A *marketer* wants to
re-identify as many people as possible, in the population where one is given and otherwise in the table.

With ``knows=insensitive``, a prosecutor or a marketer also knows the insensitive columns, which are published
unchanged: contrary to the schema, by which nobody does.

On a survey, a prosecutor or a marketer knows the quasi-identifiers and all non-sensitive answers.

*Success.* The attacker finds the equivalence class that covers the target and picks one of its people: the probability
is 1 divided by the size of the class, in the table or in the population. People of the population whom a class may
cover are not counted where its labels cannot be read: an unreadable label hides nobody.

*Reference.* El Emam and Dankar, Protecting privacy using k-anonymity (2008); Dankar and El Emam, A method for
evaluating marketer re-identification risk (2010).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from shoal.anonymizers import Microaggregation
from shoal.attacks.base import Attack, attacks
from shoal.attacks.exposure import Exposure, control_targets
from shoal.attacks.finding import Outcome, Yardstick
from shoal.data import Microdata, Role, Survey
from shoal.evidence import equal_tuples
from shoal.labels import covered_values
from shoal.models import promised_k
from shoal.randomness import Randomness

__all__ = ["PopulationSizes", "TableRisk", "population_sizes"]


_PEOPLE_AT_A_TIME = 1 << 16
_GROUPS_AT_A_TIME = 256


class PopulationSizes(NamedTuple):
    """By equivalence class, the numbers of people of the population who may belong to it."""

    covered: np.ndarray
    """The number of people whom all of its labels cover."""
    possible: np.ndarray
    """The number of people whom none of its labels rules out, though some labels may be unreadable."""


def population_sizes(exposure: Exposure) -> PopulationSizes:
    """Return for each equivalence class how many people its labels cover, and how many they may cover.

    A centroid, which microaggregation publishes, covers nobody for certain and rules nobody out.
    """
    population = exposure.population
    assert isinstance(population, Microdata)
    firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
    if (exposure.method or "").partition(":")[0] == Microaggregation.name:
        return PopulationSizes(np.zeros(len(firsts), np.int64), np.full(len(firsts), population.n_people))
    truth, seen = exposure.tables
    # for a release without its ledger, the hierarchies behind its labels are unknown
    explained = exposure.method is None or exposure.truth is not exposure.seen
    found = [
        covered_values(
            column.vocabulary.values,
            truth[column.name],
            population[column.name].vocabulary.values,
            explained=explained,
        )
        for column in seen.observable
    ]
    labels = [column.codes[firsts] for column in seen.observable]
    if population.persons is not None:  # the records of a person are adjacent, so that each person is counted once
        population = population.take(np.argsort(population.persons, kind="stable"))
    people = [population[column.name].codes for column in seen.observable]
    covered = _counted([each.covered for each in found], labels, people, population.persons)
    is_known = not any(each.unknown.any() for each in found)
    return PopulationSizes(
        covered,
        covered if is_known else _counted([each.possible for each in found], labels, people, population.persons),
    )


def _counted(
    fits: list[np.ndarray], labels: list[np.ndarray], people: list[np.ndarray], persons: np.ndarray | None
) -> np.ndarray:
    """Count for each group the people one of whose records matches its labels in every column."""
    sizes = np.zeros(len(labels[0]), np.int64)
    for begin, end in _blocks(len(people[0]), persons):
        # for each label, one bit per record that it matches
        some = slice(begin, end)
        bits = [np.packbits(of_values[:, codes[some]], axis=1) for of_values, codes in zip(fits, people, strict=True)]
        for first in range(0, len(sizes), _GROUPS_AT_A_TIME):
            groups = slice(first, first + _GROUPS_AT_A_TIME)
            both = bits[0][labels[0][groups]]
            for of_labels, used in zip(bits[1:], labels[1:], strict=True):
                both &= of_labels[used[groups]]
            sizes[groups] += _people(both, None if persons is None else persons[some])
    return sizes


def _blocks(n: int, persons: np.ndarray | None) -> Iterator[tuple[int, int]]:
    """Divide the records into blocks that keep each person's records together."""
    begin = 0
    while begin < n:
        end = min(begin + _PEOPLE_AT_A_TIME, n)
        if persons is not None:
            end = int(np.searchsorted(persons, persons[end - 1], side="right"))
        yield begin, end
        begin = end


def _people(bits: np.ndarray, persons: np.ndarray | None) -> np.ndarray:
    """Count in each row the people with a bit set."""
    if persons is None:
        return np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    begins = np.flatnonzero(np.diff(persons, prepend=-1))
    fit = np.unpackbits(bits, axis=1, count=len(persons))
    return np.maximum.reduceat(fit, begins, axis=1).sum(axis=1, dtype=np.int64)


_THRESHOLD = 0.09
"""The threshold of medicines agencies for public releases: groups of 11 exceed it, groups of 12 do not."""


@attacks.add
@dataclass(frozen=True)
class TableRisk(Attack):
    """Re-identifies records by the quasi-identifiers: prosecutor, journalist and marketer risk."""

    name: ClassVar[str] = "risk"
    kinds: ClassVar[frozenset[str]] = frozenset({"survey", "table"})
    yardstick: ClassVar[Yardstick] = "singling out"

    model: Literal["prosecutor", "journalist", "marketer"] = "prosecutor"
    knows: Literal["insensitive"] | None = None
    """Columns known beside the quasi-identifiers."""

    @property
    def meaning(self) -> str:
        """The background knowledge and the goal of the attacker."""
        also = " and insensitive columns" if self.knows else ""
        known = f"Knows all quasi-identifiers{also}"
        return {
            "prosecutor": f"{known} of a person who is known to be in the table, and looks for the person's record.",
            "journalist": f"{known} of everybody in a population, and looks for the person behind a record.",
            "marketer": f"{known} of everybody, and tries to re-identify every record.",
        }[self.model]

    @classmethod
    def usual(cls, exposure: Exposure) -> tuple[Attack, ...]:
        """Run all three models, and a prosecutor who also knows the insensitive columns where there are any."""
        all_three = (cls("prosecutor"), cls("journalist"), cls("marketer"))
        if exposure.truth.kind != "table" or not exposure.tables[1].with_role(Role.INSENSITIVE):
            return all_three
        return (*all_three, cls("prosecutor", "insensitive"))

    @property
    def heeds(self) -> frozenset[str]:
        """The population, except for the prosecutor, who knows that the target is in the table."""
        return frozenset() if self.model == "prosecutor" else frozenset({"population"})

    @property
    def counts_by_class(self) -> bool:
        """With further columns known, classes are subdivided, and a release does not state the parts' people."""
        return not self.knows

    def _misfit(self, exposure: Exposure) -> str | None:
        if isinstance(exposure.seen, Survey):
            known_more = self.knows or self.model == "journalist"
            return (
                "On a survey it knows the quasi-identifiers and answers of its people, and no more."
                if known_more
                else None
            )
        seen = exposure.tables[1]
        if not seen.observable:
            return "The table has no quasi-identifier."
        if self.knows and not seen.with_role(Role.INSENSITIVE):
            return "The table has no insensitive column."
        if self.knows and (
            self.model == "journalist" or (self.model == "marketer" and exposure.population is not None)
        ):
            return "A population is searched by quasi-identifiers alone."
        if exposure.population is None:
            return "It needs a table of the population." if self.model == "journalist" else None
        names = {column.name for column in seen.observable}
        known = exposure.population.names if isinstance(exposure.population, Microdata) else ()
        if self.model != "prosecutor" and not names <= set(known):
            return "The population lacks quasi-identifiers of the table."
        return None

    def _run(self, exposure: Exposure, randomness: Randomness) -> Outcome:
        in_population = self.model != "prosecutor" and isinstance(exposure.population, Microdata)
        sizes, everybody = _in_population(exposure) if in_population else _in_table(exposure)
        groups = exposure.group_of[exposure.published]
        if exposure.hides_persons:  # one target per person and class
            groups = np.repeat(np.arange(len(sizes)), exposure.group_sizes)
        if self.knows:
            sizes, of_seen = _with_insensitive(exposure)
            groups = of_seen[exposure.place[exposure.published]]
        risks = 1 / sizes[groups]
        others = control_targets(groups, randomness.generator("risk"), exposure.persons_of(exposure.published))
        of_people = exposure.worst_by_person(risks)
        details = {
            "unique_records": float((sizes[groups] == 1).mean()),
            "records_at_risk_above_0_09": float((risks > _THRESHOLD).mean()),
            "smallest_group": int(sizes[groups].min()),
            "expected_people_found": float(of_people.sum()),
        }
        k = promised_k(exposure.promises)
        if self.knows and k is not None:
            details["records_below_promised_k"] = float((sizes[groups] < k).mean())
        if exposure.persons is not None:
            details["people_found_for_certain"] = float((of_people == 1).mean())
            details["largest_share_of_a_group_held_by_one_person"] = _largest_personal_share(exposure)
        rows = None if exposure.hides_persons else exposure.published
        return Outcome(risks, 1 / everybody, np.where(others == groups, risks, 0.0), details, rows=rows)


def _largest_personal_share(exposure: Exposure) -> float:
    """Return the largest share of a group's records that belong to one person.

    Whoever picks a record of the group hits one of that person's with this probability, however many people share it.
    """
    groups, persons = exposure.group_of[exposure.published], exposure.persons
    assert persons is not None
    pairs, times = np.unique(np.stack([groups, persons[exposure.published]]), axis=1, return_counts=True)
    return float((times / np.bincount(groups)[pairs[0]]).max())


def _in_table(exposure: Exposure) -> tuple[np.ndarray, int]:
    return exposure.group_sizes, exposure.n_people


def _with_insensitive(exposure: Exposure) -> tuple[np.ndarray, np.ndarray]:
    """Return the sizes of groups equal in quasi-identifiers and insensitive columns, and each record's group."""
    seen = exposure.tables[1]
    columns = (*seen.observable, *seen.with_role(Role.INSENSITIVE))
    labels, found = equal_tuples(columns, len(seen))
    return exposure.people_of_classes(labels, found), labels


def _in_population(exposure: Exposure) -> tuple[np.ndarray, int]:
    """Return a lower bound on the number of people in each group, and the number of all people.

    A group has at least as many people as in the table: the population may lack somebody, and a label that is
    unreadable here may be readable to an attacker. Where the labels rule everybody out, it may be anybody.
    """
    assert exposure.population is not None
    everybody = max(exposure.population.n_people, exposure.n_people)
    found = population_sizes(exposure)
    return np.where(found.possible == 0, everybody, np.maximum(found.covered, exposure.group_sizes)), everybody
