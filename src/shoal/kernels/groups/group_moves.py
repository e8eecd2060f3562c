"""Changes of a partition by which its groups become narrower: moves, swaps, splits, and groups that are given up.

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

A *change* is some rows and the group each goes to. Those that are proposed together touch no group twice, so that each
can be judged, and taken or not, for itself.
"""

from typing import Any

import numpy as np

from shoal.kernels.compiled import compiled, prange

__all__ = ["apply_changes", "nearest_groups", "partition_of", "proposed_changes", "stretch_cost", "stretch_table"]

Arrays = tuple[np.ndarray, ...]
"""A ruler or a partition."""
Number = Any
"""A number as it comes out of an array."""

_LEAST = 1e-9
"""What a change must save at least: sums of the same numbers in another order are the same."""

_LARGE = 1000
"""Of groups larger than that it is not looked at whether they are narrower without one of their rows."""

_EXCHANGED = 40
"""Rows of groups larger than that are not exchanged, and such groups are not given up."""

_CUT_ANEW = 2000
"""Groups that are larger together than that are not cut anew."""


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
def _lower(one: Number, other: Number) -> Number:
    """Return the lower of two positions, of which either may be none."""
    if one < 0:
        return other
    return one if other < 0 else min(one, other)


@compiled
def _price(ruler: Arrays, low: np.ndarray, high: np.ndarray) -> Number:
    """What a group that reaches so far costs each of its rows."""
    total = 0.0
    for a in range(len(low)):
        total += stretch_cost(ruler, a, low[a], high[a])
    return total


@compiled
def _price_with(ruler: Arrays, low: np.ndarray, high: np.ndarray, row: np.ndarray, most: Number) -> Number:
    """What a group costs each of its rows with one more; anything above ``most`` where it is more than that."""
    total = 0.0
    for a in range(len(low)):
        total += stretch_cost(ruler, a, _lower(low[a], row[a]), max(high[a], row[a]))
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
            _link(partition, row, group_of[row])
    for group in range(n_groups):
        _measure(partition, positions, ruler, group)
    return partition


@compiled
def _link(partition: Arrays, row: Number, group: Number) -> None:
    """Put a row that is in no group into one."""
    group_of, heads, nexts, lasts, sizes = partition[:5]
    head = heads[group]
    group_of[row], nexts[row], lasts[row], heads[group] = group, head, -1, row
    if head >= 0:
        lasts[head] = row
    sizes[group] += 1


@compiled
def _unlink(partition: Arrays, row: Number) -> None:
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
def _measure(partition: Arrays, positions: np.ndarray, ruler: Arrays, group: Number) -> None:
    """Write from where to where a group reaches, and what it costs."""
    low, high = partition[5][group], partition[6][group]
    low[:], high[:] = 0, 0
    if partition[4][group]:
        _reach(partition, positions, group, -1, low, high)
    partition[7][group] = _price(ruler, low, high)


