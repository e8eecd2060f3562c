"""Split points into groups that fit into boxes whose side is the radius."""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.neighbors.pairwise import near_points
from shoal.kernels.sorting import copy_into, stable_order

__all__ = ["best_split", "grow_boxes", "join_boxes", "neighbor_masks", "reached", "settle_boxes"]


@compiled
def grow_boxes(
    points: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    seeds: np.ndarray,
    least: int,
    most: int,
    radius: int,
) -> tuple[np.ndarray, int]:
    """Put each seed into a box with points that are still free, in the order of the seeds; return labels and how many.

    order and begins are the slices of the points. A box takes the next free point that keeps every column within the
    radius until it has ``most``; with fewer than ``least`` it is given up. Points in no box are labeled −1.
    """
    n, width = points.shape
    labels = np.full(n, -1, np.int64)
    turn = np.empty(n, np.int64)
    for place in range(n):
        turn[seeds[place]] = place
    low, high = np.empty(width, np.int64), np.empty(width, np.int64)
    near = np.empty(n, np.int64)
    made = 0
    for seed in seeds:
        if labels[seed] >= 0:
            continue
        found = _free_near(points, order, begins, labels, seed, radius, near)
        if found < least:
            continue
        candidates = near[:found][stable_order(turn[near[:found]])]
        copy_into(low, points[seed])
        copy_into(high, points[seed])
        taken = [seed]
        for other in candidates:
            if len(taken) == most:
                break
            if other != seed and _fits(points, other, low, high, radius):
                _widen(points, other, low, high)
                taken.append(other)
        if len(taken) >= least:
            for other in taken:
                labels[other] = made
            made += 1
    return labels, made


@compiled
def _free_near(
    points: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    labels: np.ndarray,
    seed: int,
    radius: int,
    near: np.ndarray,
) -> int:
    """List the free points within the radius of the seed, itself included: the thinnest slice, trimmed."""
    n, width = points.shape
    n_values = begins.shape[1] - 1
    best, first, last = -1, 0, n
    for column in range(width):
        value = np.int64(points[seed, column])
        begin = begins[column, max(0, value - radius)]
        end = begins[column, min(n_values, value + radius + 1)]
        if end - begin < last - first:
            best, first, last = column, begin, end
    found = 0
    for place in range(first, last):
        other = order[best, place] if best >= 0 else place
        if labels[other] < 0 and near_points(points, seed, other, radius):
            near[found] = other
            found += 1
    return found


@compiled
def _fits(points: np.ndarray, row: int, low: np.ndarray, high: np.ndarray, radius: int) -> bool:
    for column in range(points.shape[1]):
        value = np.int64(points[row, column])
        if max(high[column], value) - min(low[column], value) > radius:
            return False
    return True


@compiled
def _widen(points: np.ndarray, row: int, low: np.ndarray, high: np.ndarray) -> None:
    for column in range(points.shape[1]):
        value = np.int64(points[row, column])
        low[column] = min(low[column], value)
        high[column] = max(high[column], value)


@compiled
def settle_boxes(
    points: np.ndarray, labels: np.ndarray, n_boxes: int, hopeful: np.ndarray, least: int, radius: int
) -> int:
    """Find places for hopeful points that are in no box, changing labels; return how many boxes there are then.

    A point joins a box that has room for it; failing that, it makes a new one with other points in no box and points
    of boxes that can spare them. Repeated until nothing changes.
    """
    n, width = points.shape
    low, high = np.empty((n, width), np.int64), np.empty((n, width), np.int64)
    sizes = np.zeros(n, np.int64)
    _measure_all(points, labels, low, high, sizes)
    changed = True
    while changed:
        changed = False
        for row in range(n):
            if labels[row] >= 0 or not hopeful[row]:
                continue
            for box in range(n_boxes):
                if _fits(points, row, low[box], high[box], radius):
                    labels[row] = box
                    sizes[box] += 1
                    _widen(points, row, low[box], high[box])
                    break
            if labels[row] < 0 and _borrow(points, labels, n_boxes, least, radius, row, low, high, sizes):
                n_boxes += 1
            changed = changed or labels[row] >= 0
    return n_boxes


@compiled
def _measure_all(points: np.ndarray, labels: np.ndarray, low: np.ndarray, high: np.ndarray, sizes: np.ndarray) -> None:
    for row in range(len(points)):
        if labels[row] >= 0:
            _take_in(points, row, labels[row], low, high, sizes)


