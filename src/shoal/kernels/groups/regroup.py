"""Move rows between groups, and swap them, as long as that makes it cheaper to make the rows of a group equal.

What a group would cost with one more row is the sum, over the columns of the row, of numbers that depend on the group,
the column and the value alone. They are kept in a table for each group of a block, so that trying a row in a group
takes one look a value. Where sensitive values must spread, what a group lacks of that has a price, too, and counts like
any other cost (:mod:`.lacking_spread`).
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange

from .group_costs import column_cost, gather, set_cost
from .lacking_spread import lacking_spread

__all__ = ["regroup"]

_LITTLE = 1e-9
_TRIES = 6
"""How many of the swaps that look best are worked out exactly."""


@compiled(parallel=True)
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
    amounts: np.ndarray,
    needs: np.ndarray,
    price: float,
    passes: int,
) -> np.ndarray:
    """Change members, sizes and costs in place; return for each block of groups how much was saved.

    Line g of members holds the rows of group g, sizes[g] of them; no group gets smaller than least or larger than a
    line. Block b is made of the groups blocks[begins[b]:begins[b + 1]]; rows move within a block only, so blocks are
    worked on side by side. amounts and needs say what is asked of the sensitive values of a group, if there is a need,
    and price what it costs to lack all of it in one column; costs of groups have it in them.
    """
    saved = np.zeros(len(begins) - 1, np.float64)
    for b in prange(len(begins) - 1):
        groups = blocks[begins[b] : begins[b + 1]]
        room = (np.zeros(shape, np.int32), np.zeros(shape[0], np.int32), np.empty(shape[0], np.int32))
        rows, prices, asked = (indptr, indices, data), (radius, invent, drop), (amounts, needs, price)
        known = (
            np.zeros((len(groups), shape[0], shape[1]), np.float32),  # what one more value of a column costs
            np.zeros(len(groups), np.float64),  # what one more row costs besides
            np.zeros((len(groups), members.shape[1]), np.float64),  # what each row costs its group
            np.zeros((len(groups), amounts.shape[1]), np.int64),  # sums of the amounts
            np.zeros(len(groups), np.float64),  # what is lacking
        )
        for i in range(len(groups)):
            _tabulate(rows, prices, asked, members, sizes, costs, groups[i], i, known, room)
        for _ in range(passes):
            before = saved[b]
            for i in range(len(groups)):
                slot = 0
                while slot < sizes[groups[i]]:
                    saved[b] += _better_place(
                        rows, prices, asked, members, sizes, costs, groups, i, slot, least, known, room
                    )
                    slot += 1
            if saved[b] - before <= _LITTLE:
                break
    return saved


@compiled
def _tabulate(rows, prices, asked, members, sizes, costs, g, i, known, room):
    """Work out what group g costs, what any one more row would cost, and what each of its own rows costs it."""
    (indptr, indices, data), (radius, invent, drop), (counts, given, touched) = rows, prices, room
    (amounts, needs, price), (tables, bases, leaves, totals, lacks) = asked, known
    size = sizes[g]
    found = gather(indptr, indices, data, members[g, :size], counts, given, touched)
    tables[i] = min(drop, invent * size)
    alike = 0.0
    bases[i] = 0.0
    for place in range(found):
        column = touched[place]
        alike += column_cost(counts[column], given[column], size, radius, invent, drop)[0]
        without = column_cost(counts[column], given[column], size + 1, radius, invent, drop)[0]
        bases[i] += without
        for value in range(counts.shape[1]):
            counts[column, value] += 1
            raised = column_cost(counts[column], given[column] + 1, size + 1, radius, invent, drop)[0]
            tables[i, column, value] = raised - without
            counts[column, value] -= 1
        counts[column] = 0
        given[column] = 0
    bases[i] -= alike
    rest = np.empty(size - 1, members.dtype)
    for slot in range(size):
        for other in range(size - 1):
            rest[other] = members[g, other if other < slot else other + 1]
        leaves[i, slot] = alike - set_cost(indptr, indices, data, rest, radius, invent, drop, counts, given, touched)
    if len(needs):
        for amount in range(amounts.shape[1]):
            totals[i, amount] = 0
            for slot in range(size):
                totals[i, amount] += amounts[members[g, slot], amount]
        lacks[i] = price * lacking_spread(totals[i], amounts, -1, -1, needs)
    costs[g] = alike + lacks[i]


@compiled
def _rise(rows, row, table, base):
    """Return what a group would cost more with one more row."""
    indptr, indices, data = rows
    total = base
    for place in range(indptr[row], indptr[row + 1]):
        total += table[indices[place], data[place]]
    return total


@compiled
def _lack(asked, totals, added, taken):
    """Return the price of what a group would lack with one row more and another less."""
    amounts, needs, price = asked
    return price * lacking_spread(totals, amounts, added, taken, needs)


@compiled
def _better_place(rows, prices, asked, members, sizes, costs, groups, i, slot, least, known, room):
    """Move one row where it saves most, or swap it; return what was saved."""
    tables, bases, leaves, totals, lacks = known
    g = groups[i]
    row, leave = members[g, slot], leaves[i, slot]
    lacking = 0.0
    for lack in lacks:
        lacking += lack
    if leave <= _LITTLE and lacking <= _LITTLE:
        return 0.0
    rises = np.full(len(groups), np.inf)
    best, least_rise = -1, np.inf
    for j in range(len(groups)):
        if j != i:
            rises[j] = _rise(rows, row, tables[j], bases[j])
            rise = rises[j] + _lack(asked, totals[j], row, -1) - lacks[j]
            if sizes[groups[j]] < members.shape[1] and (best < 0 or rise < least_rise):
                best, least_rise = j, rise
    if sizes[g] > least and best >= 0:
        left = leave + lacks[i] - _lack(asked, totals[i], -1, row)
        if left - least_rise > _LITTLE:
            h = groups[best]
            before = costs[g] + costs[h]
            members[h, sizes[h]] = row
            sizes[h] += 1
            sizes[g] -= 1
            for other in range(slot, sizes[g]):
                members[g, other] = members[g, other + 1]
            _tabulate(rows, prices, asked, members, sizes, costs, g, i, known, room)
            _tabulate(rows, prices, asked, members, sizes, costs, h, best, known, room)
            return before - costs[g] - costs[h]
    return _swap(rows, prices, asked, members, sizes, costs, groups, i, slot, rises, known, room)


@compiled
def _swap(rows, prices, asked, members, sizes, costs, groups, i, slot, rises, known, room):
    """Swap a row with the one for which that looks best, if it is; return what was saved."""
    (indptr, indices, data), (radius, invent, drop), (counts, given, touched) = rows, prices, room
    tables, bases, leaves, totals, lacks = known
    g = groups[i]
    row, leave = members[g, slot], leaves[i, slot]
    looks = np.full(_TRIES, -np.inf)
    where = np.full((_TRIES, 2), -1, np.int64)
    for j in range(len(groups)):
        h = groups[j]
        if j == i or costs[g] + costs[h] <= _LITTLE:
            continue
        for other in range(sizes[h]):
            # as if each came before the other has left: too expensive, but by much the same everywhere
            most = leave - rises[j] + leaves[j, other] + lacks[i] + lacks[j]
            if most <= looks[-1]:
                continue
            came = members[h, other]
            most -= _lack(asked, totals[i], came, row) + _lack(asked, totals[j], row, came)
            if most <= looks[-1]:
                continue
            look = most - _rise(rows, came, tables[i], bases[i])
            place = _TRIES
            while place > 0 and look > looks[place - 1]:
                place -= 1
            if place < _TRIES:
                for worse in range(_TRIES - 1, place, -1):
                    looks[worse] = looks[worse - 1]
                    where[worse, 0], where[worse, 1] = where[worse - 1, 0], where[worse - 1, 1]
                looks[place] = look
                where[place, 0], where[place, 1] = j, other
    for at in range(_TRIES):
        j, other = where[at, 0], where[at, 1]
        if j < 0:
            break
        h = groups[j]
        mine, theirs = members[g, : sizes[g]].copy(), members[h, : sizes[h]].copy()
        came = members[h, other]
        mine[slot], theirs[other] = came, row
        mine_cost = set_cost(indptr, indices, data, mine, radius, invent, drop, counts, given, touched)
        theirs_cost = set_cost(indptr, indices, data, theirs, radius, invent, drop, counts, given, touched)
        lack = _lack(asked, totals[i], came, row) + _lack(asked, totals[j], row, came)
        gain = costs[g] + costs[h] - mine_cost - theirs_cost - lack
        if gain > _LITTLE:
            members[g, slot], members[h, other] = came, row
            _tabulate(rows, prices, asked, members, sizes, costs, g, i, known, room)
            _tabulate(rows, prices, asked, members, sizes, costs, h, j, known, room)
            return gain
    return 0.0
