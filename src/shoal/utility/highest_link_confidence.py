"""Link confidence: how sure an attacker who finds a person's group may be of an item that the person rated.

*Definition.* For every published profile and every non-sensitive item that it holds, the exact posterior
p / (1 − (1 − p)ᵏ) of :mod:`shoal.utility.link_confidence`, where k is the number of people who are published with an
equal profile and p the share of all original people who rated the item; the measure is the highest of them. Items that
nobody rated are left out. It assumes that people rate independently of each other, and that a group is published with
an item exactly if one of them rated it; where predictions are published too, a cell tells less than that, down to
nothing where profiles are complete: the attacker then knows p, as before. *Unit.* A probability.

*Reference.* Theorems 6.2 and 6.3 of Chang, Thompson, Wang and Yao, Predictive Anonymization (2010).
"""

import numpy as np

from shoal.data import Ratings

from .comparison import Comparison
from .distinct_profiles import DistinctProfiles, distinct_profiles
from .link_confidence import link_confidence
from .measure import Unmeasurable, measure
from .rating_blocks import rating_blocks

__all__ = ["highest_link_confidence"]


@measure("link confidence", unit="probability", quick=False)
def highest_link_confidence(comparison: Comparison) -> float:
    """Give the highest posterior that a person rated an item which the person's group is published with."""
    whole = comparison.whole
    if not (isinstance(whole, Ratings) and isinstance(comparison.released, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    raters = np.bincount(whole.observable.indices, minlength=len(whole.observable.items))
    sizes = _smallest_groups(comparison.once(distinct_profiles))
    known = (raters > 0) & (sizes > 0)
    if not known.any():
        raise Unmeasurable("No non-sensitive item that somebody rated is published.")
    # the smaller the group, the higher: the smallest that holds an item is enough
    pairs = zip((raters[known] / len(whole)).tolist(), sizes[known].tolist(), strict=True)
    return max(link_confidence(share, size) for share, size in pairs)


def _smallest_groups(profiles: DistinctProfiles) -> np.ndarray:
    """Give by item how many people the smallest group has whose profile holds it; 0 where none does."""
    sizes = np.full(len(profiles.matrix.items), np.iinfo(np.int64).max)
    for items, _, people in rating_blocks(profiles.matrix, profiles.people):
        np.minimum.at(sizes, items, people)
    return np.where(sizes == np.iinfo(np.int64).max, 0, sizes)
