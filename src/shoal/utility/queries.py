"""Query error: how wrong the release answers random COUNT queries.

*Definition.* 100 queries ``SELECT COUNT(*) WHERE pred(A1) AND … AND pred(Aw) AND pred(As)`` are drawn: w = 3
different non-sensitive attributes (all of them where there are fewer) and, where there is one, a sensitive attribute.
Each predicate asks for b = ⌈|A| · s^(1/q)⌉ different values of the attribute's domain, drawn at random, where q is
how many predicates there are and s = 10 % the share of the records that the query would select if values were spread
evenly; on columns of numbers and dates it asks for a range, b values beside each other. Null is a value of an item
that not everybody rated, and stands below the lowest number of a column. The actual answer *act* counts all original
records, the withheld ones included; the estimate *est* adds up over the published records how likely each fulfils the
query: a rating is taken at its word, and a label of a table stands with equal chance for each value of the column
that it covers (:mod:`shoal.labels.published_column`). The error is |act − est| / max(act, sanity bound), the bound being
a thousandth of the records and at least one. *Unit.* A share of the actual answer.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3; the estimate after LeFevre et al. 2006. The paper
divides by act alone, which is 0 for most queries on sparse data; the sanity bound is the usual cure (Garofalakis and
Kumar 2005; Xiao et al. 2010).
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal.data import Microdata, Ratings, Role
from shoal.labels import PublishedColumn
from shoal.utility.ratings.items import original_points
from shoal.utility.tables.published_columns import published_columns

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = [
    "Attribute",
    "Name",
    "Query",
    "attributes",
    "average_query_error",
    "count_queries",
    "domain_sizes",
    "median_query_error",
    "ordered_names",
    "query_errors",
]


Name = tuple[bool, int]
"""Whether it is sensitive, and which item or column it is."""


@dataclass(frozen=True)
class Attribute:
    """A value of the domain 0, 1, … for each original record, a label for each published one."""

    before: np.ndarray
    labels: np.ndarray
    listing: np.ndarray
    """Values, some of them more than once: those that a label may stand for stand together."""
    begins: np.ndarray
    """By label, where its values begin in the listing."""
    ends: np.ndarray

    def likely(self, chosen: np.ndarray) -> np.ndarray:
        """Return for each published record the share of the chosen values among all that its label may stand for."""
        wanted = np.concatenate([[0], np.cumsum(chosen[self.listing])])
        return ((wanted[self.ends] - wanted[self.begins]) / (self.ends - self.begins))[self.labels]


def domain_sizes(comparison: Comparison) -> dict[Name, int]:
    """Name what can be asked about, and say how many values it has.

    That is the items that somebody rated, null being a value where not everybody did; or the quasi-identifiers and the
    sensitive columns.
    """
    if isinstance(comparison.whole, Ratings):
        return _sizes_of_items(comparison.whole)
    return {name: len(column.values) for name, column in _columns(comparison).items()}


def ordered_names(comparison: Comparison) -> frozenset[Name]:
    """Name the columns of numbers and dates, which are asked about by ranges; items are not among them."""
    if isinstance(comparison.whole, Ratings):
        return frozenset()
    kinds = {name: column.values.dtype for name, column in _columns(comparison).items()}
    return frozenset(name for name, kind in kinds.items() if kind.is_numeric() or kind.is_temporal())


def _sizes_of_items(ratings: Ratings) -> dict[Name, int]:
    sizes = {}
    for sensitive, matrix in ((False, ratings.observable), (True, ratings.sensitive)):
        rated = np.bincount(matrix.indices, minlength=len(matrix.items))
        for item in np.flatnonzero(rated).tolist():
            sizes[sensitive, item] = ratings.scale.points + bool(rated[item] < len(ratings))
    return sizes


def attributes(comparison: Comparison) -> Callable[[Name], Attribute]:
    """Return the way from names to attributes."""
    make = _item if isinstance(comparison.whole, Ratings) else _column
    return cache(lambda name: make(comparison, name))


def _columns(comparison: Comparison) -> dict[Name, PublishedColumn]:
    assert isinstance(comparison.published, Microdata)
    told = comparison.once(published_columns)
    return {
        (column.role is Role.SENSITIVE, place): told[column.name]
        for place, column in enumerate(comparison.published.columns)
        if column.name in told
    }


def _column(comparison: Comparison, name: Name) -> Attribute:
    """Return a column, its labels read as everywhere."""
    told = _columns(comparison)[name]
    return Attribute(told.before, told.labels, told.listing, told.begins, told.ends)


def _item(comparison: Comparison, name: Name) -> Attribute:
    """Return an item: a rating is taken at its word, and null is the value above the highest.

    On a finer scale than the original a rating is taken for the nearest there, the higher of two.
    """
    assert isinstance(comparison.whole, Ratings)
    assert isinstance(comparison.published, Ratings)
    codes, labels = (_codes(records, name) for records in (comparison.whole, comparison.published))
    scale = comparison.whole.scale
    nearest = np.append(original_points(scale, comparison.published.scale), scale.points)
    values = np.arange(scale.points + 1)
    return Attribute(codes, nearest[labels], values, values, values + 1)


def _codes(ratings: Ratings, name: Name) -> np.ndarray:
    sensitive, item = name
    matrix = ratings.sensitive if sensitive else ratings.observable
    places = np.flatnonzero(matrix.indices == item)
    codes = np.full(len(matrix), ratings.scale.points, ratings.scale.dtype)
    codes[np.searchsorted(matrix.indptr, places, side="right") - 1] = matrix.codes[places]
    return codes


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


_SANITY = 1000
"""Of this many records, an answer wrong by one counts fully."""


@measure("average query error", unit="share of the actual answer", quick=False, place=300, unchanged=0, draws=True)
def average_query_error(comparison: Comparison) -> float:
    """Return the average relative error of 100 random COUNT queries answered from the release."""
    return float(comparison.once(_random_errors).mean())


@measure("median query error", unit="share of the actual answer", quick=False, place=310, unchanged=0, draws=True)
def median_query_error(comparison: Comparison) -> float:
    """Return the median relative error of 100 random COUNT queries answered from the release."""
    return float(np.median(comparison.once(_random_errors)))


def _random_errors(comparison: Comparison) -> np.ndarray:
    sizes = domain_sizes(comparison)
    if all(sensitive for sensitive, _ in sizes):
        raise Unmeasurable("There is no non-sensitive attribute to ask about.")
    chance = comparison.generator("count queries")
    return query_errors(comparison, count_queries(sizes, chance, ordered_names(comparison)))


def query_errors(comparison: Comparison, queries: list[Query]) -> np.ndarray:
    """Return the relative error of each query."""
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
