"""Clustering coefficient of the proximity graph: how often two neighbours of a record are neighbours too.

*Definition.* Two records are joined when no non-sensitive item has a dissimilarity above ε (Definition 1 of the
survey-rating paper; two nulls are 0 apart, a null and a rating the highest rating). The coefficient of a record is
the share of the pairs of its neighbours that are joined, 0 where it has fewer than two; the measure is the average
over all published records, or over all original ones for the coefficient *before*. ε is that of the certified promise
k-epsilon; k-anonymity of ratings is taken as ε = 0. Up to 2,000 records it is exact; beyond, the average over 1,000
records drawn at random, for each of which at most 1,000 pairs of neighbours are drawn, which is off by about 0.02.
*Unit.* A share of pairs.

*Reference.* Section 5.4 and Figure 18 of the survey-rating paper; Watts and Strogatz 1998.
"""

import numpy as np

from shoal.data import RatingMatrix, Ratings, Records
from shoal.kernels.equal_rows import equal_patterns

from .comparison import Comparison
from .measure import Unmeasurable, measure

__all__ = ["clustering_coefficient", "clustering_coefficient_before"]

_EXACT = 2_000
_VERTICES = 1_000
_PAIRS = 1_000


@measure("clustering coefficient", unit="share of pairs of neighbours", quick=False)
def clustering_coefficient(comparison: Comparison) -> float:
    """Give how often two neighbours of a published record are neighbours too, on average."""
    return _average(comparison.published, comparison)


@measure("clustering coefficient before", unit="share of pairs of neighbours", quick=False)
def clustering_coefficient_before(comparison: Comparison) -> float:
    """Give how often two neighbours of an original record were neighbours too, on average."""
    return _average(comparison.whole, comparison)


def _average(records: Records, comparison: Comparison) -> float:
    if not isinstance(records, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    if comparison.epsilon is None:
        raise Unmeasurable("No certified promise says how near records must be to be neighbours.")
    radius = records.scale.steps_within(comparison.epsilon)
    if radius >= records.scale.null_steps:
        return float(len(records) > 2)  # everybody is joined to everybody
    if len(records) <= _EXACT:
        return _exact(records.observable, radius)
    return _sampled(records.observable, radius, comparison.generator("clustering coefficient"))


def _exact(matrix: RatingMatrix, radius: int) -> float:
    """Count all triangles, pattern of nulls by pattern: records of different patterns are not joined."""
    patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
    total = 0.0
    for pattern in range(n_patterns):
        points = _points(matrix, np.flatnonzero(patterns == pattern))
        joined = np.ones((len(points), len(points)), bool)
        for ratings in points.T:
            joined &= _near(ratings[:, None], ratings, radius)
        np.fill_diagonal(joined, val=False)
        edges = joined.astype(np.float32)  # whole numbers below 2²⁴: exact
        degrees = edges.sum(axis=1, dtype=np.float64)
        triangles = ((edges @ edges) * edges).sum(axis=1, dtype=np.float64)
        total += float((triangles / np.maximum(degrees * (degrees - 1), 1)).sum())
    return total / len(matrix)


def _sampled(matrix: RatingMatrix, radius: int, chance: np.random.Generator) -> float:
    """Look at some records and, of each, at some pairs of neighbours."""
    patterns, _ = equal_patterns(matrix.indptr, matrix.indices)
    drawn = chance.choice(len(matrix), _VERTICES, replace=False)
    total = 0.0
    for pattern in np.unique(patterns[drawn]):
        rows = np.flatnonzero(patterns == pattern)
        if len(rows) < 3:
            continue
        points = np.asfortranarray(_points(matrix, rows))  # read item by item
        for vertex in np.searchsorted(rows, drawn[patterns[drawn] == pattern]):
            total += _local(points, int(vertex), radius, chance)
    return total / _VERTICES


def _local(points: np.ndarray, vertex: int, radius: int, chance: np.random.Generator) -> float:
    near = _neighbours(points, vertex, radius)
    if len(near) < 2:
        return 0.0
    pairs = len(near) * (len(near) - 1) // 2
    if pairs <= _PAIRS:
        one, other = np.triu_indices(len(near), 1)
    else:
        one = chance.integers(len(near), size=_PAIRS)
        other = (one + chance.integers(1, len(near), size=_PAIRS)) % len(near)
    return float(_near(points[near[one]], points[near[other]], radius).all(axis=1).mean())


def _neighbours(points: np.ndarray, vertex: int, radius: int) -> np.ndarray:
    """Give the others within the radius of a point: item by item, fewer and fewer are left."""
    left = np.delete(np.arange(len(points)), vertex)
    for item, rating in enumerate(points[vertex]):
        left = left[_near(points[left, item], rating, radius)]
    return left


def _near(one: np.ndarray, other: np.ndarray, radius: int) -> np.ndarray:
    """Compare unsigned codes without going below zero."""
    return np.maximum(one, other) - np.minimum(one, other) <= radius


def _points(matrix: RatingMatrix, rows: np.ndarray) -> np.ndarray:
    """Give the ratings of records that rated the same items, and only of those items."""
    some = matrix.take(rows)
    return some.codes.reshape(len(rows), -1) if some.n_ratings else np.zeros((len(rows), 0), matrix.codes.dtype)
