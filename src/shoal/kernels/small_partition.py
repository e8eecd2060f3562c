"""The best way to split a few things into sets, by trying all."""

import numpy as np
from numba import njit

from .near import near_points

__all__ = ["best_split", "neighbour_masks", "reached"]


@njit(cache=True, nogil=True)
def reached(points: np.ndarray, chosen: np.ndarray, start: int, radius: int, most: int) -> np.ndarray:
    """Give the chosen points that can be reached from one of them in steps of the radius; none where there are more."""
    n = len(points)
    inside = np.zeros(n, np.bool_)
    inside[start] = True
    border = [start]
    found = 1
    while len(border):
        here = border.pop()
        for other in range(n):
            if inside[other] or not chosen[other]:
                continue
            if near_points(points, here, other, radius):
                if found == most:
                    return np.zeros(0, np.int64)
                inside[other] = True
                border.append(other)
                found += 1
    return np.flatnonzero(inside)


@njit(cache=True, nogil=True)
def neighbour_masks(points: np.ndarray, radius: int) -> np.ndarray:
    """Give for each point the bits of the points, itself included, within the radius of it."""
    n = len(points)
    masks = np.zeros(n, np.int64)
    for one in range(n):
        for other in range(n):
            if near_points(points, one, other, radius):
                masks[one] |= np.int64(1) << other
    return masks


@njit(cache=True, nogil=True)
def best_split(masks: np.ndarray, allowed: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Label the things 0, 1, … by sets that are allowed and mutually near; −1 for those in none.

    Sets are numbered by their bits. As few things as possible are left in none, and among such splits the worth of the
    worst set is as high as possible.
    """
    n = len(masks)
    full = (np.int64(1) << n) - 1
    near = np.zeros(full + 1, np.bool_)
    near[0] = True
    left = np.zeros(full + 1, np.int64)
    least = np.full(full + 1, np.iinfo(np.int64).max, np.int64)
    choice = np.zeros(full + 1, np.int64)
    for here in range(1, full + 1):
        first = np.int64(0)
        while not (here >> first) & 1:
            first += 1
        alone = np.int64(1) << first
        rest = here ^ alone
        near[here] = near[rest] and (here & ~masks[first]) == 0
        left[here], least[here] = left[rest] + 1, least[rest]
        others = rest
        while True:  # every set of the first thing and some of the others
            part = others | alone
            if near[part] and allowed[part]:
                kept, worst = left[here ^ part], min(worth[part], least[here ^ part])
                if kept < left[here] or (kept == left[here] and worst > least[here]):
                    left[here], least[here], choice[here] = kept, worst, part
            if others == 0:
                break
            others = (others - 1) & rest
    labels = np.full(n, -1, np.int64)
    here, label = full, 0
    while here:
        part = choice[here]
        if part == 0:
            here &= here - 1  # the first of these stays in none
            continue
        for thing in range(n):
            if (part >> thing) & 1:
                labels[thing] = label
        label += 1
        here ^= part
    return labels
