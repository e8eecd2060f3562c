"""A k-d tree of points that are taken away one by one, asked for the nearest and the farthest of those left.

The points are in an order in which every node holds a stretch of them. A node knows the box around those of its points
that are left, how many there are, and the lowest number among them. Rounding never hides a point: the distance to a box
is computed as the distance to a point is, term by term, and every step of that rounds in the same direction; so answers
are those of looking at all points, ties included (the lower number first).
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.sorting import copy_into, stable_order

__all__ = ["deletable_kdtree", "farthest_left", "nearest_left", "sort_where_widest", "take_away"]


_LEAF = 12
"""A node with at most this many points is a leaf."""
_NOBODY = np.iinfo(np.int64).max


@compiled
def deletable_kdtree(points):
    """Build the tree of points, all of them left.

    Returns the points in the tree's order and their numbers, the place of each number, and for each node where its
    points begin and end, the lower and the upper corner of its box, how many are left and the lowest number among them.
    Node i has the children 2i + 1 and 2i + 2.
    """
    n, width = points.shape
    depth = 0
    while (n >> depth) > _LEAF:
        depth += 1
    n_nodes = (1 << (depth + 1)) - 1
    begins, ends = np.zeros(n_nodes, np.int64), np.zeros(n_nodes, np.int64)
    numbers = np.arange(n)
    ends[0] = n
    for node in range((1 << depth) - 1):
        begin, end = begins[node], ends[node]
        sort_where_widest(points, numbers, begin, end)
        middle = (begin + end) // 2
        begins[2 * node + 1], ends[2 * node + 1] = begin, middle
        begins[2 * node + 2], ends[2 * node + 2] = middle, end
    placed = points[numbers]
    places = np.empty(n, np.int64)
    for place in range(n):
        places[numbers[place]] = place
    lows, highs = np.empty((n_nodes, width)), np.empty((n_nodes, width))
    left, lowest = np.zeros(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    gone = np.zeros(n, np.bool_)
    for node in range(n_nodes - 1, -1, -1):
        _refresh(node, placed, numbers, gone, begins, ends, lows, highs, left, lowest)
    return placed, numbers, places, gone, begins, ends, lows, highs, left, lowest


@compiled
def _refresh(node, placed, numbers, gone, begins, ends, lows, highs, left, lowest):
    """Find a node's box and numbers anew, from its children or its points."""
    width = placed.shape[1]
    count, low_number = 0, _NOBODY
    for j in range(width):
        lows[node, j], highs[node, j] = np.inf, -np.inf
    if 2 * node + 1 < len(begins):
        for child in range(2 * node + 1, 2 * node + 3):
            if left[child] == 0:
                continue
            count += left[child]
            low_number = min(low_number, lowest[child])
            for j in range(width):
                lows[node, j] = min(lows[node, j], lows[child, j])
                highs[node, j] = max(highs[node, j], highs[child, j])
    else:
        for place in range(begins[node], ends[node]):
            if gone[place]:
                continue
            count += 1
            low_number = min(low_number, numbers[place])
            for j in range(width):
                lows[node, j] = min(lows[node, j], placed[place, j])
                highs[node, j] = max(highs[node, j], placed[place, j])
    left[node], lowest[node] = count, low_number


@compiled
def take_away(tree, number):
    """Take one point away, by its number."""
    placed, numbers, places, gone, begins, ends, lows, highs, left, lowest = tree
    place = places[number]
    gone[place] = True
    node = 0
    while 2 * node + 1 < len(begins):
        node = 2 * node + 1 if place < ends[2 * node + 1] else 2 * node + 2
    while True:
        _refresh(node, placed, numbers, gone, begins, ends, lows, highs, left, lowest)
        if node == 0:
            return
        node = (node - 1) // 2


@compiled
def _apart(placed, place, point):
    total = 0.0
    for j in range(len(point)):
        apart = placed[place, j] - point[j]
        total += apart * apart
    return total


@compiled
def _nearest_in_box(lows, highs, node, point):
    total = 0.0
    for j in range(len(point)):
        apart = max(lows[node, j] - point[j], point[j] - highs[node, j], 0.0)
        total += apart * apart
    return total


