"""Let groups hold items of others like them, so that whoever knows a few items of a person finds l profiles with them.

Groups are put together to *circles* of at least l that lie close (:func:`.bounded_means`). If an attacker may know two
items or more, all groups of a circle hold what any of them holds: then every set of items that one of them holds is
held by all, whatever b. If one item only, the same is done for items that fewer than l groups hold, and for no others.
What is added are fake edges in the words of the paper, and their labels are predictions.

The paper leaves open which groups get them. With the circles of all that hold a rare item, no group of a circle is told
from the others by holding it. If they went to as few groups as needed, those for which the prediction is surest or
highest, it would be the same few for most items: they would be known by their many rare items, and everybody else with
a rare item by having really rated it.
"""

import numpy as np

from shoal.progress import stage

from .bounded_means import bounded_means
from .by_group import by_group

__all__ = ["diverse_cells"]

_BLOCK = 256
"""So many groups are unpacked at a time."""


def diverse_cells(
    cells: np.ndarray,
    points: np.ndarray,
    b: int,
    l: int,  # noqa: E741
    generator: np.random.Generator,
) -> np.ndarray:
    """Give cells, groups × items in packed bits, with those that (b,l)-diversity needs beside those there are.

    Points are as far apart as groups are unlike. Groups at the same point, such as those of people who rated nothing,
    would be published alike and count as one. Items that no group holds stay so. Where there are fewer than l different
    points nothing is added, and it is left to the road to refuse.
    """
    different, place = np.unique(points, axis=0, return_inverse=True)
    place = place.ravel()  # a column in NumPy 2.0.0
    if len(different) < l:
        return cells
    with stage("sharing items among groups"):
        circles = bounded_means(different, l, generator)[place]
        added = _unions(cells, circles)
        if b == 1:
            added &= np.packbits(_holders(_unions(cells, place)) < l)
        return cells | added[circles]


def _unions(cells: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Give for each label 0, 1, … the cells that any group with it has."""
    order, begins = by_group(labels)
    return np.bitwise_or.reduceat(cells[order], begins[:-1], axis=0)


def _holders(cells: np.ndarray) -> np.ndarray:
    """Count for each item the groups that hold it."""
    counts = np.zeros(8 * cells.shape[1], np.int64)
    for start in range(0, len(cells), _BLOCK):
        counts += np.unpackbits(cells[start : start + _BLOCK], axis=1).sum(axis=0, dtype=np.int64)
    return counts
