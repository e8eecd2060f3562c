"""How many people of a population may be behind each published group."""

import numpy as np

from shoal.data import Microdata
from shoal.labels import covered_values

from .exposure import Exposure

__all__ = ["population_sizes"]

_PEOPLE_AT_A_TIME = 1 << 16
_GROUPS_AT_A_TIME = 256


def population_sizes(exposure: Exposure) -> np.ndarray:
    """Give for each group of alike records how many people of the population all its labels cover."""
    truth, seen = exposure.tables
    population = exposure.population
    assert isinstance(population, Microdata)
    firsts = np.unique(exposure.grouping.labels, return_index=True)[1]
    labels = [column.codes[firsts] for column in seen.quasi_identifiers]
    covers = [
        covered_values(column.vocabulary.values, truth[column.name], population[column.name].vocabulary.values)
        for column in seen.quasi_identifiers
    ]
    sizes = np.zeros(len(firsts), np.int64)
    for begin in range(0, len(population), _PEOPLE_AT_A_TIME):
        some = population.take(np.arange(begin, min(begin + _PEOPLE_AT_A_TIME, len(population))))
        # of each label, one bit for each person it covers
        bits = [
            np.packbits(of_values[:, some[column.name].codes], axis=1)
            for of_values, column in zip(covers, seen.quasi_identifiers, strict=True)
        ]
        for first in range(0, len(sizes), _GROUPS_AT_A_TIME):
            groups = slice(first, first + _GROUPS_AT_A_TIME)
            both = bits[0][labels[0][groups]]
            for of_labels, used in zip(bits[1:], labels[1:], strict=True):
                both &= of_labels[used[groups]]
            sizes[groups] += np.bitwise_count(both).sum(axis=1, dtype=np.int64)
    return sizes
