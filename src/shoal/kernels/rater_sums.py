"""Add up the ratings of each item."""

import numpy as np

from .compiled import compiled, prange

__all__ = [
    "CELLS",
    "EXACT",
    "NO_RATER",
    "ONE_RATER",
    "add_up_raters",
    "item_sums",
    "raters_of_cells",
    "readings_of_cells",
]


CELLS, NO_RATER, ONE_RATER, EXACT = range(4)
"""The columns of what is counted of groups."""
_CHUNK = 64
"""Groups that share counters."""


@compiled(parallel=True)
def raters_of_cells(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
    seen_indptr: np.ndarray,
    seen_indices: np.ndarray,
    seen_codes: np.ndarray,
    shown: np.ndarray,
    parts: int,
    n_items: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Count the cells of each group by how many of its members rated the item.

    The members of group g are members[begins[g]:begins[g + 1]], and it is published as the seen row shown[g]. A true
    code is ``parts`` seen codes; a seen code is rounded to true ones, halves upwards. Returned are, for each
    group, its cells, those that no member rated, those that one did, and those of them that say what that one rated;
    and for each row how many of its ratings stand alone in a cell, and how many of them the cell says.
    """
    n_groups = len(begins) - 1
    counts = np.zeros((n_groups, 4), np.int64)
    alone = np.zeros((len(indptr) - 1, 2), np.int64)
    for chunk in prange((n_groups + _CHUNK - 1) // _CHUNK):
        raters = np.zeros(n_items, np.int64)
        rater, rating = np.zeros(n_items, np.int64), np.zeros(n_items, np.int64)
        for g in range(chunk * _CHUNK, min((chunk + 1) * _CHUNK, n_groups)):
            for row in members[begins[g] : begins[g + 1]]:
                for place in range(indptr[row], indptr[row + 1]):
                    item = indices[place]
                    raters[item] += 1
                    rater[item], rating[item] = row, codes[place]
            for place in range(seen_indptr[shown[g]], seen_indptr[shown[g] + 1]):
                item = seen_indices[place]
                counts[g, CELLS] += 1
                if raters[item] == 0:
                    counts[g, NO_RATER] += 1
                elif raters[item] == 1:
                    said = _rounded(seen_codes[place], parts) == rating[item]
                    counts[g, ONE_RATER] += 1
                    counts[g, EXACT] += said
                    alone[rater[item], 0] += 1
                    alone[rater[item], 1] += said
            for row in members[begins[g] : begins[g + 1]]:
                for place in range(indptr[row], indptr[row + 1]):
                    raters[indices[place]] = 0
    return counts, alone


@compiled(parallel=True)
def readings_of_cells(
    indptr: np.ndarray,
    indices: np.ndarray,
    codes: np.ndarray,
    rows: np.ndarray,
    seen_indptr: np.ndarray,
    seen_indices: np.ndarray,
    seen_codes: np.ndarray,
    read: np.ndarray,
    guesses: np.ndarray,
    parts: int,
) -> np.ndarray:
    """Compare the ratings of each of the rows with the seen row that is read for it.

    Returned are how many of the ratings have a cell there, in how many the rounded cell is the rating, how many have
    none and are guessed, how many guesses there are right, and how many ratings would be guessed right if all were.
    guesses are true codes, one an item, −1 where there is nothing to go by.
    """
    found = np.zeros((len(rows), 5), np.int64)
    for i in prange(len(rows)):
        at, end = seen_indptr[read[i]], seen_indptr[read[i] + 1]
        for place in range(indptr[rows[i]], indptr[rows[i] + 1]):
            item = indices[place]
            guessed = guesses[item] == codes[place]
            while at < end and seen_indices[at] < item:
                at += 1
            if at < end and seen_indices[at] == item:
                found[i, 0] += 1
                found[i, 1] += _rounded(seen_codes[at], parts) == codes[place]
            elif guesses[item] >= 0:
                found[i, 2] += 1
                found[i, 3] += guessed
            found[i, 4] += guessed
    return found


@compiled
def _rounded(code, parts):
    return (2 * np.int64(code) + parts) // (2 * parts)


@compiled(parallel=True)
def item_sums(
    indptr: np.ndarray, indices: np.ndarray, codes: np.ndarray, people: np.ndarray, n_items: int, n_parts: int
) -> np.ndarray:
    """Return for each item how many people rated it, the sum of their codes and the sum of their squares, as int64.

    A row counts once for each of the people it stands for. Rows are shared out to ``n_parts`` parts.
    """
    sums = np.zeros((n_parts, n_items, 3), np.int64)
    n = len(indptr) - 1
    for part in prange(n_parts):
        for row in range(part * n // n_parts, (part + 1) * n // n_parts):
            for place in range(indptr[row], indptr[row + 1]):
                code = np.int64(codes[place])
                item = indices[place]
                sums[part, item, 0] += people[row]
                sums[part, item, 1] += people[row] * code
                sums[part, item, 2] += people[row] * code * code
    for part in range(1, n_parts):
        for item in range(n_items):
            for power in range(3):
                sums[0, item, power] += sums[part, item, power]
    return sums[0]


@compiled(parallel=True)
def add_up_raters(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    users: np.ndarray,
    items: np.ndarray,
    members: np.ndarray,
    begins: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, groups × items, how many members have a value, the sum of their values, and that of their predictions.

    Group g is made of the rows members[begins[g]:begins[g + 1]]; the prediction of a row and an item is the product of
    their factors.
    """
    n_groups, n_items = len(begins) - 1, len(items)
    counts = np.zeros((n_groups, n_items), np.int32)
    sums = np.zeros((n_groups, n_items), np.float32)
    predictions = np.zeros((n_groups, n_items), np.float32)
    for g in prange(n_groups):
        for row in members[begins[g] : begins[g + 1]]:
            for place in range(indptr[row], indptr[row + 1]):
                item = indices[place]
                counts[g, item] += 1
                sums[g, item] += data[place]
                total = np.float32(0)
                for factor in range(users.shape[1]):
                    total += users[row, factor] * items[item, factor]
                predictions[g, item] += total
    return counts, sums, predictions
