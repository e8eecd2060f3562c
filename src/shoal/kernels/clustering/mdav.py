"""Maximum distance to average vector: groups of k points around those farthest from the middle.

*Reference.* Domingo-Ferrer and Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, 2005.

Groups of k to 2k − 1 points: each grows from an outermost point while a near one is not nearer to others.

*Reference.* Solanas and Martínez-Ballesté, V-MDAV: a multivariate microaggregation with variable group size, 2006.
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.sorting import stable_order

from .deletable_kdtree import deletable_kdtree, farthest_left, nearest_left, take_away

__all__ = ["mdav_groups", "variable_groups"]


@compiled
def mdav_groups(points, k):
    """Return each point its group 0, 1, …: of k points each, the last of up to 2k − 1; all in one where fewer than 2k.

    While at least 3k points are left, one group is taken around the point farthest from the mean of those left, and one
    around the point farthest from that one; of two equal points the one with the lower number comes first.
    """
    n, width = points.shape
    labels = np.zeros(n, np.int64)
    tree = deletable_kdtree(points)
    found, distances = np.empty(k, np.int64), np.empty(k)
    total = np.zeros(width)
    for i in range(n):
        for j in range(width):
            total[j] += points[i, j]
    gone, places = tree[3], tree[2]
    center = total / max(n, 1)
    outermost, radii = _by_radius(points, center, gone, places)
    looked = 0
    left, group = n, 0
    while left >= 2 * k:
        mean = total / left
        if looked > left:
            center, looked = mean, 0
            outermost, radii = _by_radius(points, center, gone, places)
        first, seen = _outermost(points, mean, center, outermost, radii, gone, places)
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


@compiled
def _by_radius(points, center, gone, places):
    """Return the numbers of the points left, farthest from a center first, and how far each is from it."""
    n, width = points.shape
    numbers, radii, left = np.empty(n, np.int64), np.empty(n), 0
    for i in range(n):
        if gone[places[i]]:
            continue
        square = 0.0
        for j in range(width):
            square += (points[i, j] - center[j]) ** 2
        numbers[left], radii[left] = i, np.sqrt(square)
        left += 1
    order = stable_order(-radii[:left])
    return numbers[order], radii[order]


@compiled
def _outermost(points, mean, center, numbers, radii, gone, places):
    """Return the point left that is farthest from the mean, and at how many points that took a look.

    The mean moves little while groups are taken from opposite ends, and by the triangle inequality nobody is farther
    from it than from where it was by more than it moved.
    """
    width = len(mean)
    moved = 0.0
    for j in range(width):
        moved += (mean[j] - center[j]) ** 2
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


@compiled
def variable_groups(points, k, gamma):
    """Return each point its group 0, 1, …; one that is left over when fewer than k are goes where the mean is nearest.

    While at least k points are left, the one farthest from the mean of all points and the k − 1 nearest to it are a
    group. The point left that is nearest to any of the group joins it if that is less than ``gamma`` times as far as
    the nearest other point left.
    """
    n, width = points.shape
    labels = np.full(n, -1, np.int64)
    tree = deletable_kdtree(points)
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


@compiled
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
