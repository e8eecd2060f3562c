"""Changes of a partition by which its groups become narrower: moves, swaps, splits, and groups that are dissolved.

A *change* is some rows and the group each goes to. Those that are proposed together touch no group twice, so that each
can be judged, and taken or not, for itself. The
partition, and the ruler by which groups cost what they cost, are those of :mod:`.partition`.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import copy_into

from .group_splits import EXCHANGED, LEAST_SAVING, cut_anew, dissolve
from .partition import Arrays, Number, link, lower_position, measure, price_of, price_with, reach, stretch_cost, unlink

__all__ = ["apply_changes", "nearest_groups", "proposed_changes"]

_LARGE = 1000
"""Of groups larger than that it is not looked at whether they are narrower without one of their rows."""

_CUT_ANEW = 2000
"""Groups that are larger together than that are not cut anew."""


@compiled(parallel=True)
def nearest_groups(
    partition: Arrays, positions: np.ndarray, ruler: Arrays, rows: np.ndarray, width: int, near: np.ndarray
) -> None:
    """Write for each of the rows the groups to which it would add least, among ``width`` groups about its own."""
    group_of, sizes, lows, highs, prices = partition[0], partition[4], partition[5], partition[6], partition[7]
    table, begins, widths = ruler[4], ruler[5], ruler[6]
    n_groups, n_near, n_attributes = len(sizes), near.shape[1], positions.shape[1]
    for i in prange(len(rows)):
        row = rows[i]
        own = group_of[row]
        near[row] = -1
        # to add more than its whole group costs now can never be worth it
        added = np.full(n_near, sizes[own] * prices[own])
        first = min(max(own - width // 2, 0), max(n_groups - width, 0))
        for group in range(first, min(first + width, n_groups)):
            size = sizes[group]
            if group == own or size == 0:
                continue
            before = size * prices[group]
            most = (added[n_near - 1] + before) / (size + 1)
            price = 0.0
            for a in range(n_attributes):  # the costs of price_with, written out: this is nearly all of the work
                position = positions[row, a]
                low, high = lower_position(lows[group, a], position), max(highs[group, a], position)
                if low < 0:
                    continue
                if widths[a]:
                    price += table[begins[a] + low * widths[a] + high]
                else:
                    price += stretch_cost(ruler, a, low, high)
                if price > most:
                    break
            adds = (size + 1) * price - before
            if adds >= added[n_near - 1]:
                continue
            place = n_near - 1
            while place > 0 and added[place - 1] > adds:
                added[place], near[row, place] = added[place - 1], near[row, place - 1]
                place -= 1
            added[place], near[row, place] = adds, group


@compiled
def proposed_changes(
    partition: Arrays,
    positions: np.ndarray,
    ruler: Arrays,
    order: np.ndarray,
    near: np.ndarray,
    fewest: int,
    spare: int,
    news: tuple[np.ndarray, np.ndarray, int],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return changes that save something: rows, the group each goes to, and where each change begins among them.

    Rows are looked at in this ``order``, each with its ``near`` groups. No group is left with fewer than ``fewest``
    rows, unless with none. At most ``spare`` rows may be left out: they go to −1. The ``news`` are when each row was
    looked at, when each group changed, and now, in rounds: a row is not looked at again before one of its groups has
    changed.
    """
    group_of, sizes, prices = partition[0], partition[4], partition[7]
    looked, changed, now = news
    touched = np.zeros(len(sizes), np.bool_)
    empty = np.flatnonzero(sizes == 0)
    n_empty = len(empty)
    made_rows, made_groups = np.empty(len(order) + 1, np.int64), np.empty(len(order) + 1, np.int64)
    begins = np.zeros(len(order) + 1, np.int64)
    room = np.empty((4, positions.shape[1]), np.int32)
    count = 0
    for row in order:
        own = group_of[row]
        if own < 0 or touched[own] or prices[own] <= 0 or not _has_news(row, own, near, looked, changed):
            continue
        looked[row] = now
        end = begins[count]
        kind, best, target, other = _best_of_row(partition, positions, ruler, row, near, fewest, spare, touched, room)
        filled = 0
        if partition[1][own] == row:  # once a group
            gain, given = dissolve(
                partition, positions, ruler, own, near, fewest, spare, touched, made_rows[end:], made_groups[end:]
            )
            if given and gain > best:
                best, kind, filled = gain, 0, given
            for i in range(near.shape[1] + 1):
                group = near[row, i] if i < near.shape[1] else empty[n_empty - 1] if n_empty else -1
                if group < 0 or group == own or touched[group] or sizes[own] + sizes[group] > _CUT_ANEW:
                    continue
                gain, parted = cut_anew(
                    partition, positions, ruler, own, group, fewest, best, made_rows[end:], made_groups[end:]
                )
                if parted:
                    best, kind, filled = gain, 0, parted
            if not kind and filled and sizes[made_groups[end]] == 0:
                n_empty -= 1
        if best <= LEAST_SAVING:
            continue
        if kind:
            made_rows[end], made_groups[end] = row, target
            filled = 1
            if other >= 0:
                made_rows[end + 1], made_groups[end + 1] = other, own
                filled = 2
        for i in range(end, end + filled):
            touched[group_of[made_rows[i]]] = True
            if made_groups[i] >= 0:
                touched[made_groups[i]] = True
            else:
                spare -= 1
        count += 1
        begins[count] = end + filled
    return made_rows[: begins[count]], made_groups[: begins[count]], begins[: count + 1]


