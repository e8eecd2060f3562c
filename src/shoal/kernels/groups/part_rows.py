"""Move single values of rows, within what their groups allow, so that rows of other groups are no longer near.

All rows of a group have the same columns and are pairwise within a radius on each. Whoever counts the rows within the
radius of one finds its group, and strangers: rows of other groups that happen to be near. Where strangers do harm, a
value is moved so that they are more than the radius away; the row stays within the radius of its own group. Harm is
either what the sensitive values of the rows around one lack of the spread that is asked (:mod:`.lacking_spread`), or,
where there are no needs, the number of strangers near rows that are marked.
"""

import numpy as np

from shoal.kernels.compiled import compiled

from .lacking_spread import lacking_spread

__all__ = ["part_rows"]

_LITTLE = 1e-9
_MOVES = 24
"""How many values are moved at most for one row each time it is looked at."""
_CROWD = 128
"""A row with more strangers near is not set apart: that would take long, and seldom help."""
_ASKED = 8
"""How many strangers are asked to move, where moving the row itself does not help."""


@compiled
def part_rows(
    indptr: np.ndarray,
    codes: np.ndarray,
    wanted: np.ndarray,
    order: np.ndarray,
    begins: np.ndarray,
    labels: np.ndarray,
    members: np.ndarray,
    firsts: np.ndarray,
    radius: int,
    n_values: int,
    totals: np.ndarray,
    amounts: np.ndarray,
    needs: np.ndarray,
    marked: np.ndarray,
    passes: int,
) -> int:
    """Change codes and totals in place; return how many values were moved.

    order lists the rows by their pattern of columns, pattern p from begins[p] to begins[p + 1], and the codes of rows
    of one pattern line up; wanted holds the value that each had at first, −1 where there was none. labels has the group
    of each row, and members[firsts[g]:firsts[g + 1]] are the rows of group g. Line i of totals holds the sums of the
    amounts of all rows within the radius of row i, itself included.
    """
    rows = (indptr, codes, wanted, order, begins, labels)
    groups = (members, firsts, radius, n_values)
    asked = (totals, amounts, needs, marked)
    pattern_of = np.empty(len(labels), np.int64)
    longest = 0
    for p in range(len(begins) - 1):
        pattern_of[order[begins[p] : begins[p + 1]]] = p
        longest = max(longest, begins[p + 1] - begins[p])
    room = (np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64))
    harms = (np.empty(longest, np.float64), np.empty(longest, np.float64))
    moved = 0
    for _ in range(passes):
        before = moved
        for row in range(len(labels)):
            moved += _part(rows, groups, asked, pattern_of, row, room, harms)
        if moved == before:
            break
    return moved


@compiled
def _part(rows, groups, asked, pattern_of, row, room, harms):
    """Move values of a row that is harmed, or of the strangers near it, as long as that does less harm."""
    moved = 0
    while moved < _MOVES and _is_harmed(asked, rows, groups, pattern_of, row, room):
        if _strangers(rows, groups, pattern_of, row, room)[0] > _CROWD:
            break
        if _moved_best(rows, groups, asked, pattern_of, row, room, harms):
            moved += 1
            continue
        n_near, _ = _strangers(rows, groups, pattern_of, row, room)
        strangers = room[0][: min(n_near, _ASKED)].copy()
        helped = False
        for stranger in strangers:
            if _moved_best(rows, groups, asked, pattern_of, stranger, room, harms):
                moved += 1
                helped = True
                break
        if not helped:
            break
    return moved


@compiled
def _is_harmed(asked, rows, groups, pattern_of, row, room):
    totals, amounts, needs, marked = asked
    if len(needs):
        return lacking_spread(totals[row], amounts, -1, -1, needs) > _LITTLE
    return marked[row] and _strangers(rows, groups, pattern_of, row, room)[0] > 0


