"""Move rows between groups, and swap them, as long as that makes the groups cheaper to be made alike.

What a group would cost with one more row is the sum, over the columns of the row, of numbers that depend on the group,
the column and the value alone. They are kept in a table for each group of a block, so that trying a row in a group
takes one look a value.
"""

import numpy as np
from numba import njit, prange

from .group_costs import column_cost, gather, set_cost

__all__ = ["regroup"]

_LITTLE = 1e-9
_TRIES = 6
"""So many of the swaps that look best are worked out exactly."""


@njit(cache=True, nogil=True, parallel=True)
def regroup(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    members: np.ndarray,
    sizes: np.ndarray,
    costs: np.ndarray,
    blocks: np.ndarray,
    begins: np.ndarray,
    least: int,
    shape: tuple[int, int],
    radius: int,
    invent: float,
    drop: float,
    passes: int,
) -> np.ndarray:
    """Change members, sizes and costs in place; give for each block of groups how much was saved.

    Line g of members holds the rows of group g, sizes[g] of them; no group gets smaller than least or larger than a
    line. Block b is made of the groups blocks[begins[b]:begins[b + 1]]; rows move within a block only, so blocks are
    worked on side by side.
    """
    saved = np.zeros(len(begins) - 1, np.float64)
    for b in prange(len(begins) - 1):  # pyright: ignore[reportGeneralTypeIssues]
        groups = blocks[begins[b] : begins[b + 1]]
        tables = np.zeros((len(groups), shape[0], shape[1]), np.float32)
        bases = np.zeros(len(groups), np.float64)
        leaves = np.zeros((len(groups), members.shape[1]), np.float64)
        room = (np.zeros(shape, np.int32), np.zeros(shape[0], np.int32), np.empty(shape[0], np.int32))
        rows = (indptr, indices, data)
        prices = (radius, invent, drop)
        for i in range(len(groups)):
            _tabulate(rows, prices, members, sizes, costs, groups[i], i, tables, bases, leaves, room)
        for _ in range(passes):
            before = saved[b]
            for i in range(len(groups)):
                slot = 0
                while slot < sizes[groups[i]]:
                    gain = _better_place(
                        rows, prices, members, sizes, costs, groups, i, slot, least, tables, bases, leaves, room
                    )
                    saved[b] += gain
                    slot += 1
            if saved[b] - before <= _LITTLE:
                break
    return saved


@njit(cache=True, nogil=True)
def _tabulate(rows, prices, members, sizes, costs, g, i, tables, bases, leaves, room):
    """Work out what group g costs, what any one more row would cost, and what each of its own rows costs it."""
    (indptr, indices, data), (radius, invent, drop), (counts, given, touched) = rows, prices, room
    size = sizes[g]
    found = gather(indptr, indices, data, members[g, :size], counts, given, touched)
    tables[i] = min(drop, invent * size)
    costs[g] = 0.0
    bases[i] = 0.0
    for place in range(found):
        column = touched[place]
        costs[g] += column_cost(counts[column], given[column], size, radius, invent, drop)[0]
        without = column_cost(counts[column], given[column], size + 1, radius, invent, drop)[0]
        bases[i] += without
        for value in range(counts.shape[1]):
            counts[column, value] += 1
            raised = column_cost(counts[column], given[column] + 1, size + 1, radius, invent, drop)[0]
            tables[i, column, value] = raised - without
            counts[column, value] -= 1
        counts[column] = 0
        given[column] = 0
    bases[i] -= costs[g]
    rest = np.empty(size - 1, members.dtype)
    for slot in range(size):
        rest[:slot] = members[g, :slot]
        rest[slot:] = members[g, slot + 1 : size]
        leaves[i, slot] = costs[g] - set_cost(indptr, indices, data, rest, radius, invent, drop, counts, given, touched)


@njit(cache=True, nogil=True)
def _rise(rows, row, table, base):
    """Give what a group would cost more with one more row."""
    indptr, indices, data = rows
    total = base
    for place in range(indptr[row], indptr[row + 1]):
        total += table[indices[place], data[place]]
    return total


@njit(cache=True, nogil=True)
def _better_place(rows, prices, members, sizes, costs, groups, i, slot, least, tables, bases, leaves, room):
    """Move one row where it saves most, or swap it; give what was saved."""
    g = groups[i]
    row, leave = members[g, slot], leaves[i, slot]
    if leave <= _LITTLE:
        return 0.0
    rises = np.full(len(groups), np.inf)
    best = -1
    for j in range(len(groups)):
        if j != i:
            rises[j] = _rise(rows, row, tables[j], bases[j])
            if sizes[groups[j]] < members.shape[1] and (best < 0 or rises[j] < rises[best]):
                best = j
    if sizes[g] > least and best >= 0 and leave - rises[best] > _LITTLE:
        h = groups[best]
        before = costs[g] + costs[h]
        members[h, sizes[h]] = row
        sizes[h] += 1
        members[g, slot : sizes[g] - 1] = members[g, slot + 1 : sizes[g]].copy()
        sizes[g] -= 1
        _tabulate(rows, prices, members, sizes, costs, g, i, tables, bases, leaves, room)
        _tabulate(rows, prices, members, sizes, costs, h, best, tables, bases, leaves, room)
        return before - costs[g] - costs[h]
    return _swap(rows, prices, members, sizes, costs, groups, i, slot, rises, tables, bases, leaves, room)


@njit(cache=True, nogil=True)
def _swap(rows, prices, members, sizes, costs, groups, i, slot, rises, tables, bases, leaves, room):
    """Swap a row with the one for which that looks best, if it is; give what was saved."""
    (indptr, indices, data), (radius, invent, drop), (counts, given, touched) = rows, prices, room
    g = groups[i]
    row, leave = members[g, slot], leaves[i, slot]
    looks = np.full(_TRIES, -np.inf)
    where = np.full((_TRIES, 2), -1, np.int64)
    for j in range(len(groups)):
        h = groups[j]
        if j == i or costs[g] + costs[h] <= _LITTLE:
            continue
        for other in range(sizes[h]):
            # as if each came before the other has left: too dear, but by much the same everywhere
            most = leave - rises[j] + leaves[j, other]
            if most <= looks[-1]:
                continue
            look = most - _rise(rows, members[h, other], tables[i], bases[i])
            place = _TRIES
            while place > 0 and look > looks[place - 1]:
                place -= 1
            if place < _TRIES:
                looks[place + 1 :] = looks[place:-1].copy()
                where[place + 1 :] = where[place:-1].copy()
                looks[place] = look
                where[place, 0], where[place, 1] = j, other
    for at in range(_TRIES):
        j, other = where[at]
        if j < 0:
            break
        h = groups[j]
        mine, theirs = members[g, : sizes[g]].copy(), members[h, : sizes[h]].copy()
        mine[slot], theirs[other] = members[h, other], row
        mine_cost = set_cost(indptr, indices, data, mine, radius, invent, drop, counts, given, touched)
        theirs_cost = set_cost(indptr, indices, data, theirs, radius, invent, drop, counts, given, touched)
        gain = costs[g] + costs[h] - mine_cost - theirs_cost
        if gain > _LITTLE:
            members[g, : sizes[g]] = mine
            members[h, : sizes[h]] = theirs
            _tabulate(rows, prices, members, sizes, costs, g, i, tables, bases, leaves, room)
            _tabulate(rows, prices, members, sizes, costs, h, j, tables, bases, leaves, room)
            return gain
    return 0.0
