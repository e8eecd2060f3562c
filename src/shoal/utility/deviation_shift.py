"""Standard deviation shift: how much more or less the ratings of an item differ from each other.

*Definition.* For each non-sensitive item that is rated in the original and in the release, the absolute difference of
the standard deviation (of the whole, not of a sample) of its ratings among all original records and among the
published ones, nulls left out; averaged over those items. *Unit.* Rating points.

*Reference.* Section 5.4 of the survey-rating paper, thesis 6.4.4. The paper compares the average deviation before with
the average after, in which an item that spread hides one that shrank. It also says that ε/2 bounds the deviation after;
that holds inside a group of ε-proximate records, not for the data as a whole.
"""

import numpy as np

from .comparison import Comparison
from .item_moments import moments_of_both
from .measure import measure

__all__ = ["deviation_shift"]


@measure("standard deviation shift", unit="rating points")
def deviation_shift(comparison: Comparison) -> float:
    """Give how far an item's standard deviation moved, on average over the items rated before and after."""
    before, after = comparison.once(moments_of_both)
    return float(np.abs(after.deviations - before.deviations).mean())
