"""nDCG@10: whether what people liked best still stands first.

*Definition.* For each person with at least 2 non-sensitive ratings, the items they rated are ordered by what is
published for them, the highest first and null last. The gain of an item is 2ʳ − 1 where r is the original rating in
steps of its scale, the lowest rating being 1; the item in place i of the first 10 counts its gain by log₂(i + 1). That
sum, divided by the highest that any order of those items has, is the nDCG; the average over people is the measure.
Items published with equal values stand in any order: the sum is the average over all of them (McSherry and Najork
2008). Of more than 10,000 people, 10,000 are drawn at random. *Unit.* From 0 to 1, which is the order of the original
ratings.

*Reference.* Järvelin and Kekäläinen 2002; the exponential gain after Burges et al. 2005.
"""

import numpy as np

from .comparison import Comparison
from .measure import measure
from .rated_cells import RatedCells

__all__ = ["ranking_quality"]

_PEOPLE = 10_000
_PLACES = 10


@measure("nDCG@10", unit="from 0 to 1", quick=False)
def ranking_quality(comparison: Comparison) -> float:
    """Give how well the published order of the items that people rated puts those first that they liked best."""
    cells = RatedCells.drawn(comparison, 2, _PEOPLE, "nDCG")
    borders = cells.given.indptr[1:-1]
    persons = zip(np.split(cells.given.codes.astype(np.float64), borders), np.split(cells.told, borders), strict=True)
    return float(np.mean([_ndcg(given + 1, told) for given, told in persons]))


def _ndcg(ratings: np.ndarray, told: np.ndarray) -> float:
    """Give the nDCG of one person from original ratings in steps, and what is published for the same items."""
    best = ratings.max()
    gains = np.exp2(ratings - best) - np.exp2(-best)  # by 2 to the best rating, which may be too large a number
    weights = np.zeros(len(gains))
    weights[:_PLACES] = 1 / np.log2(np.arange(2, min(len(gains), _PLACES) + 2))
    _, tie, sizes = np.unique(-told, return_inverse=True, return_counts=True)
    of_ties = np.add.reduceat(weights, np.cumsum(sizes) - sizes)
    reached = (np.bincount(tie, gains) / sizes) @ of_ties
    return float(reached / (np.sort(gains)[::-1] @ weights))
