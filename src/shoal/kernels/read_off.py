"""What is said of people's ratings by a record that is taken for theirs, and by what everybody says of the items."""

import numpy as np
from numba import njit, prange

__all__ = ["errors_of_reading", "usual_codes"]


@njit(cache=True, nogil=True, parallel=True)
def usual_codes(
    raters_begin: np.ndarray, raters: np.ndarray, codes: np.ndarray, people: np.ndarray, rounded: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give for each item how many people hold it, the sum of their codes, and the rounded code that most of them have.

    Raters are the records of each item with their codes, and each stands for people; rounded says what to count a code
    as. Of several codes that are as frequent the lowest is given, and −1 for an item that nobody holds.
    """
    n_items = len(raters_begin) - 1
    support, sums = np.zeros(n_items, np.int64), np.zeros(n_items, np.int64)
    modes = np.full(n_items, -1, np.int64)
    for item in prange(n_items):  # pyright: ignore[reportGeneralTypeIssues]
        times = np.zeros(rounded.max() + 1, np.int64)
        for i in range(raters_begin[item], raters_begin[item + 1]):
            each = people[raters[i]]
            support[item] += each
            sums[item] += each * np.int64(codes[i])
            times[rounded[codes[i]]] += each
        if support[item]:
            modes[item] = np.argmax(times)
    return support, sums, modes


@njit(cache=True, nogil=True, parallel=True)
def errors_of_reading(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    targets: np.ndarray,
    known: np.ndarray,
    seen_indptr: np.ndarray,
    seen_indices: np.ndarray,
    seen_codes: np.ndarray,
    read: np.ndarray,
    means: np.ndarray,
    modes: np.ndarray,
    rounded: np.ndarray,
    parts: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare the true ratings of targets, without the known ones, with those of the seen record that is read for each.

    Given are how many ratings each target has beside the known ones; the sums of squared differences, in seen codes, of
    the record and of the means of the items; and how often the record, rounded, and the modes of the items are right.
    Where the record has nothing the mean stands in for it, or the mode. A true code is as many seen codes as parts
    say; known are places in the true ratings, in order.
    """
    counts = np.zeros(len(targets), np.int64)
    squares, right = np.zeros((len(targets), 2)), np.zeros((len(targets), 2), np.int64)
    for t in prange(len(targets)):  # pyright: ignore[reportGeneralTypeIssues]
        at, end = seen_indptr[read[t]], seen_indptr[read[t] + 1]
        next_known = 0
        for i in range(indptr[targets[t]], indptr[targets[t] + 1]):
            if next_known < known.shape[1] and known[t, next_known] == i:
                next_known += 1
                continue
            item, true = indices[i], np.int64(codes[i])
            while at < end and seen_indices[at] < item:
                at += 1
            value, guess = means[item], modes[item]
            if at < end and seen_indices[at] == item:
                value, guess = np.float64(seen_codes[at]), rounded[seen_codes[at]]
            counts[t] += 1
            squares[t, 0] += (value - true * parts) ** 2
            squares[t, 1] += (means[item] - true * parts) ** 2
            right[t, 0] += guess == true
            right[t, 1] += modes[item] == true
    return counts, squares, right
