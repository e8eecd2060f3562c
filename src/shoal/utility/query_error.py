"""Query error: how wrong the release answers random COUNT queries.

*Definition.* 100 queries ``SELECT COUNT(*) WHERE pred(A1) AND … AND pred(Aw) AND pred(As)`` are drawn: w = 3
different non-sensitive attributes (all of them where there are fewer) and, where there is one, a sensitive attribute.
Each predicate asks for b = ⌈|A| · s^(1/q)⌉ different values of the attribute's domain, drawn at random, where q is
how many predicates there are and s = 10 % the share of the records that the query would select if values were spread
evenly. Null is a value of an item that not everybody rated. The actual answer *act* counts all original records, the
withheld ones included; the estimate *est* adds up over the published records how likely each fulfils the query: a
rating is taken at its word, and a label of a table stands with equal chance for each value published under it. The
error is |act − est| / max(act, sanity bound), the bound being a thousandth of the records and at least one. *Unit.* A
share of the actual answer.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3; the estimate after LeFevre et al. 2006. The paper
divides by act alone, which is 0 for most queries on sparse data; the sanity bound is the usual cure (Garofalakis and
Kumar 2005; Xiao et al. 2010).
"""

import math

import numpy as np

from .attribute import Attribute, Name, askable, attributes
from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["average_query_error", "median_query_error"]

_QUERIES = 100
_WIDTH = 3
_SELECTIVITY = 0.1
_SANITY = 1000
"""Of this many records, an answer wrong by one counts fully."""


@measure("average query error", unit="share of the actual answer", quick=False)
def average_query_error(comparison: Comparison) -> float:
    """Give the average relative error of 100 random COUNT queries answered from the release."""
    return float(comparison.once(_errors).mean())


@measure("median query error", unit="share of the actual answer", quick=False)
def median_query_error(comparison: Comparison) -> float:
    """Give the median relative error of 100 random COUNT queries answered from the release."""
    return float(np.median(comparison.once(_errors)))


def _errors(comparison: Comparison) -> np.ndarray:
    chance = comparison.generator("count queries")
    asked = _drawn(askable(comparison), chance)
    attribute = attributes(comparison, {name for query in asked for name in query})
    return np.array([_error([attribute(name) for name in query], comparison, chance) for query in asked])


def _drawn(names: list[Name], chance: np.random.Generator) -> list[list[Name]]:
    """Draw which attributes each query asks about."""
    plain, sensitive = ([name for name in names if name[0] == side] for side in (False, True))
    if not plain:
        raise Unmeasurable("There is no non-sensitive attribute to ask about.")
    drawn = []
    for _ in range(_QUERIES):
        query = [plain[i] for i in chance.choice(len(plain), min(_WIDTH, len(plain)), replace=False)]
        drawn.append(query + ([sensitive[chance.integers(len(sensitive))]] if sensitive else []))
    return drawn


def _error(query: list[Attribute], comparison: Comparison, chance: np.random.Generator) -> float:
    chosen = [_predicate(attribute.n_values, len(query), chance) for attribute in query]
    actual = np.logical_and.reduce([each[attribute.before] for each, attribute in zip(chosen, query, strict=True)])
    likely = np.multiply.reduce([attribute.likely(each) for each, attribute in zip(chosen, query, strict=True)])
    act, est = int(actual.sum()), float(likely.sum())
    return abs(act - est) / max(act, len(comparison.whole) / _SANITY, 1)


def _predicate(n_values: int, n_predicates: int, chance: np.random.Generator) -> np.ndarray:
    chosen = np.zeros(n_values, bool)
    share = _SELECTIVITY ** (1 / n_predicates)
    chosen[chance.choice(n_values, math.ceil(n_values * share), replace=False)] = True
    return chosen
