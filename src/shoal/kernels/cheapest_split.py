"""The cheapest way to split a few things into sets, by trying all."""

import numpy as np
from numba import njit

__all__ = ["cheapest_split"]


@njit(cache=True, nogil=True)
def cheapest_split(costs: np.ndarray) -> tuple[np.ndarray, float]:
    """Label the things 0, 1, … so that the costs of the sets add up to least, and give that sum.

    Sets are numbered by their bits; one that costs infinity is not allowed. There is a split that is.
    """
    n = 0
    while (1 << n) < len(costs):
        n += 1
    full = len(costs) - 1
    least = np.full(len(costs), np.inf)
    least[0] = 0.0
    choice = np.zeros(len(costs), np.int64)
    for here in range(1, len(costs)):
        alone = here & -here
        rest = here ^ alone
        others = rest
        while True:  # every set of the first thing and some of the others
            part = others | alone
            if costs[part] + least[here ^ part] < least[here]:
                least[here], choice[here] = costs[part] + least[here ^ part], part
            if others == 0:
                break
            others = (others - 1) & rest
    labels = np.full(n, -1, np.int64)
    here, label = full, 0
    while here:
        for thing in range(n):
            if (choice[here] >> thing) & 1:
                labels[thing] = label
        here ^= choice[here]
        label += 1
    return labels, least[full]
