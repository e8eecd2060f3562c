"""How often each item was rated, and the mean and standard deviation of its ratings."""

from dataclasses import dataclass

import numpy as np
from numba import get_num_threads

from shoal.data import Ratings
from shoal.kernels.item_sums import item_sums

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["ItemMoments", "moments_of_both"]


@dataclass(frozen=True)
class ItemMoments:
    """By item, in rating points; where an item was never rated, mean and deviation are 0."""

    counts: np.ndarray
    means: np.ndarray
    deviations: np.ndarray

    @classmethod
    def of(cls, ratings: Ratings) -> "ItemMoments":
        """Add up codes and their squares, as often as there are people, and divide once."""
        matrix, scale = ratings.observable, ratings.scale
        people = np.ones(len(ratings), np.int64) if ratings.people is None else ratings.people
        arrays = (matrix.indptr, matrix.indices, matrix.codes, people)
        counts, sums, squares = item_sums(*arrays, len(matrix.items), get_num_threads()).T.astype(np.float64)
        given = np.maximum(counts, 1)
        variances = np.maximum(given * squares - sums * sums, 0) / given**2
        means = np.where(counts > 0, float(scale.lowest) + sums / given * float(scale.step), 0)
        return cls(counts.astype(np.int64), means, np.sqrt(variances) * float(scale.step))


def moments_of_both(comparison: Comparison) -> tuple[ItemMoments, ItemMoments]:
    """Give the moments of the items that were rated and still are: of all originals, and of what is published."""
    before, after = comparison.whole, comparison.released
    if not (isinstance(before, Ratings) and isinstance(after, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    both = [ItemMoments.of(each) for each in (before, after)]
    shared = (both[0].counts > 0) & (both[1].counts > 0)
    if not shared.any():
        raise Unmeasurable("No non-sensitive item is rated both before and after.")
    old, new = (ItemMoments(each.counts[shared], each.means[shared], each.deviations[shared]) for each in both)
    return old, new
