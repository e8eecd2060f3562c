"""Which few records of parts could be lifted to those that were pushed back.

Records of one part with the same sensitive values are one cell. Cells are listed by group and part; a part may give as
many records as it can spare.
"""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["lift_candidates"]

_LINES = 3
_EXCHANGED = 16
"""Where more records are needed, the last of them is not exchanged for others: one of many decides little."""
_EACH = 64
"""Of at most this many cells each is tried; of more, two of a kind."""


@compiled
def lift_candidates(
    cells: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    spare: np.ndarray,
    needed: np.ndarray,
    back: np.ndarray,
    values: np.ndarray,
    worth: np.ndarray,
    n_kinds: int,
    further: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sets of cells to lift a record of, with repetition: the group of each set, where it begins, and the cells.

    ``cells`` are where each group begins and, for each cell, its part, its kind and how many records it has; ``back``
    has how often each value is among those pushed back, by group; ``values[cell]`` are the values of a cell, as columns
    of that, and ``worth`` has the weight of each and its share of all records. A group needs ``needed`` records at
    least.

    A set is what comes of taking records one by one: those with the rarest values first, with the values that weigh
    most, or with those of which there are fewer than among all records; from as many as are needed to ``further``
    more. And the first of these with its last record exchanged for one of each other cell or, where there are many, of
    each kind: from the part that has most of them and from the one that can spare most.
    """
    begins, parts, kinds, counts = cells
    rooms = _rooms(begins, needed, further)
    groups = np.empty(rooms[0], np.int64)
    set_begins = np.zeros(rooms[0] + 1, np.int64)
    chosen = np.empty(rooms[1], np.int64)
    best = np.full((2, n_kinds), -1, np.int64)
    found = 0
    for g in range(len(needed)):
        begin, end = begins[g], begins[g + 1]
        if begin == end:
            continue
        first = parts[begin]
        for line in range(_LINES):
            left, spared = counts[begin:end].copy(), spare[first : parts[end - 1] + 1].copy()
            taken = np.empty(needed[g] + further, np.int64)
            seen = back[g].copy()
            n_taken = 0
            while n_taken < len(taken):
                cell = _next(line, left, spared, parts[begin:end] - first, seen, values[begin:end], worth[:, begin:end])
                if cell < 0:
                    break
                _take(cell, left, spared, parts[begin:end] - first, values[begin + cell], seen)
                taken[n_taken] = begin + cell
                n_taken += 1
            for length in range(needed[g], n_taken + 1):
                groups[found] = g
                found = _write(taken[:length], -1, set_begins, chosen, found)
            if line == 0 and needed[g] - 1 <= n_taken and needed[g] <= _EXCHANGED:
                base = taken[: needed[g] - 1]
                left, spared = counts[begin:end].copy(), spare[first : parts[end - 1] + 1].copy()
                for cell in base:
                    left[cell - begin] -= 1
                    spared[parts[cell] - first] -= 1
                for last in _lasts(left, spared, parts[begin:end] - first, kinds[begin:end], best):
                    groups[found] = g
                    found = _write(base, begin + last, set_begins, chosen, found)
    return groups[:found].copy(), set_begins[: found + 1].copy(), chosen[: set_begins[found]].copy()


@compiled
def _rooms(begins: np.ndarray, needed: np.ndarray, further: int) -> tuple[int, int]:
    """Return how many sets, and cells in them, there are at most."""
    sets = 0
    cells = 0
    for g in range(len(needed)):
        lines = _LINES * (further + 1)
        exchanged = 2 * (begins[g + 1] - begins[g]) if needed[g] <= _EXCHANGED else 0
        sets += lines + exchanged
        cells += lines * (needed[g] + further) + exchanged * needed[g]
    return sets, cells


@compiled
def _next(
    line: int,
    left: np.ndarray,
    spared: np.ndarray,
    parts: np.ndarray,
    seen: np.ndarray,
    values: np.ndarray,
    worth: np.ndarray,
) -> int:
    """Return the cell to take the next record of; of equals that of which there is most; −1 if there is none."""
    found = -1
    least = np.inf
    total = max(seen.sum(), 1) / max(values.shape[1], 1)
    for cell in range(len(left)):
        if left[cell] <= 0 or spared[parts[cell]] <= 0:
            continue
        score = 0.0
        for i in range(values.shape[1]):
            number = seen[values[cell, i]]
            if line == 0:
                score += number - worth[0, cell, i] * 0.5
            elif line == 1:
                score += number / (total + 1) * 0.5 - worth[0, cell, i]
            else:
                score += number / total - worth[1, cell, i]
        if score < least or (score == least and left[cell] > left[found]):
            found, least = cell, score
    return found


@compiled
def _take(
    cell: int, left: np.ndarray, spared: np.ndarray, parts: np.ndarray, values: np.ndarray, seen: np.ndarray
) -> None:
    """Take a record of a cell."""
    left[cell] -= 1
    spared[parts[cell]] -= 1
    for value in values:
        seen[value] += 1


@compiled
def _lasts(left: np.ndarray, spared: np.ndarray, parts: np.ndarray, kinds: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Return the cells that can give one more: each or, of many, two of a kind; ``best`` is −1 before and after."""
    able = np.array([cell for cell in range(len(left)) if left[cell] > 0 and spared[parts[cell]] > 0], np.int64)
    if len(able) <= _EACH:
        return able
    for cell in able:
        kind = kinds[cell]
        if best[0, kind] < 0 or left[cell] > left[best[0, kind]]:
            best[0, kind] = cell
        if best[1, kind] < 0 or spared[parts[cell]] > spared[parts[best[1, kind]]]:
            best[1, kind] = cell
    chosen = [cell for cell in able if cell == best[0, kinds[cell]] or cell == best[1, kinds[cell]]]
    for cell in able:
        best[:, kinds[cell]] = -1
    return np.array(chosen, np.int64)


@compiled
def _write(cells: np.ndarray, last: int, begins: np.ndarray, chosen: np.ndarray, found: int) -> int:
    """Write a set of cells, and a last one unless it is −1; return how many sets there are now."""
    place = begins[found]
    for cell in cells:
        chosen[place] = cell
        place += 1
    if last >= 0:
        chosen[place] = last
        place += 1
    begins[found + 1] = place
    return found + 1
