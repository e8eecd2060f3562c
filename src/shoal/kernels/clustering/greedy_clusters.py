"""Clusters that grow one by one, each by the record that costs it least: GreedyPKClustering.

*Reference.* Campan, Truta, Miller, Sinca, A clustering approach for achieving data privacy, 2007.

A *ruler* says what clusters cost, see :mod:`.cluster_costs`. Records with the same values are one *kind*, and those of
a kind that are alike in what is sensitive one *cell*. The *layout* ``(values, cell_begins, places, record_begins,
things, totals)`` has the values of each kind, the cells of each kind, the records of each cell in ascending order, each
as its place among all, the sensitive thing of each cell by attribute, numbered through, and how many records have each
thing. Kinds are in the order of their places, and the places of one kind are adjacent. ``taken[cell]`` counts the
records of a cell that are in a cluster; they are taken in their order. Of records that are as good the one with the
lowest place is taken.
"""

from typing import Any

import numpy as np

from shoal.kernels.compiled import compiled

from .cluster_costs import reach_cost

__all__ = ["extend_cluster", "farthest_cell", "grow_clusters"]

Arrays = tuple[np.ndarray, ...]
"""A ruler or a layout."""
Number = Any
"""A number as it comes out of an array."""

_NEW, _CLOSEST, _SPARING, _UNDERREPRESENTED = 0, 1, 2, 3
"""What is looked at first in a record: things that the cluster lacks, nothing but cost, no new things, rare things."""


