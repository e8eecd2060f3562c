"""Bring groups of compressed rows near to leaders of theirs at least cost, column by column.

A group shares its columns. Its leaders keep, in each column, to an interval [a, a + w] with w up to the radius, and
the others to [a + w − radius, a + radius]: so everybody is within the radius of every leader, and leaders of each
other. With w as large as the radius the two are one interval, and all of a group are near each other; with less,
leaders move more and the others less. In one column, either nobody keeps a value, at drop a value; or everybody has
one, at invent a value that was not there, and values are moved into their interval.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import stable_order

__all__ = ["choose_leaders", "costs_of_following", "led_costs", "led_ranges", "led_rows"]

_PASSES = 3
"""How often leaders are chosen anew for the intervals that suit those chosen before."""
_STEP = 64


@compiled(parallel=True)
def choose_leaders(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    widths: np.ndarray,
    invent: float,
    drop: float,
    n_leaders: int,
) -> np.ndarray:
    """Return a mask of rows: the ``n_leaders`` of each group for which it costs least to lead rather than follow.

    Group g is made of the rows members[begins[g]:begins[g + 1]], more than there are to lead; shape is the number of
    columns and of values; widths are those to try, the one that is preferred first.
    """
    leads = np.zeros(len(indptr) - 1, np.bool_)
    n_groups = len(begins) - 1
    for chunk in prange((n_groups + _STEP - 1) // _STEP):
        room = _room(shape)
        for g in range(chunk * _STEP, min(n_groups, (chunk + 1) * _STEP)):
            rows = members[begins[g] : begins[g + 1]]
            for _ in range(_PASSES):
                _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room)
                harder = np.empty(len(rows), np.float64)
                for place in range(len(rows)):
                    one = _row_cost(indptr, indices, data, rows[place], True, radius, invent, drop, room)
                    other = _row_cost(indptr, indices, data, rows[place], False, radius, invent, drop, room)
                    harder[place] = one - other
                leads[rows] = False
                leads[rows[stable_order(harder)[:n_leaders]]] = True
    return leads


@compiled(parallel=True)
def led_costs(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    leads: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    widths: np.ndarray,
    invent: float,
    drop: float,
) -> np.ndarray:
    """Return what every row costs in its group, and 0 for rows in no group."""
    out = np.zeros(len(indptr) - 1, np.float64)
    n_groups = len(begins) - 1
    for chunk in prange((n_groups + _STEP - 1) // _STEP):
        room = _room(shape)
        for g in range(chunk * _STEP, min(n_groups, (chunk + 1) * _STEP)):
            rows = members[begins[g] : begins[g + 1]]
            _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room)
            for row in rows:
                out[row] = _row_cost(indptr, indices, data, row, leads[row], radius, invent, drop, room)
    return out


@compiled(parallel=True)
def led_ranges(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    leads: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    widths: np.ndarray,
    invent: float,
    drop: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest value of those who follow, by column and group; −1 where nobody keeps one."""
    n_groups = len(begins) - 1
    lows = np.full((shape[0], n_groups), -1, np.int32)
    highs = np.full((shape[0], n_groups), -1, np.int32)
    for chunk in prange((n_groups + _STEP - 1) // _STEP):
        room = _room(shape)
        for g in range(chunk * _STEP, min(n_groups, (chunk + 1) * _STEP)):
            rows = members[begins[g] : begins[g + 1]]
            kept = _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room)
            for column in room[2][:kept]:
                lows[column, g], highs[column, g] = _range(column, False, radius, room)
    return lows, highs


@compiled(parallel=True)
def costs_of_following(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    lows: np.ndarray,
    highs: np.ndarray,
    invent: float,
    drop: float,
) -> np.ndarray:
    """Return what every row would cost in every group, rows × groups, with the ranges of led_ranges."""
    n_groups = lows.shape[1]
    base = np.zeros(n_groups, np.float64)
    for column in range(len(lows)):
        for g in range(n_groups):
            base[g] += invent if lows[column, g] >= 0 else 0.0
    out = np.empty((len(indptr) - 1, n_groups), np.float64)
    for row in prange(len(indptr) - 1):
        out[row] = base
        for place in range(indptr[row], indptr[row + 1]):
            column, value = indices[place], np.int32(data[place])
            for g in range(n_groups):
                low, high = lows[column, g], highs[column, g]
                moved = max(low - value, 0) + max(value - high, 0)
                out[row, g] += drop if low < 0 else moved - invent
    return out


