"""Clusters of people: membership in k-means clusters, and clustering in the proximity graph, before and after.

**Cluster membership change**: the share of people whom an analyst of the release assigns to another cluster.

*Definition.* k-means (Lloyd, to the fixed point or 100 rounds) is run on the originals of the published records and
on the published ones, from the same 8 initial centers: different original records drawn at random (as many as there
are, where there are fewer). A record is the vector of its non-sensitive ratings less the mean of each item among the
originals; null is 0, that is, an unrated item is taken to have the mean rating. The measure is the share of
records whose cluster has another number after than before. On large data, records are drawn at random until they have
about 8 million ratings. *Unit.* A share of the records.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3 (there: membership changing ratio). The paper says
neither how many clusters nor what stands for null.

**Clustering coefficient of the proximity graph**: how often two neighbors of a record are neighbors of each other.

*Definition.* Two records are joined when no non-sensitive item has a dissimilarity above ε (Definition 1 of the
survey-rating paper; two nulls are 0 apart, a null and a rating the highest rating). The coefficient of a record is
the share of the pairs of its neighbors that are joined, 0 where it has fewer than two; the measure is the average
over all published records, or over all original ones for the coefficient *before*. ε is that of the certified promise
k-epsilon; k-anonymity of ratings is taken as ε = 0. Up to 2,000 records it is exact; beyond, the average over 1,000
records drawn at random, for each of which at most 1,000 pairs of neighbors are drawn, which is off by about 0.02.
*Unit.* A share of pairs.

*Reference.* Section 5.4 and Figure 18 of the survey-rating paper; Watts and Strogatz 1998.
"""

import numpy as np
from scipy.sparse import csr_array

from shoal.data import RatingMatrix, Ratings, Records, Scale
from shoal.kernels.row_comparison import equal_patterns
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable, measure

from .items import ItemMoments

__all__ = ["cluster_change", "clustering_coefficient", "clustering_coefficient_before", "lloyd"]


_CLUSTERS = 8
_ROUNDS = 100
_MOST_RATINGS = 1 << 23


