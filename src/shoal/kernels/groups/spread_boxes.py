"""Find places for points that are in no box, by taking boxes near them apart and putting them together anew.

Every box holds at least ``least`` points, fits into a cube whose side is the radius, and the sensitive values of its
points spread enough (:mod:`.lacking_spread`). Growing boxes one by one leaves points over, because early boxes take
what later ones need. So, again and again, some boxes around a point in no box are taken apart and built anew, in
another order; the result is kept where it leaves no more points over than before. What is drawn follows from a fixed
seed.
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.neighbors.pairwise import near_points
from shoal.kernels.sorting import copy_into

from .lacking_spread import lacking_spread

__all__ = ["spread_boxes"]

_SLIGHT = 1e-9
"""Spread that lacks by less is taken for enough; whoever asks for boxes judges them exactly."""
_CROWDED = 256
"""Boxes are taken apart until this many points are free."""
_BOXES = 12
"""So many boxes are taken apart at once at most."""
_WORD = 0x7FFFFFFF


@compiled
def spread_boxes(
    points: np.ndarray,
    labels: np.ndarray,
    hopeful: np.ndarray,
    amounts: np.ndarray,
    needs: np.ndarray,
    least: int,
    radius: int,
    patience: int,
    work: int,
) -> None:
    """Put more of the hopeful points into boxes, changing labels, which need not be 0, 1, … any more.

    It ends when nobody hopeful is in no box, when ``patience`` attempts in a row changed nothing for the better, or
    with the attempt in which more than ``work`` points have been weighed: where boxes are large, an attempt weighs
    millions. Boxes there are must be as they should.
    """
    n = len(points)
    totals = np.zeros((n + 1, amounts.shape[1]), np.int64)
    low = np.zeros((n + 1, points.shape[1]), np.int64)
    high = np.zeros((n + 1, points.shape[1]), np.int64)
    for row in range(n):
        if labels[row] >= 0:
            _take_in(points, amounts, row, labels[row], totals, low, high)
    state, idle = np.int64(1), 0
    before = np.empty(n, np.int64)
    weighed = np.int64(0)
    while idle < patience and weighed <= work:
        lost = np.flatnonzero((labels < 0) & hopeful)
        if len(lost) == 0:
            return
        state = _next(state)
        start = lost[(state >> 8) % len(lost)]
        copy_into(before, labels)
        state, free = _taken_apart(points, labels, hopeful, totals, start, radius, state)
        lost_before = 0
        for row in free:
            if before[row] < 0:
                lost_before += 1
        state, more = _built(points, amounts, needs, labels, free, least, radius, totals, low, high, state)
        weighed += more
        lost_after = 0
        for row in free:
            if labels[row] < 0:
                lost_after += 1
        if lost_after > lost_before:
            _restore(points, amounts, labels, before, totals, low, high)
        idle = 0 if lost_after < lost_before else idle + 1


@compiled
def _next(state):
    return (state * 1103515245 + 12345) & _WORD


@compiled
def _take_in(points, amounts, row, box, totals, low, high):
    """Make a box as large as it must be to hold one more row."""
    for column in range(points.shape[1]):
        value = np.int64(points[row, column])
        if totals[box, 0] == 0:
            low[box, column] = value
            high[box, column] = value
        else:
            low[box, column] = min(low[box, column], value)
            high[box, column] = max(high[box, column], value)
    for place in range(amounts.shape[1]):
        totals[box, place] += amounts[row, place]


@compiled
def _fits(points, row, box, low, high, radius):
    for column in range(points.shape[1]):
        value = np.int64(points[row, column])
        if max(high[box, column], value) - min(low[box, column], value) > radius:
            return False
    return True


@compiled
def _taken_apart(points, labels, hopeful, totals, start, radius, state):
    """Free the points of some boxes around a point in none; return them, that point first, and free ones near it."""
    n = len(points)
    free = [start]
    for row in range(n):
        if row != start and labels[row] < 0 and hopeful[row] and near_points(points, start, row, radius):
            free.append(row)
            if len(free) == _CROWDED:
                break
    state = _next(state)
    boxes = 1 + (state >> 8) % _BOXES
    for attempt in range(2 * boxes):
        if boxes == 0 or len(free) >= _CROWDED:
            break
        state = _next(state)
        around = start if attempt % 2 == 0 else free[(state >> 8) % len(free)]
        state = _next(state)
        begin = (state >> 8) % n
        for step in range(n):
            row = (begin + step) % n
            box = labels[row]
            if box >= 0 and totals[box, 0] <= 2 * _CROWDED and near_points(points, around, row, radius):
                for other in range(n):
                    if labels[other] == box:
                        labels[other] = -1
                        free.append(other)
                totals[box] = 0
                boxes -= 1
                break
    return state, np.array(free)


@compiled
def _built(points, amounts, needs, labels, free, least, radius, totals, low, high, state):
    """Put free points into new boxes, the loneliest first, then those left into any box that can take them.

    Return how many points were weighed for them, besides the state.
    """
    n, weighed = len(free), np.int64(0)
    near = np.zeros((n, n), np.bool_)
    company = np.zeros(n, np.int64)
    for one in range(n):
        for other in range(one):
            if near_points(points, free[one], free[other], radius):
                near[one, other] = True
                near[other, one] = True
                company[one] += 1
                company[other] += 1
    tried = np.zeros(n, np.bool_)
    box = 0
    state = _next(state)
    thrifty = (state >> 8) % 2 == 0
    first = (state >> 9) % 2 == 0  # the point in no box, or the loneliest
    while True:
        seed = -1
        for one in range(n):
            if labels[free[one]] < 0 and not tried[one] and (seed < 0 or company[one] < company[seed]):
                seed = one
                if first:
                    break
        first = False
        if seed < 0:
            break
        tried[seed] = True
        while totals[box, 0] > 0:
            box += 1
        state, taken, more = _grown(
            amounts, needs, labels, free, near, company, seed, least, totals[box], thrifty, state
        )
        weighed += more
        if len(taken) == 0:
            continue
        totals[box] = 0
        for one in taken:
            labels[free[one]] = box
            _take_in(points, amounts, free[one], box, totals, low, high)
            for other in range(n):
                if near[one, other]:
                    company[other] -= 1
    _join(points, amounts, needs, labels, free, radius, totals, low, high)
    return state, weighed


@compiled
def _grown(amounts, needs, labels, free, near, company, seed, least, total, thrifty, state):
    """Return the points of a new box around a seed, none where there is no such box; the sums are those of no box.

    With them comes how many points were weighed.
    """
    n, weighed = len(free), np.int64(0)
    fitting = np.zeros(n, np.bool_)
    for one in range(n):
        fitting[one] = near[seed, one] and labels[free[one]] < 0
    taken = [seed]
    copy_into(total, amounts[free[seed]])
    while len(taken) < least or lacking_spread(total, amounts, -1, -1, needs) > _SLIGHT:
        best, best_lack, best_rank = -1, np.inf, np.inf
        for one in range(n):
            if not fitting[one]:
                continue
            weighed += 1
            lack = lacking_spread(total, amounts, free[one], -1, needs)
            if lack <= _SLIGHT:
                lack = 0.0
            state = _next(state)
            rank = company[one] + (state >> 8) % 1024 / 512
            if thrifty:  # a point that differs from the rest is of more use elsewhere
                rank = rank / (4 * n) + _difference(total, amounts, free[one])
            if best < 0 or lack < best_lack or (lack == best_lack and rank < best_rank):
                best, best_lack, best_rank = one, lack, rank
        if best < 0:
            total[:] = 0
            taken.clear()
            break
        taken.append(best)
        for place in range(len(total)):
            total[place] += amounts[free[best], place]
        fitting[best] = False
        for one in range(n):
            fitting[one] = fitting[one] and near[best, one]
    return state, taken, weighed


@compiled
def _difference(total, amounts, row):
    """Return how far the sensitive values of a row are from the means of a box, added over columns."""
    columns = (len(total) - 1) // 3
    apart = 0.0
    for column in range(columns):
        if total[1 + column] > 0 and amounts[row, 1 + column] > 0:
            apart += abs(amounts[row, 1 + columns + column] - total[1 + columns + column] / total[1 + column])
    return apart


@compiled
def _join(points, amounts, needs, labels, free, radius, totals, low, high):
    """Put free points that are in no box into the first one that has room and spreads enough with them."""
    for row in free:
        for box in range(len(totals)):
            if labels[row] >= 0:
                break
            if totals[box, 0] == 0 or not _fits(points, row, box, low, high, radius):
                continue
            if lacking_spread(totals[box], amounts, row, -1, needs) <= _SLIGHT:
                labels[row] = box
                _take_in(points, amounts, row, box, totals, low, high)


@compiled
def _restore(points, amounts, labels, before, totals, low, high):
    """Undo what changed: every box that lost or won a point is measured anew."""
    changed = np.zeros(len(totals), np.bool_)
    for row in range(len(labels)):
        if labels[row] != before[row]:
            if labels[row] >= 0:
                changed[labels[row]] = True
            if before[row] >= 0:
                changed[before[row]] = True
    for box in range(len(totals)):
        if changed[box]:
            totals[box] = 0
    copy_into(labels, before)
    for row in range(len(labels)):
        if labels[row] >= 0 and changed[labels[row]]:
            _take_in(points, amounts, row, labels[row], totals, low, high)
