"""How many records two data sets have in common, unless chance alone explains it.

Where most records occur once, those of other people are seldom alike: of two samples of different people from one
population of 30,000, up to a quarter of the records that occur once are alike by chance, and of two that have half of
their people in common, half. Where records occur several times, two samples of different people have nearly the same
ones. Then the same people are known by agreeing better than samples do: each kind of record is there nearly as often.
"""

from math import pi, sqrt
from typing import Final

import numpy as np
from scipy.special import ndtr

__all__ = ["common_records"]

_ONCE: Final = 3
"""One in so many of the records that occur once is more than chance."""
_FEW: Final = 5
"""So few records that occur once may be alike by chance, however few there are."""
_BETTER: Final = 4
"""So many times fewer records than expected are missing in the larger data set."""
_TELLING: Final = 2.0
"""If fewer than so many are expected to be missing, that none is tells nothing."""


def common_records(ours: np.ndarray, theirs: np.ndarray) -> int:
    """Count the marks that are in both lists, each as often as in both; 0 if they may be alike by chance."""
    if not len(ours) or not len(theirs):
        return 0
    marks, at = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    times = [np.bincount(each, minlength=len(marks)) for each in (at[: len(ours)], at[len(ours) :])]
    common = int(np.minimum(*times).sum())
    expected = _expected_missing(*sorted(times, key=lambda each: int(each.sum())))
    missing = min(len(ours), len(theirs)) - common
    if expected >= _TELLING and _BETTER * missing <= expected:
        return common
    once = [each == 1 for each in times]
    alike, fewer = int((once[0] & once[1]).sum()), min(int(each.sum()) for each in once)
    return alike if alike >= _FEW and _ONCE * alike >= fewer else 0


def _expected_missing(fewer: np.ndarray, more: np.ndarray) -> float:
    """Return how many of the fewer records would be missing among the others if both were samples of other people.

    How often a kind of record occurs in a sample is nearly normal, with a variance as large as its mean.
    """
    share = (fewer + more) / (fewer.sum() + more.sum())
    excess, spread = share * (int(fewer.sum()) - int(more.sum())), np.sqrt(fewer + more)
    at = excess / spread
    return float((spread * np.exp(-(at**2) / 2) / sqrt(2 * pi) + excess * ndtr(at)).sum())
