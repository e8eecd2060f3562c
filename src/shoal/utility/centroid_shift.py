"""Centroid shift: how far the average rating of an item moved.

*Definition.* For each non-sensitive item that is rated in the original and in the release, the absolute difference of
its mean rating among all original records and among the published ones, nulls left out; averaged over those items.
*Unit.* Rating points.

*Reference.* Section 5.4 of the survey-rating paper, thesis 6.4.4. The paper compares inner products of the vectors of
means, in which an item that rose hides one that fell; here every shift counts.
"""

import numpy as np

from .comparison import Comparison
from .item_moments import moments_of_both
from .measure import measure

__all__ = ["centroid_shift"]


@measure("centroid shift", unit="rating points")
def centroid_shift(comparison: Comparison) -> float:
    """Give how far the mean rating of an item moved, on average over the items rated before and after."""
    before, after = comparison.once(moments_of_both)
    return float(np.abs(after.means - before.means).mean())
