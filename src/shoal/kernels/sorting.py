"""Sorting and selection inside kernels, in loops that take a tenth of what numpy's functions take to compile."""

import numpy as np

from .compiled import compiled

__all__ = ["copy_into", "nth_smallest", "stable_order"]

_RUN = 16


@compiled
def stable_order(values: np.ndarray) -> np.ndarray:
    """Return the places of the values in ascending order; equal values stay in the order in which they are."""
    n = len(values)
    order, held = np.empty(n, np.int64), np.empty(n, np.int64)
    for begin in range(0, n, _RUN):
        for i in range(begin, min(begin + _RUN, n)):
            place, value = i, values[i]
            while place > begin and value < values[order[place - 1]]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = i
    width = _RUN
    while width < n:
        for begin in range(0, n - width, 2 * width):
            for i in range(width):
                held[i] = order[begin + i]
            _merge(values, held[:width], order[begin + width : min(begin + 2 * width, n)], order[begin:])
        width *= 2
    return order


@compiled
def _merge(values, left, right, out):
    """Merge places whose values ascend, those on the left first where equal; out may end where the right does."""
    i, j = 0, 0
    while i < len(left) and j < len(right):
        if values[right[j]] < values[left[i]]:
            out[i + j] = right[j]
            j += 1
        else:
            out[i + j] = left[i]
            i += 1
    while i < len(left):
        out[i + j] = left[i]
        i += 1


@compiled
def nth_smallest(values, n):
    """Return the value that would be at place ``n`` if the values, which are not changed, were sorted."""
    left = np.empty(len(values), values.dtype)
    for i in range(len(values)):
        left[i] = values[i]
    begin, end = 0, len(left) - 1
    while begin < end:
        pivot = left[(begin + end) // 2]
        low, high = begin, end
        while low <= high:
            while left[low] < pivot:
                low += 1
            while pivot < left[high]:
                high -= 1
            if low <= high:
                left[low], left[high] = left[high], left[low]
                low += 1
                high -= 1
        if n <= high:
            end = high
        elif n >= low:
            begin = low
        else:
            break
    return left[n]


@compiled
def copy_into(target, source):
    """Write the source to the beginning of the target."""
    for i in range(len(source)):
        target[i] = source[i]
