"""Diverse cells: profiles share items with similar ones, so that any b items of a person are found in l profiles.

Similar groups form *circles* of at least l (:func:`.size_constrained_kmeans`). If an attacker may know two items or
more, all groups of a circle hold the items that any of them holds: then every set of items that one of them holds is
held by all, whatever b. If one item only, the same is done for items that fewer than l groups hold, and for no others.
The added cells are fake edges in the words of the paper, and their labels are predictions.

The paper leaves open which groups get them. Since the whole circle of a group that holds a rare item gets it, the item
distinguishes no group of a circle from the others. If only as many groups as needed got it, those with the most certain
or highest predictions, they would be the same few for most items: these would be recognized by their many rare items,
and everybody else with a rare item by having really rated it.
"""

import numpy as np

from shoal.anonymizers.grouping import group_offsets
from shoal.progress import stage

from .size_constrained_kmeans import size_constrained_kmeans

__all__ = ["diverse_cells"]

_BLOCK = 256
"""The groups that are unpacked at a time."""


def diverse_cells(
    cells: np.ndarray,
    points: np.ndarray,
    b: int,
    l: int,  # noqa: E741
    generator: np.random.Generator,
) -> np.ndarray:
    """Return ``cells``, groups × items in packed bits, and the cells that (b,l)-diversity needs in addition.

    The distance of two points is the dissimilarity of their groups. Groups at the same point, such as those of people
    who rated nothing, would be published alike and count as one. An item that no group holds is added to none. Where
    there are fewer than l different points nothing is added, and the road refuses.
    """
    different, place = np.unique(points, axis=0, return_inverse=True)
    place = place.ravel()  # a column in NumPy 2.0.0
    if len(different) < l:
        return cells
    with stage("sharing items among groups"):
        circles = size_constrained_kmeans(different, l, generator)[place]
        added = _unions(cells, circles)
        if b == 1:
            added &= np.packbits(_holders(_unions(cells, place)) < l)
        return cells | added[circles]


def _unions(cells: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return for each label 0, 1, … the cells that any group with this label has."""
    order, begins = group_offsets(labels)
    return np.bitwise_or.reduceat(cells[order], begins[:-1], axis=0)


def _holders(cells: np.ndarray) -> np.ndarray:
    """Count for each item the groups that hold it."""
    counts = np.zeros(8 * cells.shape[1], np.int64)
    for start in range(0, len(cells), _BLOCK):
        counts += np.unpackbits(cells[start : start + _BLOCK], axis=1).sum(axis=0, dtype=np.int64)
    return counts
