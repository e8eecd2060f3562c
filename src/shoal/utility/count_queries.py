"""Random COUNT queries, as the survey-rating paper draws them (section 5.3); ranges of numbers and dates."""

import math
from collections.abc import Collection, Mapping

import numpy as np

from .attribute import Name

__all__ = ["Query", "count_queries"]

Query = dict[Name, np.ndarray]
"""For each attribute asked about, which of its values are asked for."""

_QUERIES = 100
_WIDTH = 3
_SELECTIVITY = 0.1


def count_queries(
    sizes: Mapping[Name, int], chance: np.random.Generator, ordered: Collection[Name] = ()
) -> list[Query]:
    """Draw queries over attributes of which the domain sizes are given; at least one is not sensitive.

    Of the ordered ones, values beside each other are asked for.
    """
    plain, sensitive = ([name for name in sizes if name[0] == side] for side in (False, True))
    queries = []
    for _ in range(_QUERIES):
        names = [plain[i] for i in chance.choice(len(plain), min(_WIDTH, len(plain)), replace=False)]
        if sensitive:
            names.append(sensitive[chance.integers(len(sensitive))])
        share = _SELECTIVITY ** (1 / len(names))
        wanted = {name: math.ceil(sizes[name] * share) for name in names}
        queries.append(
            {name: (_range if name in ordered else _values)(sizes[name], wanted[name], chance) for name in names}
        )
    return queries


def _values(n_values: int, wanted: int, chance: np.random.Generator) -> np.ndarray:
    """Draw different values; one more place is for a null that no original has, and it is never drawn."""
    chosen = np.zeros(n_values + 1, bool)
    chosen[chance.choice(n_values, wanted, replace=False)] = True
    return chosen


def _range(n_values: int, wanted: int, chance: np.random.Generator) -> np.ndarray:
    """Draw values beside each other, and never the one more place."""
    chosen = np.zeros(n_values + 1, bool)
    first = chance.integers(n_values - wanted + 1)
    chosen[first : first + wanted] = True
    return chosen