@compiled
def grow_clusters(
    layout: Arrays,
    ruler: Arrays,
    taken: np.ndarray,
    least: np.ndarray,
    fewest: Number,
    sparing: Number,
    first: Number,
    most: Number,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Grow at most ``most`` clusters; return the cells of their records in order, where each ends, and the next seed.

    The first cluster begins with a record of the cell ``first``, each other one with the record that would cost the one
    before most. A cluster takes the record with most things of the attributes in which it has fewer than ``least``, and
    of several the one that costs it least; then the one that costs it least until it has ``fewest`` records. With
    ``sparing``, those come first then that have the fewest things it does not have. It ends where no record is left,
    or none with a thing that is lacking; the records of a cluster without an end, if any, are the last ones. The next
    seed is −1 where no record is left.
    """
    kinds = _kinds_left(layout, taken)
    cells, ends = np.empty(len(layout[2]), np.int64), np.empty(most, np.int64)
    state = _state_of(layout, ruler, cells[:0])
    n_taken, n_ended, seed = 0, 0, first
    while seed >= 0 and n_ended < most:
        begin, cell = n_taken, seed
        while cell >= 0:
            _join(layout, ruler, taken, kinds, cell, n_taken == begin, state)
            cells[n_taken] = cell
            n_taken += 1
            lacking = (state[4] < least).any()
            if n_taken - begin >= fewest and not lacking:
                break
            aim = _NEW if lacking else _SPARING if sparing else _CLOSEST
            cell = _best_cell(layout, taken, kinds, aim, least, state)
        if cell < 0:
            return cells[:n_taken], ends[:n_ended], -1
        ends[n_ended] = n_taken
        n_ended += 1
        _forget(layout, cells[begin:n_taken], state)
        seed = _farthest(layout, taken, kinds, state[2])
    return cells[:n_taken], ends[:n_ended], seed


@compiled
def extend_cluster(layout: Arrays, ruler: Arrays, taken: np.ndarray, members: np.ndarray, wanted: Number) -> np.ndarray:
    """Return the cells of up to ``wanted`` more records of a cluster, which has a record of each cell of ``members``.

    In each attribute a thing is represented by the share of all its records that the cluster has. The record is taken
    whose things are represented least in sum, and of several the one that costs the cluster least.
    """
    kinds = _kinds_left(layout, taken)
    state = _state_of(layout, ruler, members)
    cells, n = np.empty(wanted, np.int64), 0
    nothing = np.zeros(layout[4].shape[1], np.int64)
    while n < wanted:
        cell = _best_cell(layout, taken, kinds, _UNDERREPRESENTED, nothing, state)
        if cell < 0:
            break
        _join(layout, ruler, taken, kinds, cell, False, state)
        cells[n] = cell
        n += 1
    return cells[:n]


@compiled
def farthest_cell(layout: Arrays, ruler: Arrays, taken: np.ndarray, members: np.ndarray) -> int:
    """Return the cell of the record that would cost the cluster of ``members`` most; −1 where none is left."""
    return _farthest(layout, taken, _kinds_left(layout, taken), _state_of(layout, ruler, members)[2])


@compiled
def _kinds_left(layout: Arrays, taken: np.ndarray) -> Arrays:
    """Return the kinds of which records are left, ascending, how many kinds these are, and how many records of each."""
    _, cell_begins, _, record_begins, _, _ = layout
    n_kinds = len(cell_begins) - 1
    kinds, left, n_left = np.empty(n_kinds, np.int64), np.zeros(n_kinds, np.int64), np.zeros(1, np.int64)
    for kind in range(n_kinds):
        for cell in range(cell_begins[kind], cell_begins[kind + 1]):
            left[kind] += record_begins[cell + 1] - record_begins[cell] - taken[cell]
        if left[kind]:
            kinds[n_left[0]] = kind
            n_left[0] += 1
    return kinds, n_left, left


@compiled
def _state_of(layout: Arrays, ruler: Arrays, members: np.ndarray) -> Arrays:
    """Return the state of a cluster of a record of each cell of ``members``.

    It is the lowest and the highest value by attribute, what each record would cost with each value, how many records
    have each thing, and how many things there are by attribute.
    """
    values, cell_begins, _, _, things, totals = layout
    low, high = np.empty(len(ruler[2]), np.int64), np.empty(len(ruler[2]), np.int64)
    costs, own, has = np.empty(len(ruler[0])), np.zeros(len(totals), np.int64), np.zeros(things.shape[1], np.int64)
    state = low, high, costs, own, has
    for i in range(len(members)):
        _reach(values[_kind_of(cell_begins, members[i])], ruler, i == 0, state)
        _hold(things[members[i]], state)
    return state


@compiled
def _forget(layout: Arrays, members: np.ndarray, state: Arrays) -> None:
    """Empty a state of the things of its members, for the next cluster."""
    things, (_, _, _, own, has) = layout[4], state
    for i in range(len(members)):
        for s in range(things.shape[1]):
            own[things[members[i], s]] = 0
    has[:] = 0


@compiled
def _join(
    layout: Arrays, ruler: Arrays, taken: np.ndarray, kinds: Arrays, cell: Number, alone: Number, state: Arrays
) -> None:
    """Take the next record of a cell into a cluster; ``alone`` says whether the cluster begins with it."""
    numbers, n_left, left = kinds
    taken[cell] += 1
    kind = _kind_of(layout[1], cell)
    left[kind] -= 1
    if left[kind] == 0:
        n_left[0] -= 1
        for i in range(np.searchsorted(numbers[: n_left[0] + 1], kind), n_left[0]):
            numbers[i] = numbers[i + 1]
    _hold(layout[4][cell], state)
    _reach(layout[0][kind], ruler, alone, state)


@compiled
def _kind_of(cell_begins: np.ndarray, cell: Number) -> Number:
    return np.searchsorted(cell_begins, cell, side="right") - 1


@compiled
def _hold(things: np.ndarray, state: Arrays) -> None:
    """Count the things of one more record."""
    own, has = state[3], state[4]
    for s in range(len(things)):
        has[s] += own[things[s]] == 0
        own[things[s]] += 1


@compiled
def _reach(values: np.ndarray, ruler: Arrays, alone: Number, state: Arrays) -> None:
    """Let a cluster reach to these values, and write what each value of an attribute that changed would cost it."""
    low, high, costs, begins = state[0], state[1], state[2], ruler[4]
    for a in range(len(values)):
        if not alone and low[a] <= values[a] <= high[a]:
            continue
        low[a] = values[a] if alone else min(low[a], values[a])
        high[a] = values[a] if alone else max(high[a], values[a])
        for value in range(begins[a], begins[a + 1]):
            costs[value] = reach_cost(ruler, a, min(low[a], value), max(high[a], value))


@compiled
def _best_cell(layout: Arrays, taken: np.ndarray, kinds: Arrays, aim: Number, least: np.ndarray, state: Arrays) -> int:
    """Return the cell of the record to take next; −1 where none is left, or none has a thing that is lacking."""
    values, cell_begins, places, record_begins, things, totals = layout
    low, costs = state[0], state[2]
    lacking = -float((state[4] < least).sum()) if aim == _NEW else 0.0
    """The best that can be of what is looked at first."""
    nothing = _sum(costs, low)
    best, best_first, best_cost, best_place = -1, np.inf, np.inf, -1
    for i in range(kinds[1][0]):
        kind = kinds[0][i]
        cost = _sum(costs, values[kind])
        if cost >= best_cost and (aim == _CLOSEST or best_first == lacking):
            continue  # among equals the first kind has the lowest places
        for cell in range(cell_begins[kind], cell_begins[kind + 1]):
            here = record_begins[cell] + taken[cell]
            if here == record_begins[cell + 1]:
                continue
            first = 0.0 if aim == _CLOSEST else _looked_at_first(things[cell], totals, aim, least, state)
            if (first, cost, places[here]) < (best_first, best_cost, best_place) or best < 0:
                best, best_first, best_cost, best_place = cell, first, cost, places[here]
        if best_first == lacking and best_cost == nothing:
            break
    return -1 if aim == _NEW and best_first == 0.0 else best


@compiled
def _looked_at_first(things: np.ndarray, totals: np.ndarray, aim: Number, least: np.ndarray, state: Arrays) -> Number:
    """Return what is looked at first in a record with these things; the lower, the better."""
    own, has = state[3], state[4]
    first = 0.0
    for s in range(len(things)):
        held = own[things[s]]
        if aim == _UNDERREPRESENTED:
            first += held / totals[things[s]]
        elif held == 0 and aim == _SPARING:
            first += 1.0
        elif held == 0 and has[s] < least[s]:
            first -= 1.0
    return first


@compiled
def _sum(costs: np.ndarray, values: np.ndarray) -> Number:
    total = 0.0
    for a in range(len(values)):
        total += costs[values[a]]
    return total


@compiled
def _farthest(layout: Arrays, taken: np.ndarray, kinds: Arrays, costs: np.ndarray) -> int:
    """Return the cell of the record left with the highest cost; −1 where none is left."""
    values, cell_begins, places, record_begins, _, _ = layout
    farthest, highest = -1, -1.0
    for i in range(kinds[1][0]):
        cost = _sum(costs, values[kinds[0][i]])
        if cost > highest:
            farthest, highest = kinds[0][i], cost
    if farthest < 0:
        return -1
    best, best_place = -1, -1
    for cell in range(cell_begins[farthest], cell_begins[farthest + 1]):
        here = record_begins[cell] + taken[cell]
        if here < record_begins[cell + 1] and (best < 0 or places[here] < best_place):
            best, best_place = cell, places[here]
    return best
