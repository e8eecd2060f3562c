"""Number the distinct values of an array of keys."""

import numpy as np

from .compiled import compiled

__all__ = ["count_values", "distinct_keys", "first_seen", "look_up", "number_floats"]


_MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def number_floats(bits: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different values in the order of first sight and, for each value, its number there: uint16.

    Values are compared by their bits, as uint64. If there are more than ``most`` different ones, which is
    at most 65,536, nothing is numbered: returned are the first that are too many, and no numbers.
    """
    size = 16
    while size < 2 * most:
        size *= 2
    shift = np.uint64(64)
    while size >> (64 - shift) > 1:
        shift -= np.uint64(1)
    slots = np.full(size, -1, np.int32)
    found = np.empty(most + 1, np.uint64)
    numbers = np.empty(len(bits), np.uint16)
    seen = 0
    for i in range(len(bits)):
        slot = np.int64((bits[i] * _MIX) >> shift)
        while slots[slot] >= 0 and found[slots[slot]] != bits[i]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            found[seen] = bits[i]
            if seen == most:
                return found, numbers[:0]
            slots[slot] = seen
            seen += 1
        numbers[i] = slots[slot]
    return found[:seen], numbers


@compiled(plain_up_to=1 << 17)
def distinct_keys(keys: np.ndarray) -> tuple[np.ndarray, int]:
    """Return each int64 key the number of its value, counted in order of first occurrence, and how many there are.

    Open addressing on a table at most half full; keys themselves are compared, so a collision costs time only.
    """
    n = len(keys)
    size = 16
    while size < 2 * n:
        size *= 2
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int64)
    labels = np.empty(n, np.int64)
    firsts = np.empty(n, np.int64)
    found = 0
    for i in range(n):
        mixed = np.uint64(keys[i]) * np.uint64(0x9E3779B97F4A7C15)
        slot = (mixed ^ (mixed >> np.uint64(32))) & mask
        while table[slot] >= 0 and keys[firsts[table[slot]]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = found
            firsts[found] = i
            found += 1
        labels[i] = table[slot]
    return labels, found


@compiled
def count_values(values: np.ndarray, lowest: int, highest: int) -> np.ndarray:
    """Count how often each number from lowest to highest occurs; there are no others."""
    counts = np.zeros(highest - lowest + 1, np.int64)
    for i in range(len(values)):
        counts[np.int64(values[i]) - lowest] += 1
    return counts


@compiled
def look_up(values: np.ndarray, lowest: int, table: np.ndarray) -> np.ndarray:
    """Return what the table, which begins at lowest, says of each value."""
    out = np.empty(len(values), table.dtype)
    for i in range(len(values)):
        out[i] = table[np.int64(values[i]) - lowest]
    return out


@compiled
def first_seen(values, table, seen):
    """Return each value its number; table holds the number of each value met so far, −1 elsewhere.

    Values lie between 0 and the length of the table. New numbers go on from seen; how many there are then is returned
    back as well.
    """
    numbers = np.empty(len(values), np.int32)
    for i in range(len(values)):
        value = values[i]
        if table[value] < 0:
            table[value] = seen
            seen += 1
        numbers[i] = table[value]
    return numbers, seen
