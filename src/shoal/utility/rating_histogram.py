"""Rating histogram distance: whether ratings are still given as often as they were.

*Definition.* The total variation distance between the shares of the ratings at each point of the original scale, before
and after: half the sum of the absolute differences. *Before* are the non-sensitive ratings of all originals, *after*
those of all published people, a profile that stands for several counting for each of them; on a finer scale, a
rating counts at the nearest original point, the higher of two. Nulls are left out: they are the sparsity. *Unit.* The
share of the ratings that would have to move.

*Reference.* Table 2 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), which shows both histograms,
with nulls (:func:`rating_histograms`).
"""

import numpy as np

from shoal.data import Ratings, Scale

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .original_points import original_points
from .rating_blocks import rating_blocks

__all__ = ["rating_histogram_distance", "rating_histograms"]


@measure("rating histogram distance", unit="share of the ratings", quick=False)
def rating_histogram_distance(comparison: Comparison) -> float:
    """Give the total variation distance between the distributions of ratings before and after."""
    before, after = (counts[1:] for counts in rating_histograms(comparison))
    if not (before.any() and after.any()):
        raise Unmeasurable("There are no non-sensitive ratings to compare, before or after.")
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def rating_histograms(comparison: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Count the cells before and after: first the nulls, then each point of the original scale from the lowest."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    return _histogram(whole, whole.scale), _histogram(released, whole.scale)


def _histogram(ratings: Ratings, original: Scale) -> np.ndarray:
    points = original_points(original, ratings.scale)
    counts = np.zeros(original.points + 1, np.int64)
    for _, codes, people in rating_blocks(ratings.observable, ratings.people):
        times = np.bincount(codes, people, minlength=len(points)).astype(np.int64)  # below 2⁵³: exact
        np.add.at(counts, points + 1, times)
    counts[0] = ratings.n_people * len(ratings.observable.items) - counts.sum()
    return counts
