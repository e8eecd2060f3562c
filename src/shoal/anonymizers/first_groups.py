"""Groups to begin with where they are made better afterwards."""

import time
from itertools import pairwise

import numpy as np

from shoal.kernels.halved_groups import halved_groups
from shoal.kernels.mdav_groups import mdav_groups
from shoal.progress import stage

from .by_group import by_group

__all__ = ["first_groups"]

_WORK = 300_000_000
"""As many squared differences of coordinates, divided by k, as MDAV may look at in one go: a fraction of a second."""
_FAIR_K = 20
"""Groups of more than that take as long as of so many: keeping the nearest in order outweighs having fewer groups."""
_AXES = 16
"""Points are halved along the axes on which they differ most, so many at most: words have hundreds."""


def first_groups(points: np.ndarray, k: int, deadline: float | None) -> np.ndarray:
    """Give each point its group 0, 1, … of k to 2k − 1 points: by MDAV, in blocks where there are many points.

    What MDAV has not come to when time (of ``time.monotonic``) is up is grouped by halving.
    """
    axes = np.argsort(-points.var(axis=0), kind="stable")[:_AXES]
    halving = np.ascontiguousarray(points[:, axes])
    block = max(int((_WORK * min(k, _FAIR_K) / points.shape[1]) ** 0.5), 4 * k)
    rows, begins = by_group(halved_groups(halving, block))
    labels, n_groups = np.empty(len(points), np.int64), 0
    with stage("grouping records", len(begins) - 1) as progress:
        for begin, end in pairwise(begins):
            late = deadline is not None and time.monotonic() >= deadline
            some = rows[begin:] if late else rows[begin:end]
            own = halved_groups(halving[some], 2 * k - 1) if late else mdav_groups(points[some], k)
            labels[some] = n_groups + own
            n_groups += int(own.max()) + 1
            if late:
                break
            progress.advance()
    return labels
