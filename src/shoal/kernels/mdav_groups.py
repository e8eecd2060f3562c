"""Maximum distance to average vector: groups of k points around those farthest from the middle.

*Reference.* Domingo-Ferrer and Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, 2005.
"""

import numpy as np
from numba import njit

from .living_tree import farthest_left, living_tree, nearest_left, take_away

__all__ = ["mdav_groups"]


@njit(cache=True, nogil=True)
def mdav_groups(points, k):
    """Give each point its group 0, 1, …: of k points each, the last of up to 2k − 1; all in one where fewer than 2k.

    While at least 3k points are left, one group is taken around the point farthest from the mean of those left, and one
    around the point farthest from that one; of two equal points the one with the lower number comes first.
    """
    n, width = points.shape
    labels = np.zeros(n, np.int64)
    tree = living_tree(points)
    found, distances = np.empty(k, np.int64), np.empty(k)
    total = np.zeros(width)
    for i in range(n):
        for j in range(width):
            total[j] += points[i, j]
    gone, places = tree[3], tree[2]
    centre = total / max(n, 1)
    outermost, radii = _by_radius(points, centre, gone, places)
    looked = 0
    left, group = n, 0
    while left >= 2 * k:
        mean = total / left
        if looked > left:
            centre, looked = mean, 0
            outermost, radii = _by_radius(points, centre, gone, places)
        first, seen = _outermost(points, mean, centre, outermost, radii, gone, places)
        looked += seen
        for turn in range(1 if left < 3 * k else 2):
            middle = first if turn == 0 else farthest_left(tree, points[first])
            nearest_left(tree, points[middle], found, distances)
            for i in range(k):
                labels[found[i]] = group
                take_away(tree, found[i])
                for j in range(width):
                    total[j] -= points[found[i], j]
            group += 1
        left = tree[8][0]
    for i in range(n):
        if not gone[places[i]]:
            labels[i] = group
    return labels


@njit(cache=True, nogil=True)
def _by_radius(points, centre, gone, places):
    """Give the numbers of the points left, farthest from a centre first, and how far each is from it."""
    n, width = points.shape
    numbers, radii, left = np.empty(n, np.int64), np.empty(n), 0
    for i in range(n):
        if gone[places[i]]:
            continue
        square = 0.0
        for j in range(width):
            square += (points[i, j] - centre[j]) ** 2
        numbers[left], radii[left] = i, np.sqrt(square)
        left += 1
    order = np.argsort(-radii[:left], kind="mergesort")
    return numbers[order], radii[order]


@njit(cache=True, nogil=True)
def _outermost(points, mean, centre, numbers, radii, gone, places):
    """Give the point left that is farthest from the mean, and at how many points that took a look.

    The mean moves little while groups are taken from opposite ends, and by the triangle inequality nobody is farther
    from it than from where it was by more than it moved.
    """
    width = len(mean)
    moved = 0.0
    for j in range(width):
        moved += (mean[j] - centre[j]) ** 2
    moved = np.sqrt(moved)
    best, best_number, seen = -1.0, -1, 0
    for i in range(len(numbers)):
        seen += 1
        if gone[places[numbers[i]]]:
            continue
        reach = (radii[i] + moved) * (1 + 1e-9)  # rounding must not hide anybody
        if reach * reach < best:
            break
        square = 0.0
        for j in range(width):
            square += (points[numbers[i], j] - mean[j]) ** 2
        if square > best or (square == best and numbers[i] < best_number):
            best, best_number = square, numbers[i]
    return best_number, seen
