"""Cluster membership change: how many people another analyst would put into another cluster.

*Definition.* k-means (Lloyd, to the fixed point or 100 rounds) is run on the originals of the published records and
on the published ones, from the same 8 initial centres: different original records drawn at random (as many as there
are, where there are fewer). A record is the vector of its non-sensitive ratings less the mean of each item among the
originals; null is 0, that is, an unrated item is taken to be rated as it is on average. The measure is the share of
records whose cluster has another number after than before. On large data, records are drawn at random until they have
about 8 million ratings. *Unit.* A share of the records.

*Reference.* Section 5.3 of the survey-rating paper, thesis 6.4.3 (there: membership changing ratio). The paper says
neither how many clusters nor what stands for null.
"""

import numpy as np
from scipy.sparse import csr_array

from shoal.data import RatingMatrix, Ratings, Scale

from .comparison import Comparison
from .item_moments import ItemMoments
from .measure import Unmeasurable, measure

__all__ = ["cluster_change", "lloyd"]

_CLUSTERS = 8
_ROUNDS = 100
_MOST_RATINGS = 1 << 23


@measure("cluster membership change", unit="share of the records", quick=False)
def cluster_change(comparison: Comparison) -> float:
    """Give the share of records that k-means, begun alike, puts into another cluster after than before."""
    before, after = comparison.original, comparison.published
    if not (isinstance(before, Ratings) and isinstance(after, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    chance = comparison.generator("k-means")
    rows = _sampled(before.observable, after.observable, chance)
    means = _means(before)
    points, told = (_centred(each.observable.take(rows), means, each.scale) for each in (before, after))
    centres = _different(points, chance)
    if len(centres) < 2:
        raise Unmeasurable("The original records are all alike: there are no two clusters to begin with.")
    return float(np.mean(lloyd(points, centres) != lloyd(told, centres)))


def lloyd(points: csr_array, centres: np.ndarray) -> np.ndarray:
    """Give the cluster of each point: move the centres to the middle of their points until no point changes.

    A point equally near to several centres goes to the first; a centre without points stays where it is.
    """
    members = np.full(len(points.indptr) - 1, -1)
    for _ in range(_ROUNDS):
        # |x − c|² less |x|², which is the same for all centres
        distances = (centres**2).sum(axis=1) - 2 * (points @ centres.T)
        nearest = distances.argmin(axis=1)
        if (nearest == members).all():
            break
        members = nearest
        centres = _middles(points, members, centres)
    return members


def _middles(points: csr_array, members: np.ndarray, centres: np.ndarray) -> np.ndarray:
    n = len(members)
    belongs = csr_array((np.ones(n), members, np.arange(n + 1)), shape=(n, len(centres)))
    sizes = np.bincount(members, minlength=len(centres))[:, None]
    return np.where(sizes > 0, (belongs.T @ points).toarray() / np.maximum(sizes, 1), centres)


def _means(ratings: Ratings) -> np.ndarray:
    """Give the mean rating of each item; of an item that nobody rated, the middle of the scale."""
    moments = ItemMoments.of(ratings)
    return np.where(moments.counts > 0, moments.means, float(ratings.scale.lowest + ratings.scale.highest) / 2)


def _sampled(before: RatingMatrix, after: RatingMatrix, chance: np.random.Generator) -> np.ndarray:
    """Give as many records, drawn at random, as have no more ratings than can be clustered in good time."""
    order = chance.permutation(len(before))
    ratings = np.maximum(np.diff(before.indptr), np.diff(after.indptr))[order]
    few = np.searchsorted(np.cumsum(ratings), _MOST_RATINGS, side="right")
    return np.sort(order[: max(int(few), 1)])


def _centred(matrix: RatingMatrix, means: np.ndarray, scale: Scale) -> csr_array:
    ratings = float(scale.lowest) + matrix.codes * float(scale.step)
    return csr_array((ratings - means[matrix.indices], matrix.indices, matrix.indptr), shape=(len(matrix), len(means)))


def _different(points: csr_array, chance: np.random.Generator) -> np.ndarray:
    """Draw records no two of which are equal, as many as there are to be clusters."""
    found: list[np.ndarray] = []
    for row in chance.permutation(len(points.indptr) - 1):
        candidate = points[[row]].toarray()[0]
        if not any(np.array_equal(candidate, other) for other in found):
            found.append(candidate)
        if len(found) == _CLUSTERS:
            break
    return np.array(found)