@compiled
def led_rows(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    leads: np.ndarray,
    shape: tuple[int, int],
    radius: int,
    widths: np.ndarray,
    invent: float,
    drop: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows as they are after every group was made alike, as compressed rows; every row is in one group.

    A value that is invented is the middle one of those that are there, moved into the interval like any other.
    """
    room = _room(shape)
    out_indptr = np.zeros(len(indptr), np.int64)
    for g in range(len(begins) - 1):  # first only how long rows get
        rows = members[begins[g] : begins[g + 1]]
        kept = _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room)
        for row in rows:
            out_indptr[row + 1] = kept
    for row in range(len(indptr) - 1):
        out_indptr[row + 1] += out_indptr[row]
    out_indices = np.empty(out_indptr[-1], np.int32)
    out_data = np.empty(out_indptr[-1], data.dtype)
    for g in range(len(begins) - 1):
        rows = members[begins[g] : begins[g + 1]]
        kept = _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room)
        columns = room[2][:kept][stable_order(room[2][:kept])]
        for row in rows:
            _write(indptr, indices, data, row, columns, leads[row], radius, room, out_indptr, out_indices, out_data)
    return out_indptr, out_indices, out_data


@compiled
def _room(shape):
    """Room to work in: counts of leaders and others by column and value; how many have one; columns; what was found."""
    columns, values = shape
    counts = np.zeros((2, columns, values), np.int32)
    return (
        counts,
        np.zeros(columns, np.int32),
        np.empty(columns, np.int32),
        np.full(columns, -1, np.int32),  # where the interval of the leaders starts
        np.zeros(columns, np.int32),  # how wide it is
        np.zeros(columns, np.int32),  # the middle value
        np.empty((4, values), np.int64),
        np.zeros(1, np.int64),  # how many columns the group before had left in the room
    )


@compiled
def _decide(indptr, indices, data, rows, leads, radius, widths, invent, drop, room):
    """Find the best interval of every column; the columns that are kept come first in the list of columns."""
    counts, given, columns, starts, chosen, middles, sums, before = room
    for place in range(before[0]):
        starts[columns[place]] = -1
    found = 0
    for row in rows:
        role = 0 if leads[row] else 1
        for place in range(indptr[row], indptr[row + 1]):
            column = indices[place]
            if given[column] == 0:
                columns[found] = column
                found += 1
            given[column] += 1
            counts[role, column, data[place]] += 1
    kept = 0
    for place in range(found):
        column = columns[place]
        led, others = counts[0, column], counts[1, column]
        start, width, moved = _best(led, others, radius, widths, sums)
        if moved + invent * (len(rows) - given[column]) <= drop * given[column]:
            starts[column], chosen[column] = start, width
            middles[column] = _middle(led, others, given[column])
            columns[place] = columns[kept]
            columns[kept] = column
            kept += 1
        led[:] = 0
        others[:] = 0
        given[column] = 0
    before[0] = kept
    return kept


@compiled
def _best(led, others, radius, widths, sums):
    """Return start and width of the leaders' interval where moving all values costs least, and that cost.

    Of equal ones the earlier width, and for it the lowest start.
    """
    last = len(led) - 1
    _moving(led, sums[0], sums[1])
    _moving(others, sums[2], sums[3])
    best_start, best_width, best = 0, widths[0], np.int64(-1)
    for width in widths:
        for start in range(max(last - width, 0) + 1):
            cost = sums[0][start] + sums[1][min(start + width, last)]
            cost += sums[2][min(max(start + width - radius, 0), last)] + sums[3][min(start + radius, last)]
            if best < 0 or cost < best:
                best_start, best_width, best = start, width, cost
    return best_start, best_width, best


@compiled
def _moving(counts, up, down):
    """Return what it costs to move the values below each value up to it, and those above it down to it."""
    passed = total = 0
    for value in range(len(counts)):
        total += passed
        up[value] = total
        passed += counts[value]
    passed = total = 0
    for value in range(len(counts) - 1, -1, -1):
        total += passed
        down[value] = total
        passed += counts[value]


@compiled
def _middle(led, others, given):
    """Return the lower median."""
    passed = 0
    for value in range(len(led)):
        passed += led[value] + others[value]
        if 2 * passed >= given:
            return value
    return 0


@compiled
def _range(column, leading, radius, room):
    """Return the lowest and the highest value a row may have in a column that is kept."""
    start, width = room[3][column], room[4][column]
    if leading:
        return start, start + width
    return max(start + width - radius, 0), min(start + radius, room[6].shape[1] - 1)


@compiled
def _row_cost(indptr, indices, data, row, leading, radius, invent, drop, room):
    """Return what a row costs in the group for which the room was filled."""
    total = invent * room[7][0]
    for place in range(indptr[row], indptr[row + 1]):
        column, value = indices[place], np.int64(data[place])
        if room[3][column] < 0:
            total += drop
        else:
            low, high = _range(column, leading, radius, room)
            total += max(low - value, 0) + max(value - high, 0) - invent
    return total


@compiled
def _write(indptr, indices, data, row, columns, leading, radius, room, out_indptr, out_indices, out_data):
    """Write one row over the columns of its group; both are sorted."""
    place, at = indptr[row], out_indptr[row]
    for column in columns:
        while place < indptr[row + 1] and indices[place] < column:
            place += 1
        value = np.int64(room[5][column])
        if place < indptr[row + 1] and indices[place] == column:
            value = np.int64(data[place])
        low, high = _range(column, leading, radius, room)
        out_indices[at] = column
        out_data[at] = min(max(value, low), high)
        at += 1
