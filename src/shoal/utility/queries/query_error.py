"""Query error: how wrong the release answers random COUNT queries.

*Definition.* Queries ``SELECT COUNT(*) WHERE pred(A1) AND … AND pred(Aw) AND pred(As)`` are drawn: w different
non-sensitive attributes (all of them where there are fewer) and, where there is one, a sensitive attribute. Each
predicate asks for b = ⌈|A| · s^(1/q)⌉ different values of the attribute's domain, drawn at random, where q is how many
predicates there are and s the share of the records that the query would select if values were spread evenly; on
columns of numbers and dates it asks for a range, b values beside each other. Null is a value of an item that not
everybody rated, and stands below the lowest number of a column. On sets, where an item has two values, a predicate asks
for one of them, who has the item or who does not: asking for both would ask nothing. The actual answer *act* counts all
original records, the withheld ones included; the estimate *est* adds up over the published records how likely each
fulfils the query: a rating is taken at its word, and a label of a table stands with equal chance for each value of the
column that it covers (:mod:`shoal.labels.published_column`). The error is |act − est| / max(act, sanity bound), the
bound being a thousandth of the records and at least one. *Unit.* A share of the actual answer. *Settings.* How many
queries there are, w, s and the bound (:class:`~shoal.utility.query_settings.Queries`): 100, 3, 10 % and a thousandth
unless said. With a bound of 0 the error is divided by act alone, and queries whose act is 0 are left out.

*Weighted.* The same queries, with the sum of sampling weights in place of COUNT, and the bound a thousandth of all
weights: the error of estimates for the population. The weights of published records are those of their originals.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3; the estimate after LeFevre et al. 2006. The paper
divides by act alone, which is 0 for most queries on sparse data; the sanity bound is the usual cure (Garofalakis and
Kumar 2005; Xiao et al. 2010).
"""

import math
from collections.abc import Collection, Mapping
from fractions import Fraction

import numpy as np

from shoal.data import Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure
from shoal.utility.query_settings import Queries

from .attributes import Name, QueryAttribute, domain_sizes, ordered_names, query_attributes

__all__ = [
    "Query",
    "average_query_error",
    "count_queries",
    "median_query_error",
    "query_errors",
    "weighted_query_error",
]


Query = dict[Name, np.ndarray]
"""For each attribute queried, the mask of the values asked for."""


def count_queries(
    sizes: Mapping[Name, int],
    chance: np.random.Generator,
    asked: Queries,
    ordered: Collection[Name] = (),
    *,
    one_value: bool = False,
) -> list[Query]:
    """Draw queries over attributes with the given domain ``sizes``, of which at least one is not sensitive.

    On ``ordered`` attributes they ask for a range of adjacent values. With ``one_value`` every predicate asks for a
    single one.
    """
    plain, sensitive = ([name for name in sizes if name[0] == side] for side in (False, True))
    queries = []
    for _ in range(asked.count):
        names = [plain[i] for i in chance.choice(len(plain), min(asked.width, len(plain)), replace=False)]
        if sensitive:
            names.append(sensitive[chance.integers(len(sensitive))])
        wanted = {name: 1 if one_value else _wanted(sizes[name], asked.selectivity, len(names)) for name in names}
        queries.append(
            {name: (_range if name in ordered else _values)(sizes[name], wanted[name], chance) for name in names}
        )
    return queries


def _wanted(n_values: int, selectivity: Fraction, predicates: int) -> int:
    """Return ⌈n · s^(1/q)⌉ exactly: the least b with (b/n)^q ≥ s, where a float root may end up one too high."""
    wanted = math.ceil(n_values * float(selectivity) ** (1 / predicates))
    while Fraction(wanted - 1, n_values) ** predicates >= selectivity:
        wanted -= 1
    while Fraction(wanted, n_values) ** predicates < selectivity:
        wanted += 1
    return wanted


def _values(n_values: int, wanted: int, chance: np.random.Generator) -> np.ndarray:
    """Draw ``wanted`` different values; the last place stands for a null that no original has, and is never drawn."""
    chosen = np.zeros(n_values + 1, bool)
    chosen[chance.choice(n_values, wanted, replace=False)] = True
    return chosen


def _range(n_values: int, wanted: int, chance: np.random.Generator) -> np.ndarray:
    """Draw ``wanted`` adjacent values, never the last place."""
    chosen = np.zeros(n_values + 1, bool)
    first = chance.integers(n_values - wanted + 1)
    chosen[first : first + wanted] = True
    return chosen


@measure(
    "average query error",
    unit="share of the actual answer",
    quick=False,
    place=300,
    unchanged=0,
    draws=True,
    of_items=True,
)
def average_query_error(comparison: Comparison) -> float:
    """The average relative error of random COUNT queries answered from the release."""
    return float(comparison.once(_random_errors).mean())


@measure(
    "median query error",
    unit="share of the actual answer",
    quick=False,
    place=310,
    unchanged=0,
    draws=True,
    of_items=True,
)
def median_query_error(comparison: Comparison) -> float:
    """The median relative error of random COUNT queries answered from the release."""
    return float(np.median(comparison.once(_random_errors)))


@measure(
    "weighted average query error",
    unit="share of the actual answer",
    quick=False,
    place=305,
    unchanged=0,
    draws=True,
    of_samples=True,
)
def weighted_query_error(comparison: Comparison) -> float:
    """The average relative error of random queries for sums of weights, answered from the release."""
    if comparison.weights is None:
        raise Unmeasurable("There are no weights.")
    return float(_errors_of_random(comparison, comparison.weights).mean())


def _random_errors(comparison: Comparison) -> np.ndarray:
    return _errors_of_random(comparison)


def _errors_of_random(comparison: Comparison, weights: np.ndarray | None = None) -> np.ndarray:
    sizes = domain_sizes(comparison)
    if all(sensitive for sensitive, _ in sizes):
        raise Unmeasurable("There is no non-sensitive attribute to query.")
    chance = comparison.generator("count queries")
    of_sets = isinstance(comparison.whole, Ratings) and comparison.whole.is_sets
    queries = count_queries(sizes, chance, comparison.queries, ordered_names(comparison), one_value=of_sets)
    errors = query_errors(comparison, queries, weights)
    if not len(errors):
        raise Unmeasurable("The actual answer of every query is 0, and the sanity bound is 0.")
    return errors


def query_errors(comparison: Comparison, queries: list[Query], weights: np.ndarray | None = None) -> np.ndarray:
    """Return the relative error of each query; with a sanity bound of 0, of those whose answer is not 0.

    With ``weights`` of the originals, a query asks for their sum and not for a number of records.
    """
    attribute, sanity = query_attributes(comparison), comparison.queries.sanity
    if weights is None:
        bound = max(float(sanity * len(comparison.whole)), 1) if sanity else 0
    else:
        bound = max(float(sanity) * float(weights.sum()), float(weights.min())) if sanity else 0
    errors = []
    for query in queries:
        actual, likely = _fulfilled([(attribute(name), chosen) for name, chosen in query.items()])
        if weights is None:
            act, est = int(actual.sum()), float(likely.sum())
        else:
            act, est = float(weights[actual].sum()), float(weights[comparison.origins] @ likely)
        if act or bound:
            errors.append(abs(act - est) / max(act, bound))
    return np.array(errors)


def _fulfilled(predicates: list[tuple[QueryAttribute, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return which originals satisfy all predicates, and how likely each published record does."""
    actual = np.logical_and.reduce([chosen[attribute.before] for attribute, chosen in predicates])
    likely = np.multiply.reduce([attribute.likely(chosen) for attribute, chosen in predicates])
    return actual, likely
