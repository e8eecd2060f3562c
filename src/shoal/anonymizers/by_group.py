"""Rows group by group."""

import numpy as np

__all__ = ["by_group"]


def by_group(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the rows that are in a group, one group after the other, and where groups begin, the end last.

    labels gives each row its group 0, 1, …, or −1 for none; within a group rows stay in order. A number that no row has
    is no group.
    """
    order = np.argsort(labels, kind="stable")
    members = order[np.searchsorted(labels[order], 0) :]
    return members, np.flatnonzero(np.diff(labels[members], prepend=-1, append=-1))
