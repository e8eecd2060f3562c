"""Groups that had better be left out."""

import numpy as np

__all__ = ["dearest_groups"]


def dearest_groups(labels: np.ndarray, costs: np.ndarray, spare: int) -> np.ndarray:
    """Give the groups that cost most for each of their records, as many as have no more records than may be withheld.

    labels gives each record its group 0, 1, …, or −1 for none; costs are those of the groups.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=len(costs))
    dearest = np.argsort(-costs / np.maximum(sizes, 1), kind="stable")
    return dearest[(np.cumsum(sizes[dearest]) <= spare) & (costs[dearest] > 0)]
