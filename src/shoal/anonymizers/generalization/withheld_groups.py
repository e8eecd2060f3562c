"""The groups that a release withholds: those that break a promise, and those that break one once others are gone."""

from collections.abc import Callable, Sequence

import numpy as np

from shoal.evidence import GroupCounts, NeedGroups
from shoal.models import PrivacyModel

__all__ = ["broken_groups", "withheld_groups"]


def broken_groups(counts: GroupCounts, models: Sequence[PrivacyModel]) -> np.ndarray:
    """Return the mask of the groups that break a promise."""
    nothing = np.zeros(len(counts), bool)  # where nothing is promised, nothing is broken
    return np.any([nothing, *(model.judge(counts).violating for model in models)], axis=0)


def withheld_groups(
    counts: GroupCounts,
    broken: np.ndarray,
    models: Sequence[PrivacyModel],
    may_withhold: Callable[[np.ndarray], bool],
) -> np.ndarray:
    """Return the mask of the groups that a release would withhold; ``broken`` are those that break a promise.

    Where groups are compared with all records, the remaining ones may break the promise once others are withheld;
    they are withheld as well, until no promise is broken or ``may_withhold`` says that it is too much.
    """
    gone = broken.copy()
    compares = any(isinstance(model.need, NeedGroups) and model.need.overall for model in models)
    while compares and broken.any() and not gone.all() and may_withhold(gone):
        broken = np.zeros_like(gone)
        broken[~gone] = broken_groups(counts.without(gone), models)
        gone |= broken
    return gone
