"""Number keys of which there are few different ones: their table is small, and stays in the cache."""

import numpy as np

from .compiled import compiled

__all__ = ["key_slots", "look_up_keys", "number_few"]

_MIXER = np.uint64(0x9E3779B97F4A7C15)


@compiled
def number_few(keys: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where each different uint64 key is first seen and, for each key, its number in that order: uint16.

    If there are more than ``most`` different ones, which is at most 65,536, both are empty.
    """
    size, shift = _size_for(most)
    mask = np.uint64(size - 1)
    slots = np.full(size, -1, np.int32)
    first, numbers = np.empty(most, np.int64), np.empty(len(keys), np.uint16)
    found = 0
    for i in range(len(keys)):
        slot = (keys[i] * _MIXER) >> shift
        while slots[slot] >= 0 and keys[first[slots[slot]]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            if found == most:
                return first[:0].copy(), numbers[:0].copy()
            first[found] = i
            slots[slot] = found
            found += 1
        numbers[i] = slots[slot]
    return first[:found].copy(), numbers


@compiled
def key_slots(known: np.ndarray) -> np.ndarray:
    """Return a table in which look_up_keys finds the place of each of some uint64 keys, all of which differ: int32."""
    size, shift = _size_for(len(known))
    mask = np.uint64(size - 1)
    slots = np.full(size, -1, np.int32)
    for place in range(len(known)):
        slot = (known[place] * _MIXER) >> shift
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = place
    return slots


@compiled
def look_up_keys(keys: np.ndarray, known: np.ndarray, slots: np.ndarray, codes: np.ndarray, out: np.ndarray) -> int:
    """Write for each key the code of the known key that equals it; return how many equal none, and get no code."""
    size, shift = _size_for(len(known))
    mask = np.uint64(size - 1)
    missing = 0
    for i in range(len(keys)):
        slot = (keys[i] * _MIXER) >> shift
        while slots[slot] >= 0 and known[slots[slot]] != keys[i]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            missing += 1
        else:
            out[i] = codes[slots[slot]]
    return missing


@compiled
def _size_for(n_keys: int) -> tuple[int, np.uint64]:
    """Return the size of a table that is at most half full, and by how much a product is shifted to a place in it."""
    size, shift = 16, np.uint64(60)
    while size < 2 * n_keys:
        size *= 2
        shift -= np.uint64(1)
    return size, shift
