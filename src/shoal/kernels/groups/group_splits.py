"""Changes of whole groups: one is dissolved among others, or two are cut anew.

Both write the rows that change their group, and the group each goes to, to arrays of their caller.
"""

import numpy as np

from shoal.kernels.compiled import compiled
from shoal.kernels.sorting import copy_into, stable_order

from .partition import Arrays, Number, list_members, lower_position, price_of, price_with, widen

__all__ = ["EXCHANGED", "LEAST_SAVING"]

LEAST_SAVING = 1e-9
"""What a change must save at least: sums of the same numbers in another order are the same."""

EXCHANGED = 40
"""Rows of larger groups are not exchanged, and larger groups are not dissolved."""


@compiled
def is_narrow(partition: Arrays, a: Number, own: Number, other: Number) -> Number:
    """Whether two groups have one and the same position in an attribute."""
    lows, highs = partition[5], partition[6]
    if lows[own, a] != highs[own, a]:
        return False
    return partition[4][other] == 0 or (lows[other, a] == lows[own, a] and highs[other, a] == lows[own, a])


@compiled
def dissolve(
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
    """Write where the rows of a group go if it is dissolved; return what that saves and how many they are."""
    sizes, lows, highs, prices = partition[4], partition[5], partition[6], partition[7]
    size, n_attributes = sizes[own], positions.shape[1]
    if size > min(2 * fewest, EXCHANGED) or size > len(rows):
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
                adds = (n + 1) * price_with(ruler, low[at], high[at], positions[row], np.inf) - n * price
            else:
                n, price = sizes[group], prices[group]
                adds = (n + 1) * price_with(ruler, lows[group], highs[group], positions[row], np.inf) - n * price
            if adds < best:
                best, goes, place = adds, group, at
        left -= best
        if left <= LEAST_SAVING:
            return 0.0, 0
        if goes < 0:
            spare -= 1
        else:
            if place == n_taken:
                taken[place], larger[place] = goes, sizes[goes]
                copy_into(low[place], lows[goes])
                copy_into(high[place], highs[goes])
                n_taken += 1
            for a in range(n_attributes):
                low[place, a] = lower_position(low[place, a], positions[row, a])
                high[place, a] = max(high[place, a], positions[row, a])
            larger[place] += 1
            dearer[place] = price_of(ruler, low[place], high[place])
        rows[done], groups[done] = row, goes
        done += 1
        row = partition[2][row]
    return left, done


@compiled
def cut_anew(
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
    """Write which rows of two groups change places if both are cut anew; return what that saves and how many they are.

    They are cut in the order of one attribute, where that saves most. One of them may be empty: the other is cut in two
    then. Nothing is written where it saves no more than said.
    """
    group_of, sizes, prices = partition[0], partition[4], partition[7]
    size = sizes[own] + sizes[other]
    if size < 2 * fewest:
        return 0.0, 0
    members = np.empty(size, np.int64)
    list_members(partition, own, members)
    list_members(partition, other, members[sizes[own] :])
    n_attributes = positions.shape[1]
    prefix = np.empty(size)
    low, high = np.empty(n_attributes, np.int32), np.empty(n_attributes, np.int32)
    now = sizes[own] * prices[own] + sizes[other] * prices[other]
    best, attribute, cut = least, -1, -1
    for a in range(n_attributes):
        if is_narrow(partition, a, own, other):
            continue
        by = members[stable_order(positions[:, a][members])]
        for i in range(size - fewest):
            widen(low, high, positions[by[i]], i == 0)
            prefix[i] = (i + 1) * price_of(ruler, low, high)
        for i in range(size - 1, fewest - 1, -1):
            widen(low, high, positions[by[i]], i == size - 1)
            if size - i >= fewest and now - prefix[i - 1] > best:
                gain = now - prefix[i - 1] - (size - i) * price_of(ruler, low, high)
                if gain > best:
                    best, attribute, cut = gain, a, i
    if attribute < 0:
        return 0.0, 0
    by = members[stable_order(positions[:, attribute][members])]
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