@compiled
def _farthest_in_box(lows, highs, node, point):
    total = 0.0
    for j in range(len(point)):
        apart = max(highs[node, j] - point[j], point[j] - lows[node, j])
        total += apart * apart
    return total


@compiled
def nearest_left(tree, point, found, distances):
    """Fill ``found`` with the numbers of the points nearest to a point, nearest first, and their squared distances.

    Returns how many there are: fewer than there is room for where fewer are left.
    """
    placed, numbers, _, gone, begins, ends, lows, highs, left, lowest = tree
    wanted, n_found = len(found), 0
    nodes, bounds = np.empty(128, np.int64), np.empty(128)
    nodes[0], bounds[0], waiting = 0, 0.0, 1
    while waiting:
        waiting -= 1
        node, bound = nodes[waiting], bounds[waiting]
        if left[node] == 0:
            continue
        if n_found == wanted:
            worst = distances[wanted - 1]
            if bound > worst or (bound == worst and lowest[node] > found[wanted - 1]):
                continue
        child = 2 * node + 1
        if child < len(begins):
            first = _nearest_in_box(lows, highs, child, point) if left[child] else np.inf
            second = _nearest_in_box(lows, highs, child + 1, point) if left[child + 1] else np.inf
            swap = second < first or (second == first and lowest[child + 1] < lowest[child])
            near, far = (child + 1, child) if swap else (child, child + 1)
            nodes[waiting], bounds[waiting] = far, max(first, second)
            nodes[waiting + 1], bounds[waiting + 1] = near, min(first, second)
            waiting += 2
            continue
        for place in range(begins[node], ends[node]):
            if gone[place]:
                continue
            apart, number = _apart(placed, place, point), numbers[place]
            at = n_found
            while at > 0 and (apart < distances[at - 1] or (apart == distances[at - 1] and number < found[at - 1])):
                at -= 1
            if at == wanted:
                continue
            n_found = min(n_found + 1, wanted)
            for i in range(n_found - 1, at, -1):
                found[i], distances[i] = found[i - 1], distances[i - 1]
            found[at], distances[at] = number, apart
    return n_found


@compiled
def farthest_left(tree, point):
    """Return the number of the point farthest from a point, the lowest of several; −1 where none is left."""
    placed, numbers, _, gone, begins, ends, lows, highs, left, lowest = tree
    best, best_number = -1.0, -1
    nodes, bounds = np.empty(128, np.int64), np.empty(128)
    nodes[0], bounds[0], waiting = 0, np.inf, 1
    while waiting:
        waiting -= 1
        node, bound = nodes[waiting], bounds[waiting]
        if left[node] == 0 or bound < best or (bound == best and lowest[node] > best_number):
            continue
        child = 2 * node + 1
        if child < len(begins):
            first = _farthest_in_box(lows, highs, child, point) if left[child] else -np.inf
            second = _farthest_in_box(lows, highs, child + 1, point) if left[child + 1] else -np.inf
            far, near = (child + 1, child) if second > first else (child, child + 1)
            nodes[waiting], bounds[waiting] = near, min(first, second)
            nodes[waiting + 1], bounds[waiting + 1] = far, max(first, second)
            waiting += 2
            continue
        for place in range(begins[node], ends[node]):
            if gone[place]:
                continue
            apart, number = _apart(placed, place, point), numbers[place]
            if apart > best or (apart == best and number < best_number):
                best, best_number = apart, number
    return best_number


@compiled
def sort_where_widest(points, numbers, begin, end):
    """Order the points numbers[begin:end] in place along the axis on which they are widest, the first of several.

    Those that are equal there stay in the order in which they are.
    """
    widest, axis = -1.0, 0
    for j in range(points.shape[1]):
        low, high = np.inf, -np.inf
        for place in range(begin, end):
            value = points[numbers[place], j]
            low, high = min(low, value), max(high, value)
        if high - low > widest:
            widest, axis = high - low, j
    part = numbers[begin:end].copy()
    values = np.empty(len(part))
    for i in range(len(part)):
        values[i] = points[part[i], axis]
    copy_into(numbers[begin:end], part[stable_order(values)])
