"""Query error: how wrong the release answers random COUNT queries.

*Definition.* 100 queries ``SELECT COUNT(*) WHERE pred(A1) AND … AND pred(Aw) AND pred(As)`` are drawn: w = 3
different non-sensitive attributes (all of them where there are fewer) and, where there is one, a sensitive attribute.
Each predicate asks for b = ⌈|A| · s^(1/q)⌉ different values of the attribute's domain, drawn at random, where q is
how many predicates there are and s = 10 % the share of the records that the query would select if values were spread
evenly; on columns of numbers and dates it asks for a range, b values beside each other. Null is a value of an item
that not everybody rated, and stands below the lowest number of a column. The actual answer *act* counts all original
records, the withheld ones included; the estimate *est* adds up over the published records how likely each fulfils the
query: a rating is taken at its word, and a label of a table stands with equal chance for each value of the column
that it covers (:mod:`shoal.labels.told_column`). The error is |act − est| / max(act, sanity bound), the bound being
a thousandth of the records and at least one. *Unit.* A share of the actual answer.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3; the estimate after LeFevre et al. 2006. The paper
divides by act alone, which is 0 for most queries on sparse data; the sanity bound is the usual cure (Garofalakis and
Kumar 2005; Xiao et al. 2010).
"""

import numpy as np

from .attribute import Attribute, attributes, domain_sizes, ordered_names
from .comparison import Comparison
from .count_queries import Query, count_queries
from .measure import Unmeasurable, measure

__all__ = ["average_query_error", "median_query_error", "query_errors"]

_SANITY = 1000
"""Of this many records, an answer wrong by one counts fully."""


@measure("average query error", unit="share of the actual answer", quick=False)
def average_query_error(comparison: Comparison) -> float:
    """Give the average relative error of 100 random COUNT queries answered from the release."""
    return float(comparison.once(_random_errors).mean())


@measure("median query error", unit="share of the actual answer", quick=False)
def median_query_error(comparison: Comparison) -> float:
    """Give the median relative error of 100 random COUNT queries answered from the release."""
    return float(np.median(comparison.once(_random_errors)))


def _random_errors(comparison: Comparison) -> np.ndarray:
    sizes = domain_sizes(comparison)
    if all(sensitive for sensitive, _ in sizes):
        raise Unmeasurable("There is no non-sensitive attribute to ask about.")
    chance = comparison.generator("count queries")
    return query_errors(comparison, count_queries(sizes, chance, ordered_names(comparison)))


def query_errors(comparison: Comparison, queries: list[Query]) -> np.ndarray:
    """Give the relative error of each query."""
    attribute = attributes(comparison)
    errors = []
    for query in queries:
        act, est = _answers([(attribute(name), chosen) for name, chosen in query.items()])
        errors.append(abs(act - est) / max(act, len(comparison.whole) / _SANITY, 1))
    return np.array(errors)


def _answers(predicates: list[tuple[Attribute, np.ndarray]]) -> tuple[int, float]:
    """Count the originals that fulfil all predicates, and add up how likely the published records do."""
    actual = np.logical_and.reduce([chosen[attribute.before] for attribute, chosen in predicates])
    likely = np.multiply.reduce([attribute.likely(chosen) for attribute, chosen in predicates])
    return int(actual.sum()), float(likely.sum())
