"""Groups of rows as arrays: members group by group, and means."""

import numpy as np

__all__ = ["group_means", "group_offsets"]


def group_offsets(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the grouped rows, one group after the other, and the offset of each group among them, with the end last.

    ``labels`` holds the group 0, 1, … of each row, or −1 for none. Within a group rows keep their order. A label that
    no row has makes no group.
    """
    order = np.argsort(labels, kind="stable")
    members = order[np.searchsorted(labels[order], 0) :]
    return members, np.flatnonzero(np.diff(labels[members], prepend=-1, append=-1))


def group_means(lines: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the mean of the lines of each group 0, 1, …, in double precision; no group is empty."""
    order, begins = group_offsets(labels)
    sums = np.add.reduceat(lines[order], begins[:-1], axis=0, dtype=np.float64)
    return sums / np.diff(begins)[:, None]