@compiled
def _reach(
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
                low[a] = position if first else _lower(low[a], position)
                if first or position > high[a]:
                    high[a] = position
            first = False
        row = nexts[row]


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
            for a in range(n_attributes):  # the costs of _price_with, written out: this is nearly all of the work
                position = positions[row, a]
                low, high = _lower(lows[group, a], position), max(highs[group, a], position)
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

    Rows are looked at in this order, each with its ``near`` groups. No group is left with fewer than so many rows, but
    for none. So many rows as there are to ``spare`` may be left out: they go to −1. The ``news`` are when each row was
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
            gain, given = _given_up(
                partition, positions, ruler, own, near, fewest, spare, touched, made_rows[end:], made_groups[end:]
            )
            if given and gain > best:
                best, kind, filled = gain, 0, given
            for i in range(near.shape[1] + 1):
                group = near[row, i] if i < near.shape[1] else empty[n_empty - 1] if n_empty else -1
                if group < 0 or group == own or touched[group] or sizes[own] + sizes[group] > _CUT_ANEW:
                    continue
                gain, parted = _parted_anew(
                    partition, positions, ruler, own, group, fewest, best, made_rows[end:], made_groups[end:]
                )
                if parted:
                    best, kind, filled = gain, 0, parted
            if not kind and filled and sizes[made_groups[end]] == 0:
                n_empty -= 1
        if best <= _LEAST:
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
    low[:], high[:] = lows[own], highs[own]
    if size <= _LARGE:
        _reach(partition, positions, own, row, low, high)
    without = _price(ruler, low, high)
    saving = size * price - (size - 1) * without
    kind, best, target, other = 0, _LEAST, -1, -1
    cheapest, away = np.inf, -1
    if spare > 0:
        cheapest = ruler[7][0]
    for group in near[row]:
        if group < 0 or group == own or touched[group] or sizes[group] == 0:
            continue
        there = sizes[group]
        most = (cheapest + there * prices[group]) / (there + 1)
        adds = (there + 1) * _price_with(ruler, lows[group], highs[group], positions[row], most) - there * prices[group]
        if adds < cheapest:
            cheapest, away = adds, group
        if size > _EXCHANGED or there > _EXCHANGED:
            continue
        now = size * price + there * prices[group]
        comes = partition[1][group]
        while comes >= 0:
            after = size * _price_with(ruler, low, high, positions[comes], (now - best) / size)
            if now - after > best:
                _reach(partition, positions, group, comes, room[2], room[3])
                if there == 1:
                    room[2][:], room[3][:] = positions[row], positions[row]
                after += there * _price_with(ruler, room[2], room[3], positions[row], (now - best - after) / there)
                if now - after > best:
                    kind, best, target, other = 1, now - after, group, comes
            comes = partition[2][comes]
    if size > fewest:
        if saving - cheapest > best:
            kind, best, target, other = 1, saving - cheapest, away, -1
    elif size > 1 and size <= _EXCHANGED and cheapest < size * price:
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
    best, found = _LEAST, -1
    for group in near[beside]:
        if group < 0 or group in (own, away) or touched[group]:
            continue
        there = sizes[group]
        if there <= fewest or there > _EXCHANGED:
            continue
        now = saved + there * prices[group]
        comes = heads[group]
        while comes >= 0:
            after = sizes[own] * _price_with(ruler, room[0], room[1], positions[comes], (now - best) / sizes[own])
            if now - after > best:
                _reach(partition, positions, group, comes, room[2], room[3])
                after += (there - 1) * _price(ruler, room[2], room[3])
                if now - after > best:
                    best, found = now - after, comes
            comes = nexts[comes]
    return best, found


@compiled
def _given_up(
    partition: Arrays,
    positions: np.ndarray,
    ruler: Arrays,
    own: Number,
    near: np.ndarray,
    fewest: int,
    spare: int,
    touched: np.ndarray,
    rows: np.ndarray,
    groups: np.ndarray,
) -> tuple[Number, Number]:
    """Write where the rows of a group go if it is given up; give what that saves and how many they are."""
    sizes, lows, highs, prices = partition[4], partition[5], partition[6], partition[7]
    size, n_attributes = sizes[own], positions.shape[1]
    if size > min(2 * fewest, _EXCHANGED) or size > len(rows):
        return 0.0, 0
    # the groups that rows went to already, as they are then
    taken = np.empty(size, np.int64)
    low, high = np.empty((size, n_attributes), np.int32), np.empty((size, n_attributes), np.int32)
    larger, dearer = np.empty(size, np.int64), np.empty(size)
    n_taken, done = 0, 0
    left = size * prices[own]
    row = partition[1][own]
    while row >= 0:
        best, goes, place = np.inf, -1, -1
        if spare > 0:
            best = ruler[7][0]
        for group in near[row]:
            if group < 0 or group == own or touched[group] or sizes[group] == 0:
                continue
            at = 0
            while at < n_taken and taken[at] != group:
                at += 1
            if at < n_taken:
                n, price = larger[at], dearer[at]
                adds = (n + 1) * _price_with(ruler, low[at], high[at], positions[row], np.inf) - n * price
            else:
                n, price = sizes[group], prices[group]
                adds = (n + 1) * _price_with(ruler, lows[group], highs[group], positions[row], np.inf) - n * price
            if adds < best:
                best, goes, place = adds, group, at
        left -= best
        if left <= _LEAST:
            return 0.0, 0
        if goes < 0:
            spare -= 1
        else:
            if place == n_taken:
                taken[place], low[place], high[place], larger[place] = goes, lows[goes], highs[goes], sizes[goes]
                n_taken += 1
            for a in range(n_attributes):
                low[place, a] = _lower(low[place, a], positions[row, a])
                high[place, a] = max(high[place, a], positions[row, a])
            larger[place] += 1
            dearer[place] = _price(ruler, low[place], high[place])
        rows[done], groups[done] = row, goes
        done += 1
        row = partition[2][row]
    return left, done


@compiled
def _parted_anew(
    partition: Arrays,
    positions: np.ndarray,
    ruler: Arrays,
    own: Number,
    other: Number,
    fewest: int,
    least: Number,
    rows: np.ndarray,
    groups: np.ndarray,
) -> tuple[Number, Number]:
    """Write which rows of two groups change places if both are cut anew; give what that saves and how many they are.

    They are cut in the order of one attribute, where that saves most. One of them may be empty: the other is cut in two
    then. Nothing is written where it saves no more than said.
    """
    group_of, sizes, prices = partition[0], partition[4], partition[7]
    size = sizes[own] + sizes[other]
    if size < 2 * fewest:
        return 0.0, 0
    members = np.empty(size, np.int64)
    _list_members(partition, own, members)
    _list_members(partition, other, members[sizes[own] :])
    n_attributes = positions.shape[1]
    prefix = np.empty(size)
    low, high = np.empty(n_attributes, np.int32), np.empty(n_attributes, np.int32)
    now = sizes[own] * prices[own] + sizes[other] * prices[other]
    best, attribute, cut = least, -1, -1
    for a in range(n_attributes):
        if _is_narrow(partition, a, own, other):
            continue
        by = members[np.argsort(positions[members, a], kind="mergesort")]
        for i in range(size - fewest):
            _widen(low, high, positions[by[i]], i == 0)
            prefix[i] = (i + 1) * _price(ruler, low, high)
        for i in range(size - 1, fewest - 1, -1):
            _widen(low, high, positions[by[i]], i == size - 1)
            if size - i >= fewest and now - prefix[i - 1] > best:
                gain = now - prefix[i - 1] - (size - i) * _price(ruler, low, high)
                if gain > best:
                    best, attribute, cut = gain, a, i
    if attribute < 0:
        return 0.0, 0
    by = members[np.argsort(positions[members, attribute], kind="mergesort")]
    n_of_own = 0
    for i in range(cut):
        n_of_own += group_of[by[i]] == own
    # as few rows as possible change places
    first, second = (own, other) if 2 * n_of_own >= cut else (other, own)
    done = 0
    for i in range(size):
        goes = first if i < cut else second
        if group_of[by[i]] != goes:
            rows[done], groups[done] = by[i], goes
            done += 1
    return best, done


@compiled
def _list_members(partition: Arrays, group: Number, members: np.ndarray) -> None:
    row = partition[1][group]
    i = 0
    while row >= 0:
        members[i] = row
        row = partition[2][row]
        i += 1


@compiled
def _is_narrow(partition: Arrays, a: Number, own: Number, other: Number) -> Number:
    """Whether two groups have one and the same position in an attribute."""
    lows, highs = partition[5], partition[6]
    if lows[own, a] != highs[own, a]:
        return False
    return partition[4][other] == 0 or (lows[other, a] == lows[own, a] and highs[other, a] == lows[own, a])


@compiled
def _widen(low: np.ndarray, high: np.ndarray, position: np.ndarray, anew: bool) -> None:
    """Let a stretch reach to a position as well, or begin with it."""
    for a in range(len(low)):
        low[a] = position[a] if anew else _lower(low[a], position[a])
        high[a] = position[a] if anew else max(high[a], position[a])


@compiled
def apply_changes(
    partition: Arrays, positions: np.ndarray, ruler: Arrays, rows: np.ndarray, groups: np.ndarray, changed: np.ndarray
) -> None:
    """Let rows go to groups; ``changed`` is a mask of groups, to which those are added that they leave or come to."""
    for i in range(len(rows)):
        changed[partition[0][rows[i]]] = True
        _unlink(partition, rows[i])
        if groups[i] >= 0:
            _link(partition, rows[i], groups[i])
            changed[groups[i]] = True
    for group in np.flatnonzero(changed):
        _measure(partition, positions, ruler, group)
