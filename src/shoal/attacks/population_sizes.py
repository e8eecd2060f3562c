"""How many people of a population may be behind each published group."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal.anonymizers import Microaggregation
from shoal.data import Microdata
from shoal.labels import covered_values

from .exposure import Exposure

__all__ = ["PopulationSizes", "population_sizes"]

_PEOPLE_AT_A_TIME = 1 << 16
_GROUPS_AT_A_TIME = 256


class PopulationSizes(NamedTuple):
    """By group of alike records, how many people of the population it may be of."""

    covered: np.ndarray
    """How many people all of its labels cover."""
    possible: np.ndarray
    """How many people none of its labels rules out, though not all of them may be read."""


def population_sizes(exposure: Exposure) -> PopulationSizes:
    """Return for each group how many people its labels cover, and how many they may cover.

    The middle of a group, which microaggregation publishes, covers nobody for sure and rules nobody out.
    """
    population = exposure.population
    assert isinstance(population, Microdata)
    firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
    if (exposure.method or "").partition(":")[0] == Microaggregation.name:
        return PopulationSizes(np.zeros(len(firsts), np.int64), np.full(len(firsts), population.n_people))
    truth, seen = exposure.tables
    # of a release without its ledger nobody says of which hierarchies its labels are
    explained = exposure.method is None or exposure.truth is not exposure.seen
    found = [
        covered_values(
            column.vocabulary.values,
            truth[column.name],
            population[column.name].vocabulary.values,
            explained=explained,
        )
        for column in seen.quasi_identifiers
    ]
    labels = [column.codes[firsts] for column in seen.quasi_identifiers]
    if population.persons is not None:  # the records of a person lie together, so that one person is counted once
        population = population.take(np.argsort(population.persons, kind="stable"))
    people = [population[column.name].codes for column in seen.quasi_identifiers]
    covered = _counted([each.covered for each in found], labels, people, population.persons)
    is_known = not any(each.unknown.any() for each in found)
    return PopulationSizes(
        covered,
        covered if is_known else _counted([each.possible for each in found], labels, people, population.persons),
    )


def _counted(
    fits: list[np.ndarray], labels: list[np.ndarray], people: list[np.ndarray], persons: np.ndarray | None
) -> np.ndarray:
    """Count for each group the people whose values fit its labels in every column, in any of their records."""
    sizes = np.zeros(len(labels[0]), np.int64)
    for begin, end in _blocks(len(people[0]), persons):
        # of each label, one bit for each record it fits
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
    """Cut the records into blocks; those of one person stay together."""
    begin = 0
    while begin < n:
        end = min(begin + _PEOPLE_AT_A_TIME, n)
        if persons is not None:
            end = int(np.searchsorted(persons, persons[end - 1], side="right"))
        yield begin, end
        begin = end


def _people(bits: np.ndarray, persons: np.ndarray | None) -> np.ndarray:
    """Count in each line the people of whom a bit is set."""
    if persons is None:
        return np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    begins = np.flatnonzero(np.diff(persons, prepend=-1))
    fit = np.unpackbits(bits, axis=1, count=len(persons))
    return np.maximum.reduceat(fit, begins, axis=1).sum(axis=1, dtype=np.int64)
