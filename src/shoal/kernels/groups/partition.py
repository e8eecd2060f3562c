"""A partition of rows into groups, and what the groups cost by how far they reach.

Every row has a position in each attribute, and a group reaches from the lowest to the highest of its rows. What a group
costs each of its rows is the sum over attributes of the cost of that stretch. A row without a position, −1, widens no
stretch; a group of such rows alone reaches from −1 to −1, and costs nothing.

A *ruler* ``(peaks, costs, at, ranged, table, begins, widths, whole)`` says what stretches cost:

* ``peaks[a, j, i]`` is the highest of the levels on which positions i and i + 1, i + 1 and i + 2, …, 2**j pairs of
  them, are alike in attribute a, and ``costs[a, level, i]`` the cost of position i on a level: a stretch costs what
  the lowest level costs on which all of it is alike;
* where attribute a is ``ranged``, a stretch costs the distance between ``at[a, i]`` of its ends;
* of an attribute of few positions, ``widths[a]`` of them (0: of many), the same is in the ``table``, for the stretch
  from i to j at ``begins[a] + i * widths[a] + j``: reading is faster than reckoning;
* ``whole[0]`` is what a row costs that is left out.

A *partition* ``(group_of, heads, nexts, lasts, sizes, lows, highs, prices)`` holds the group of each row, −1 for one
that is left out; the first row of each group, and the rows after and before each row, −1 at the ends; how many rows a
group has, from where to where it reaches in each attribute, and what it costs each of its rows. A group without rows
may be filled again.
"""

from typing import Any

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["partition_of", "stretch_cost", "stretch_table"]

Arrays = tuple[np.ndarray, ...]
"""A ruler or a partition."""
Number = Any
"""A number as it comes out of an array."""


@compiled
def stretch_cost(ruler: Arrays, a: Number, low: Number, high: Number) -> Number:
    """Return what a stretch of an attribute costs."""
    if low == high:
        return 0.0
    peaks, costs, at, ranged, table, begins, widths, _ = ruler
    if widths[a]:
        return table[begins[a] + low * widths[a] + high]
    if ranged[a]:
        return at[a, high] - at[a, low]
    power = 0
    while (2 << power) <= high - low:
        power += 1
    level = max(peaks[a, power, low], peaks[a, power, high - (1 << power)])
    return costs[a, level, low]


@compiled
def stretch_table(ruler: Arrays, a: Number, n: int) -> np.ndarray:
    """Return what the stretch from i to j costs at i * n + j, for all of the n positions of an attribute."""
    table = np.zeros(n * n)
    for low in range(n):
        for high in range(low, n):
            table[low * n + high] = stretch_cost(ruler, a, low, high)
    return table


@compiled
def lower_position(one: Number, other: Number) -> Number:
    """Return the lower of two positions, of which either may be none."""
    if one < 0:
        return other
    return one if other < 0 else min(one, other)


@compiled
def price_of(ruler: Arrays, low: np.ndarray, high: np.ndarray) -> Number:
    """What a group that reaches so far costs each of its rows."""
    total = 0.0
    for a in range(len(low)):
        total += stretch_cost(ruler, a, low[a], high[a])
    return total


@compiled
def price_with(ruler: Arrays, low: np.ndarray, high: np.ndarray, row: np.ndarray, most: Number) -> Number:
    """What a group costs each of its rows with one more; anything above ``most`` where it is more than that."""
    total = 0.0
    for a in range(len(low)):
        total += stretch_cost(ruler, a, lower_position(low[a], row[a]), max(high[a], row[a]))
        if total > most:
            return total
    return total


@compiled
def partition_of(group_of: np.ndarray, n_groups: int, positions: np.ndarray, ruler: Arrays) -> Arrays:
    """Return the partition in which each row has its group."""
    n_attributes = positions.shape[1]
    heads = np.full(n_groups, -1, np.int64)
    nexts, lasts = np.full(len(group_of), -1, np.int64), np.full(len(group_of), -1, np.int64)
    sizes = np.zeros(n_groups, np.int64)
    lows, highs = np.zeros((n_groups, n_attributes), np.int32), np.zeros((n_groups, n_attributes), np.int32)
    partition = group_of.copy(), heads, nexts, lasts, sizes, lows, highs, np.zeros(n_groups)
    for row in range(len(group_of) - 1, -1, -1):
        if group_of[row] >= 0:
            link(partition, row, group_of[row])
    for group in range(n_groups):
        measure(partition, positions, ruler, group)
    return partition


@compiled
def link(partition: Arrays, row: Number, group: Number) -> None:
    """Put a row that is in no group into one."""
    group_of, heads, nexts, lasts, sizes = partition[:5]
    head = heads[group]
    group_of[row], nexts[row], lasts[row], heads[group] = group, head, -1, row
    if head >= 0:
        lasts[head] = row
    sizes[group] += 1


@compiled
def unlink(partition: Arrays, row: Number) -> None:
    """Take a row out of its group."""
    group_of, heads, nexts, lasts, sizes = partition[:5]
    group = group_of[row]
    if lasts[row] >= 0:
        nexts[lasts[row]] = nexts[row]
    else:
        heads[group] = nexts[row]
    if nexts[row] >= 0:
        lasts[nexts[row]] = lasts[row]
    group_of[row] = -1
    sizes[group] -= 1


@compiled
def measure(partition: Arrays, positions: np.ndarray, ruler: Arrays, group: Number) -> None:
    """Write from where to where a group reaches, and what it costs."""
    low, high = partition[5][group], partition[6][group]
    low[:], high[:] = 0, 0
    if partition[4][group]:
        reach(partition, positions, group, -1, low, high)
    partition[7][group] = price_of(ruler, low, high)


@compiled
def reach(
    partition: Arrays, positions: np.ndarray, group: Number, without: Number, low: np.ndarray, high: np.ndarray
) -> None:
    """Write from where to where a group reaches without one row; nothing where it has no other."""
    nexts = partition[2]
    row = partition[1][group]
    first = True
    while row >= 0:
        if row != without:
            for a in range(len(low)):
                position = positions[row, a]
                low[a] = position if first else lower_position(low[a], position)
                if first or position > high[a]:
                    high[a] = position
            first = False
        row = nexts[row]


@compiled
def list_members(partition: Arrays, group: Number, members: np.ndarray) -> None:
    row = partition[1][group]
    i = 0
    while row >= 0:
        members[i] = row
        row = partition[2][row]
        i += 1


@compiled
def widen(low: np.ndarray, high: np.ndarray, position: np.ndarray, anew: bool) -> None:
    """Let a stretch reach to a position as well, or begin with it."""
    for a in range(len(low)):
        low[a] = position[a] if anew else lower_position(low[a], position[a])
        high[a] = position[a] if anew else max(high[a], position[a])