@compiled
def _has_news(row: Number, own: Number, near: np.ndarray, looked: np.ndarray, changed: np.ndarray) -> Number:
    """Whether a group of a row has changed since it was looked at."""
    if changed[own] > looked[row]:
        return True
    for group in near[row]:
        if group >= 0 and changed[group] > looked[row]:
            return True
    return False


@compiled
def _best_of_row(
    partition: Arrays,
    positions: np.ndarray,
    ruler: Arrays,
    row: Number,
    near: np.ndarray,
    fewest: int,
    spare: int,
    touched: np.ndarray,
    room: np.ndarray,
) -> tuple[int, float, Number, Number]:
    """Return the kind of what saves most (0: nothing), what it saves, where the row goes, and who comes for it."""
    group_of, sizes, lows, highs, prices = partition[0], partition[4], partition[5], partition[6], partition[7]
    own = group_of[row]
    size, price = sizes[own], prices[own]
    low, high = room[0], room[1]
    copy_into(low, lows[own])
    copy_into(high, highs[own])
    if size <= _LARGE:
        reach(partition, positions, own, row, low, high)
    without = price_of(ruler, low, high)
    saving = size * price - (size - 1) * without
    kind, best, target, other = 0, LEAST_SAVING, -1, -1
    cheapest, away = np.inf, -1
    if spare > 0:
        cheapest = ruler[7][0]
    for group in near[row]:
        if group < 0 or group == own or touched[group] or sizes[group] == 0:
            continue
        there = sizes[group]
        most = (cheapest + there * prices[group]) / (there + 1)
        adds = (there + 1) * price_with(ruler, lows[group], highs[group], positions[row], most) - there * prices[group]
        if adds < cheapest:
            cheapest, away = adds, group
        if size > EXCHANGED or there > EXCHANGED:
            continue
        now = size * price + there * prices[group]
        comes = partition[1][group]
        while comes >= 0:
            after = size * price_with(ruler, low, high, positions[comes], (now - best) / size)
            if now - after > best:
                reach(partition, positions, group, comes, room[2], room[3])
                if there == 1:
                    copy_into(room[2], positions[row])
                    copy_into(room[3], positions[row])
                after += there * price_with(ruler, room[2], room[3], positions[row], (now - best - after) / there)
                if now - after > best:
                    kind, best, target, other = 1, now - after, group, comes
            comes = partition[2][comes]
    if size > fewest:
        if saving - cheapest > best:
            kind, best, target, other = 1, saving - cheapest, away, -1
    elif size > 1 and size <= EXCHANGED and cheapest < size * price:
        gain, comes = _replaced(
            partition, positions, ruler, row, near, fewest, touched, room, size * price - cheapest, away
        )
        if gain > best:
            kind, best, target, other = 1, gain, away, comes
    return kind, best, target, other


@compiled
def _replaced(
    partition: Arrays,
    positions: np.ndarray,
    ruler: Arrays,
    row: Number,
    near: np.ndarray,
    fewest: int,
    touched: np.ndarray,
    room: np.ndarray,
    saved: Number,
    away: Number,
) -> tuple[Number, Number]:
    """Return what is saved if a row goes away and one of a third group that can spare it comes, and which.

    ``room`` holds how far the group reaches without the row, and ``saved`` is what it costs now, less what the row
    costs where it goes.
    """
    group_of, heads, nexts, sizes, prices = partition[0], partition[1], partition[2], partition[4], partition[7]
    own = group_of[row]
    beside = heads[own] if heads[own] != row else nexts[row]
    best, found = LEAST_SAVING, -1
    for group in near[beside]:
        if group < 0 or group in (own, away) or touched[group]:
            continue
        there = sizes[group]
        if there <= fewest or there > EXCHANGED:
            continue
        now = saved + there * prices[group]
        comes = heads[group]
        while comes >= 0:
            after = sizes[own] * price_with(ruler, room[0], room[1], positions[comes], (now - best) / sizes[own])
            if now - after > best:
                reach(partition, positions, group, comes, room[2], room[3])
                after += (there - 1) * price_of(ruler, room[2], room[3])
                if now - after > best:
                    best, found = now - after, comes
            comes = nexts[comes]
    return best, found


@compiled
def apply_changes(
    partition: Arrays, positions: np.ndarray, ruler: Arrays, rows: np.ndarray, groups: np.ndarray, changed: np.ndarray
) -> None:
    """Let rows go to groups; ``changed`` is a mask of groups, to which those are added that they leave or come to."""
    for i in range(len(rows)):
        changed[partition[0][rows[i]]] = True
        unlink(partition, rows[i])
        if groups[i] >= 0:
            link(partition, rows[i], groups[i])
            changed[groups[i]] = True
    for group in np.flatnonzero(changed):
        measure(partition, positions, ruler, group)
