"""Item popularity correlation: whether items that many people rated are still those that many people rate.

*Definition.* Spearman's rank correlation, over the non-sensitive items that are rated before or after, between how
many of all original people rated an item and how many published people have a rating of it, a profile that stands for
several people counting for each of them; equal counts share the mean of their ranks. *Unit.* From −1 to 1. There is
none where all counts of one side are equal, as they are where complete profiles are published: everybody rates
everything then, and nothing is left of popularity.

*Reference.* Chang, Thompson, Wang and Yao, Predictive Anonymization (2010), section 7.4, name the loss and do not
measure it.
"""

import numpy as np

from shoal.data import Ratings

from .comparison import Comparison
from .measure import Unmeasurable, measure
from .rating_blocks import rating_blocks

__all__ = ["item_popularity_correlation"]


@measure("item popularity correlation", unit="from -1 to 1", quick=False)
def item_popularity_correlation(comparison: Comparison) -> float:
    """Give Spearman's correlation between how many people rated an item before and after."""
    whole, released = comparison.whole, comparison.released
    if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    counts = np.stack([_raters(whole), _raters(released)])
    before, after = counts[:, counts.any(axis=0)]
    for side, raters in (("before", before), ("after", after)):
        if len(np.unique(raters)) < 2:
            raise Unmeasurable(f"All items have the same number of raters {side}: none is more popular.")
    return float(np.corrcoef(_middle_ranks(before), _middle_ranks(after))[0, 1])


def _raters(ratings: Ratings) -> np.ndarray:
    counts = np.zeros(len(ratings.observable.items))  # whole numbers below 2⁵³: exact
    for items, _, people in rating_blocks(ratings.observable, ratings.people):
        counts += np.bincount(items, people, minlength=len(counts))
    return counts


def _middle_ranks(values: np.ndarray) -> np.ndarray:
    """Rank values from 1; equal ones share the mean of their ranks."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(sizes) - (sizes - 1) / 2)[place]