@measure(
    "cluster membership change",
    unit="share of the records",
    quick=False,
    place=330,
    unchanged=0,
    draws=True,
    of_marks=True,
)
def cluster_change(comparison: Comparison) -> float:
    """The share of records that k-means, from the same initial centers, assigns to another cluster than before."""
    before, after = comparison.original, comparison.published
    if not (isinstance(before, Ratings) and isinstance(after, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    chance = comparison.generator("k-means")
    rows = _sampled(before.observable, after.observable, chance)
    means = _means(before)
    points, published = (_centered(each.observable.take(rows), means, each.scale) for each in (before, after))
    centers = _different(points, chance)
    if len(centers) < 2:
        raise Unmeasurable("The original records are all equal: there are no two initial centers.")
    return float(np.mean(lloyd(points, centers) != lloyd(published, centers)))


def lloyd(points: csr_array, centers: np.ndarray) -> np.ndarray:
    """Return the cluster of each point: move the centers to the mean of their points until no point changes.

    A point equally near to several centers goes to the first; a center without points stays where it is.
    """
    members = np.full(len(points.indptr) - 1, -1)
    for _ in range(_ROUNDS):
        # |x − c|² less |x|², which is the same for all centers
        distances = (centers**2).sum(axis=1) - 2 * (points @ centers.T)
        nearest = distances.argmin(axis=1)
        if (nearest == members).all():
            break
        members = nearest
        centers = _middles(points, members, centers)
    return members


def _middles(points: csr_array, members: np.ndarray, centers: np.ndarray) -> np.ndarray:
    n = len(members)
    belongs = csr_array((np.ones(n), members, np.arange(n + 1)), shape=(n, len(centers)))
    sizes = np.bincount(members, minlength=len(centers))[:, None]
    return np.where(sizes > 0, (belongs.T @ points).toarray() / np.maximum(sizes, 1), centers)


def _means(ratings: Ratings) -> np.ndarray:
    """Return the mean rating of each item; of an item that nobody rated, the middle of the scale."""
    moments = ItemMoments.of(ratings)
    return np.where(moments.counts > 0, moments.means, float(ratings.scale.lowest + ratings.scale.highest) / 2)


def _sampled(before: RatingMatrix, after: RatingMatrix, chance: np.random.Generator) -> np.ndarray:
    """Return records drawn at random until they have ``_MOST_RATINGS`` ratings."""
    order = chance.permutation(len(before))
    ratings = np.maximum(np.diff(before.indptr), np.diff(after.indptr))[order]
    few = np.searchsorted(np.cumsum(ratings), _MOST_RATINGS, side="right")
    return np.sort(order[: max(int(few), 1)])


def _centered(matrix: RatingMatrix, means: np.ndarray, scale: Scale) -> csr_array:
    ratings = float(scale.lowest) + matrix.codes * float(scale.step)
    return csr_array((ratings - means[matrix.indices], matrix.indices, matrix.indptr), shape=(len(matrix), len(means)))


def _different(points: csr_array, chance: np.random.Generator) -> np.ndarray:
    """Draw ``_CLUSTERS`` records no two of which are equal, or all different ones."""
    found: list[np.ndarray] = []
    for row in chance.permutation(len(points.indptr) - 1):
        candidate = points[[row]].toarray()[0]
        if not any(np.array_equal(candidate, other) for other in found):
            found.append(candidate)
        if len(found) == _CLUSTERS:
            break
    return np.array(found)


_EXACT = 2_000
_VERTICES = 1_000
_PAIRS = 1_000


@measure("clustering coefficient", unit="share of pairs of neighbors", quick=False, place=390, of_items=True)
def clustering_coefficient(comparison: Comparison) -> float:
    """The average share of pairs of a published record's neighbors that are neighbors of each other."""
    return _average(comparison.published, comparison)


@measure("clustering coefficient before", unit="share of pairs of neighbors", quick=False, place=380, of_items=True)
def clustering_coefficient_before(comparison: Comparison) -> float:
    """The average share of pairs of an original record's neighbors that are neighbors of each other."""
    return _average(comparison.whole, comparison)


def _average(records: Records, comparison: Comparison) -> float:
    if not isinstance(records, Ratings):
        raise Unmeasurable("Defined on ratings only.")
    if comparison.epsilon is None:
        raise Unmeasurable("No certified promise defines how near neighbors are.")
    radius = records.scale.steps_within(comparison.epsilon)
    if radius >= records.scale.null_steps:
        return float(len(records) > 2)  # all records are neighbors
    if len(records) <= _EXACT:
        return _exact(records.observable, radius)
    return _sampled_people(records.observable, radius, comparison.generator("clustering coefficient"))


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


def _sampled_people(matrix: RatingMatrix, radius: int, chance: np.random.Generator) -> float:
    """Estimate from some records and, for each, from some pairs of neighbors."""
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
    near = _neighbors(points, vertex, radius)
    if len(near) < 2:
        return 0.0
    pairs = len(near) * (len(near) - 1) // 2
    if pairs <= _PAIRS:
        one, other = np.triu_indices(len(near), 1)
    else:
        one = chance.integers(len(near), size=_PAIRS)
        other = (one + chance.integers(1, len(near), size=_PAIRS)) % len(near)
    return float(_near(points[near[one]], points[near[other]], radius).all(axis=1).mean())


def _neighbors(points: np.ndarray, vertex: int, radius: int) -> np.ndarray:
    """Return the other points within the radius of a point, narrowed down item by item."""
    left = np.delete(np.arange(len(points)), vertex)
    for item, rating in enumerate(points[vertex]):
        left = left[_near(points[left, item], rating, radius)]
    return left


def _near(one: np.ndarray, other: np.ndarray, radius: int) -> np.ndarray:
    """Compare unsigned codes without going below zero."""
    return np.maximum(one, other) - np.minimum(one, other) <= radius


def _points(matrix: RatingMatrix, rows: np.ndarray) -> np.ndarray:
    """Return the ratings of records that rated the same items, and only of those items."""
    some = matrix.take(rows)
    return some.codes.reshape(len(rows), -1) if some.n_ratings else np.zeros((len(rows), 0), matrix.codes.dtype)