@compiled
def _strangers(rows, groups, pattern_of, row, room):
    """Find the rows of other groups that are near, and those that are but for one column; return how many of each.

    The first are in the first part of the room; the second in the other two, with the column.
    """
    (indptr, codes, _, order, begins, labels), radius = rows, groups[2]
    near, almost, column = room
    start, width = indptr[row], indptr[row + 1] - indptr[row]
    n_near = n_almost = 0
    p = pattern_of[row]
    for other in order[begins[p] : begins[p + 1]]:
        if labels[other] == labels[row]:
            continue
        beyond, where, there = 0, -1, indptr[other]
        for step in range(width):
            if abs(np.int64(codes[start + step]) - np.int64(codes[there + step])) > radius:
                beyond += 1
                where = step
                if beyond == 2:
                    break
        if beyond == 0:
            near[n_near] = other
            n_near += 1
        elif beyond == 1:
            almost[n_almost] = other
            column[n_almost] = where
            n_almost += 1
    return n_near, n_almost


@compiled
def _moved_best(rows, groups, asked, pattern_of, row, room, harms):
    """Move the one value of a row that takes most harm away for what it costs; return whether there was any."""
    (indptr, codes, wanted, _, _, _), radius = rows, groups[2]
    n_near, n_almost = _strangers(rows, groups, pattern_of, row, room)
    for i in range(n_near):
        harms[0][i] = _harm_of_change(asked, room[0][i], row, False)
    for i in range(n_almost):
        harms[1][i] = _harm_of_change(asked, room[1][i], row, True)
    best_step, best_value, best_worth = -1, 0, 0.0
    for step in range(indptr[row + 1] - indptr[row]):
        place = indptr[row] + step
        now, at_first = np.int64(codes[place]), np.int64(wanted[place])
        low, high = _allowed(indptr, codes, rows[5], groups, row, step)
        tried = np.zeros(high - low + 1, np.bool_)
        for i in range(n_near):
            theirs = np.int64(codes[indptr[room[0][i]] + step])
            for value in (theirs - radius - 1, theirs + radius + 1):
                if value < low or value > high or tried[value - low]:
                    continue
                tried[value - low] = True
                less = -_change(rows, groups, asked, row, step, value, n_near, n_almost, room, harms, False)
                if less <= _LITTLE:
                    continue
                cost = 0 if at_first < 0 else abs(value - at_first) - abs(now - at_first)
                worth = less / (max(cost, 0) + 0.5)
                if worth > best_worth + _LITTLE:
                    best_step, best_value, best_worth = step, value, worth
    if best_step < 0:
        return False
    _change(rows, groups, asked, row, best_step, best_value, n_near, n_almost, room, harms, True)
    codes[indptr[row] + best_step] = best_value
    return True


@compiled
def _allowed(indptr, codes, labels, groups, row, step):
    """Return the lowest and the highest value with which a row stays within the radius of its group."""
    members, firsts, radius, n_values = groups
    low, high = np.int64(0), np.int64(n_values - 1)
    for other in members[firsts[labels[row]] : firsts[labels[row] + 1]]:
        if other != row:
            value = np.int64(codes[indptr[other] + step])
            low, high = max(low, value - radius), min(high, value + radius)
    return low, high


@compiled
def _harm_of_change(asked, other, row, comes):
    """Return how much more harm is done to another row when a row comes near it, or goes."""
    totals, amounts, needs, marked = asked
    if len(needs) == 0:
        return (1.0 if comes else -1.0) if marked[row] or marked[other] else 0.0
    after = lacking_spread(totals[other], amounts, row if comes else -1, -1 if comes else row, needs)
    return after - lacking_spread(totals[other], amounts, -1, -1, needs)


@compiled
def _change(rows, groups, asked, row, step, value, n_near, n_almost, room, harms, for_good):
    """Return how much more harm there is when a value of a row is moved; for good, or only to see."""
    (indptr, codes, _, _, _, _), radius = rows, groups[2]
    totals, amounts, needs, _ = asked
    near, almost, column = room
    mine = totals[row].copy()
    more = 0.0
    for i in range(n_near):
        other = near[i]
        if abs(value - np.int64(codes[indptr[other] + step])) > radius:
            more += harms[0][i]
            mine -= amounts[other]
            if for_good:
                totals[other] -= amounts[row]
    for i in range(n_almost):
        other = almost[i]
        if column[i] == step and abs(value - np.int64(codes[indptr[other] + step])) <= radius:
            more += harms[1][i]
            mine += amounts[other]
            if for_good:
                totals[other] += amounts[row]
    more += lacking_spread(mine, amounts, -1, -1, needs) - lacking_spread(totals[row], amounts, -1, -1, needs)
    if for_good:
        totals[row] = mine
    return more
