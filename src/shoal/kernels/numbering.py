"""Number the distinct values of an array of keys."""

import numpy as np

from .compiled import compiled

__all__ = [
    "count_values",
    "distinct_keys",
    "distinct_pairs_of_codes",
    "first_seen",
    "key_counts",
    "look_up",
    "number_floats",
    "run_starts",
]


@compiled
def number_floats(bits: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the different values in the order of first sight and, for each value, its number there: uint16.

    Values are compared by their bits, as uint64. If there are more than ``most`` different ones, which is
    at most 65,536, nothing is numbered: returned are the first that are too many, and no numbers.
    """
    numbers = np.empty(len(bits), np.uint16)
    found = _number_keys(bits, most, numbers)
    return found, numbers if len(found) <= most else numbers[:0]


@compiled(plain_up_to=1 << 17)
def distinct_keys(keys: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the number of each int64 key, counted in order of first occurrence, and how many keys are distinct."""
    labels = np.empty(len(keys), np.int64)
    return labels, len(_number_keys(keys, len(keys), labels))


@compiled
def _number_keys(keys: np.ndarray, most: int, labels: np.ndarray) -> np.ndarray:
    """Write the number of each key into ``labels``, and return the distinct keys in the order of first sight.

    It stops at the first key that is one too many, which is then the last of those returned. Open addressing on a table
    at most half full; keys themselves are compared, so a collision costs time only.
    """
    size, shift = 16, np.uint64(60)
    while size < 2 * min(len(keys), most):
        size *= 2
        shift -= np.uint64(1)
    mask = np.uint64(size - 1)
    table = np.full(size, -1, np.int32)  # narrow, so that more of it is in the cache
    distinct = np.empty(min(len(keys), most) + 1, keys.dtype)
    found = 0
    for i in range(len(keys)):
        # the highest bits of the product depend on all bits of the key; those of floats often end in zeros
        slot = (np.uint64(keys[i]) * np.uint64(0x9E3779B97F4A7C15)) >> shift
        while table[slot] >= 0 and distinct[table[slot]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            distinct[found] = keys[i]
            found += 1
            if found > most:
                break
            table[slot] = found - 1
        labels[i] = table[slot]
    return distinct[:found]


def key_counts(keys: np.ndarray) -> np.ndarray:
    """Return how often each different int64 key occurs, in no particular order."""
    if len(keys) < _MANY:
        return np.unique(keys, return_counts=True)[1]
    return _counts_by_parts(keys)


_MANY = 1 << 17
_PARTS = 256


@compiled
def _counts_by_parts(keys: np.ndarray) -> np.ndarray:
    """Count keys by parts that differ in the highest bits of their hash: the table of a part stays in the cache."""
    multiplier = np.uint64(0x9E3779B97F4A7C15)
    ends = np.zeros(_PARTS + 1, np.int64)
    for i in range(len(keys)):
        ends[np.int64((np.uint64(keys[i]) * multiplier) >> np.uint64(56)) + 1] += 1
    largest = 0
    for part in range(_PARTS):
        largest = max(largest, ends[part + 1])
        ends[part + 1] += ends[part]
    places, parted = ends[:_PARTS].copy(), np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        part = np.int64((np.uint64(keys[i]) * multiplier) >> np.uint64(56))
        parted[places[part]] = keys[i]
        places[part] += 1
    table = np.empty(4 * largest + 16, np.int64)
    counts = np.empty(len(keys), np.int64)
    found = 0
    for part in range(_PARTS):
        found = _count_part(parted[ends[part] : ends[part + 1]], table, counts, found)
    return counts[:found].copy()


@compiled
def _count_part(keys: np.ndarray, table: np.ndarray, counts: np.ndarray, found: int) -> int:
    """Append the counts of these keys; a place of the table holds the number of a key, which is compared itself."""
    size, shift = 16, np.uint64(52)
    while size < 2 * len(keys):
        size *= 2
        shift -= np.uint64(1)
    mask = np.uint64(size - 1)
    table[:size] = -1
    distinct, first = np.empty(len(keys), np.int64), found
    for i in range(len(keys)):
        # the eight highest bits are alike within a part
        slot = ((np.uint64(keys[i]) * np.uint64(0x9E3779B97F4A7C15)) >> shift) & mask
        while table[slot] >= 0 and distinct[table[slot]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] < 0:
            table[slot] = found - first
            distinct[found - first] = keys[i]
            counts[found] = 0
            found += 1
        counts[first + table[slot]] += 1
    return found


def distinct_pairs_of_codes(first: np.ndarray, second: np.ndarray, width: int) -> np.ndarray:
    """Return the different pairs of codes of two arrays of equal length, each as first · width + second, ascending.

    Codes of the second are below ``width``.
    """
    pairs = first.astype(np.int64) * width + second
    span = int(pairs.max(initial=-1)) + 1
    if span > _PLACES_A_PAIR * len(pairs):
        return np.unique(pairs)
    seen = np.zeros(span, np.bool_)
    seen[pairs] = True
    return np.flatnonzero(seen)


_PLACES_A_PAIR = 8
"""Up to this many places for each pair, pairs are marked in an array; beyond, they are sorted."""


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
def run_starts(values: np.ndarray, most: int) -> np.ndarray:
    """Return where a value differs from the one before, the first place too; nothing if that is more than ``most``."""
    starts = np.empty(min(most, len(values)), np.int64)
    found = 0
    for i in range(len(values)):
        if i == 0 or values[i] != values[i - 1]:
            if found == most:
                return starts[:0]
            starts[found] = i
            found += 1
    return starts[:found].copy()


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