@compiled
def _measure(
    points: np.ndarray, labels: np.ndarray, box: int, low: np.ndarray, high: np.ndarray, sizes: np.ndarray
) -> None:
    sizes[box] = 0
    for row in range(len(points)):
        if labels[row] == box:
            _take_in(points, row, box, low, high, sizes)


@compiled
def _take_in(points: np.ndarray, row: int, box: int, low: np.ndarray, high: np.ndarray, sizes: np.ndarray) -> None:
    """Make a box as large as it must be to hold one more row."""
    if sizes[box] == 0:
        low[box] = points[row]
        high[box] = points[row]
    _widen(points, row, low[box], high[box])
    sizes[box] += 1


@compiled
def _borrow(
    points: np.ndarray,
    labels: np.ndarray,
    box: int,
    least: int,
    radius: int,
    row: int,
    low: np.ndarray,
    high: np.ndarray,
    sizes: np.ndarray,
) -> bool:
    """Make a new box around a row of points that are free or can be spared; change nothing where that fails."""
    low[box] = points[row]
    high[box] = points[row]
    taken = [row]
    for free in (True, False):  # points in no box first, then those of the larger boxes
        for other in range(len(points)):
            if len(taken) == least:
                break
            home = labels[other]
            if other == row or (home < 0) != free or (not free and sizes[home] <= least):
                continue
            if _fits(points, other, low[box], high[box], radius):
                _widen(points, other, low[box], high[box])
                taken.append(other)
                if not free:
                    sizes[home] -= 1
    for other in taken:  # sizes were lowered to keep count of what can still be spared
        if labels[other] >= 0 and len(taken) < least:
            sizes[labels[other]] += 1
    if len(taken) < least:
        return False
    for other in taken:
        home = labels[other]
        labels[other] = box
        if home >= 0:
            _measure(points, labels, home, low, high, sizes)
    sizes[box] = least
    return True


@compiled
def join_boxes(
    points: np.ndarray, labels: np.ndarray, n_boxes: int, poor: np.ndarray, radius: int
) -> tuple[np.ndarray, int]:
    """Join every poor box to the first other one that makes a box with it; return new labels and how many."""
    width = points.shape[1]
    low, high = np.empty((n_boxes, width), np.int64), np.empty((n_boxes, width), np.int64)
    sizes = np.zeros(n_boxes, np.int64)
    into = np.arange(n_boxes)
    _measure_all(points, labels, low, high, sizes)
    for box in range(n_boxes):
        if not poor[box] or into[box] != box:
            continue
        for other in range(n_boxes):
            if other != box and into[other] == other and _make_one(low, high, box, other, radius):
                into[box] = other
                for column in range(width):
                    low[other, column] = min(low[other, column], low[box, column])
                    high[other, column] = max(high[other, column], high[box, column])
                break
    return _renumbered(labels, into)


@compiled
def _make_one(low: np.ndarray, high: np.ndarray, one: int, other: int, radius: int) -> bool:
    for column in range(low.shape[1]):
        if max(high[one, column], high[other, column]) - min(low[one, column], low[other, column]) > radius:
            return False
    return True


@compiled
def _renumbered(labels: np.ndarray, into: np.ndarray) -> tuple[np.ndarray, int]:
    numbers = np.full(len(into), -1, np.int64)
    made = 0
    out = labels.copy()
    for row in range(len(labels)):
        if labels[row] < 0:
            continue
        box = labels[row]
        while into[box] != box:
            box = into[box]
        if numbers[box] < 0:
            numbers[box] = made
            made += 1
        out[row] = numbers[box]
    return out, made


@compiled
def reached(points: np.ndarray, chosen: np.ndarray, start: int, radius: int, most: int) -> np.ndarray:
    """Return the chosen points that steps of the radius lead to from one of them; none where there are more."""
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


@compiled
def neighbor_masks(points: np.ndarray, radius: int) -> np.ndarray:
    """Return for each point the bits of the points, itself included, within the radius of it."""
    n = len(points)
    masks = np.zeros(n, np.int64)
    for one in range(n):
        for other in range(n):
            if near_points(points, one, other, radius):
                masks[one] |= np.int64(1) << other
    return masks


@compiled
def best_split(masks: np.ndarray, allowed: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Label the things 0, 1, … by sets that are allowed and mutually near; −1 for those in none.

    Sets are numbered by their bits. As few things as possible are left in none, and among those splits the worth of the
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
