"""Groups of k to 2k − 1 points: each grows from an outermost point while a near one is not nearer to others.

*Reference.* Solanas and Martínez-Ballesté, V-MDAV: a multivariate microaggregation with variable group size, 2006.
"""

import numpy as np
from numba import njit

from .living_tree import farthest_left, living_tree, nearest_left, take_away

__all__ = ["variable_groups"]


@njit(cache=True, nogil=True)
def variable_groups(points, k, gamma):
    """Give each point its group 0, 1, …; one that is left over when fewer than k are goes where the mean is nearest.

    While at least k points are left, the one farthest from the mean of all points and the k − 1 nearest to it are a
    group. The point left that is nearest to any of the group joins it if that is less than ``gamma`` times as far as
    the nearest other point left.
    """
    n, width = points.shape
    labels = np.full(n, -1, np.int64)
    tree = living_tree(points)
    left = tree[8]
    mean = np.zeros(width)
    for i in range(n):
        for j in range(width):
            mean[j] += points[i, j]
    mean /= max(n, 1)
    found, distances = np.empty(k, np.int64), np.empty(k)
    one, how_far = np.empty(1, np.int64), np.empty(1)
    two, how_far_two = np.empty(2, np.int64), np.empty(2)
    members = np.empty(2 * k, np.int64)
    nearest, apart = np.empty(2 * k, np.int64), np.empty(2 * k)
    group = 0
    while left[0] >= k:
        nearest_left(tree, points[farthest_left(tree, mean)], found, distances)
        for i in range(k):
            members[i] = found[i]
            labels[found[i]] = group
            take_away(tree, found[i])
        size = k
        for i in range(size):
            nearest[i] = -1
        while size < 2 * k - 1 and left[0] > 1:
            closest = -1
            for i in range(size):
                if nearest[i] < 0:
                    nearest_left(tree, points[members[i]], one, how_far)
                    nearest[i], apart[i] = one[0], how_far[0]
                if closest < 0 or (apart[i], nearest[i]) < (apart[closest], nearest[closest]):
                    closest = i
            joining, joining_apart = nearest[closest], apart[closest]
            nearest_left(tree, points[joining], two, how_far_two)
            other = how_far_two[0] if two[0] != joining else how_far_two[1]
            if not joining_apart < gamma * gamma * other:
                break
            members[size], nearest[size] = joining, -1
            labels[joining] = group
            take_away(tree, joining)
            size += 1
            for i in range(size):
                if nearest[i] == joining:
                    nearest[i] = -1
        group += 1
    _join_nearest(points, labels, group)
    return labels


@njit(cache=True, nogil=True)
def _join_nearest(points, labels, n_groups):
    """Put each point that has no group into that whose mean is nearest; all into one where there is none."""
    n, width = points.shape
    sums, sizes = np.zeros((n_groups, width)), np.zeros(n_groups)
    for i in range(n):
        if labels[i] >= 0:
            sizes[labels[i]] += 1
            for j in range(width):
                sums[labels[i], j] += points[i, j]
    for i in range(n):
        if labels[i] >= 0:
            continue
        labels[i], best = 0, np.inf
        for group in range(n_groups):
            square = 0.0
            for j in range(width):
                square += (points[i, j] - sums[group, j] / sizes[group]) ** 2
            if square < best:
                best, labels[i] = square, group
