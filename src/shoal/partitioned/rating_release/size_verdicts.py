"""Promises on groups alone, judged on how many groups there are of each size."""

from collections.abc import Mapping, Sequence

import numpy as np

from shoal.evidence import GroupCounts
from shoal.models import PrivacyModel, Verdict

__all__ = ["verdicts_on_sizes"]


def verdicts_on_sizes(models: Sequence[PrivacyModel], sizes: Mapping[int, int]) -> tuple[Verdict, ...]:
    """Judge promises that need no more than the sizes of groups."""
    counts = GroupCounts(np.repeat([*sizes], [*sizes.values()]).astype(np.int64), ())
    return tuple(model.judge(counts) for model in models)
