"""Segments of an ordering of rows: their extents, and ways to cut each of them in parts.

``order`` holds row numbers; segment s is ``order[begins[s]:begins[s + 1]]``. Every function looks only at the
segments listed in ``chosen``.
"""

import numpy as np

from shoal.kernels.compiled import compiled, prange
from shoal.kernels.sorting import stable_order

__all__ = [
    "common_levels",
    "cut_at_middle",
    "cut_by_level",
    "part_sizes",
    "reordered",
    "segment_ranges",
    "segment_rows",
]

_WORTH_THREADS = 200_000
"""With fewer rows, waking threads takes longer than they save."""


@compiled(parallel=True)
def segment_ranges(
    order: np.ndarray, begins: np.ndarray, chosen: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and largest code of each chosen segment; codes below 0 count only if there are no others."""
    low = np.empty(len(chosen), np.int32)
    high = np.empty(len(chosen), np.int32)
    for i in prange(len(chosen)):
        begin, end = begins[chosen[i]], begins[chosen[i] + 1]
        least = most = codes[order[begin]]
        for place in range(begin + 1, end):
            code = codes[order[place]]
            if least < 0 or 0 <= code < least:
                least = code
            most = max(most, code)
        low[i] = least
        high[i] = most
    return low, high


@compiled(parallel=True)
def common_levels(
    order: np.ndarray, begins: np.ndarray, chosen: np.ndarray, codes: np.ndarray, maps: np.ndarray
) -> np.ndarray:
    """Return, for each chosen segment, the lowest level at which all its codes are mapped to one and the same code.

    ``maps[level, code]`` is the mapped code; the last level maps everything to one code.
    """
    out = np.empty(len(chosen), np.int64)
    if len(order) < _WORTH_THREADS:
        for i in range(len(chosen)):
            out[i] = _common_level(order[begins[chosen[i]] : begins[chosen[i] + 1]], codes, maps)
    else:
        for i in prange(len(chosen)):
            out[i] = _common_level(order[begins[chosen[i]] : begins[chosen[i] + 1]], codes, maps)
    return out


@compiled
def _common_level(rows: np.ndarray, codes: np.ndarray, maps: np.ndarray) -> int:
    first = codes[rows[0]]
    level, last = 0, len(maps) - 1
    for row in rows[1:]:
        code = codes[row]
        if code == first:
            continue
        while maps[level, code] != maps[level, first]:
            level += 1
        if level == last:  # all are alike there
            break
    return level


@compiled(parallel=True)
def cut_at_middle(
    order: np.ndarray, begins: np.ndarray, chosen: np.ndarray, codes: np.ndarray, split_ties: bool, part: np.ndarray
) -> None:
    """Write for each place of each chosen segment whether its row goes to part 0 (low codes) or 1 (high codes).

    The cut is the one that balances the two parts best without parting equal codes; with ``split_ties`` the parts are
    halves and equal codes may be parted. A chosen segment has at least two different codes.
    """
    for i in prange(len(chosen)):
        begin, end = begins[chosen[i]], begins[chosen[i] + 1]
        size = end - begin
        middle, below = _middle(codes, order[begin:end], split_ties)
        room = size // 2 - below if split_ties else np.int64(0)  # equal codes that still fit into the low part
        for place in range(begin, end):
            code = codes[order[place]]
            if code == middle and room > 0:
                room -= 1
                part[place] = 0
            else:
                part[place] = 0 if code < middle else 1


@compiled
def _middle(codes: np.ndarray, rows: np.ndarray, split_ties: bool) -> tuple[np.int64, np.int64]:
    """Return the lowest code of the high part, and how many codes are lower.

    With ``split_ties`` it is the one in the middle, otherwise the one before which the sorted codes change nearest to
    the middle; of two that are equally near, the lower.
    """
    size, lowest, highest = len(rows), codes[rows[0]], codes[rows[0]]
    for row in rows:
        lowest, highest = min(lowest, codes[row]), max(highest, codes[row])
    if highest - lowest > 4 * size:
        return _middle_of_sorted(np.sort(codes[rows]), split_ties)
    counts = np.zeros(highest - lowest + 1, np.int64)
    for row in rows:
        counts[codes[row] - lowest] += 1
    middle, fewer, below = np.int64(lowest), np.int64(0), np.int64(0)
    for code in range(len(counts)):
        if counts[code] and _is_nearer(below, fewer, size, split_ties):
            middle, fewer = np.int64(lowest + code), below
        below += counts[code]
    return middle, fewer


@compiled
def _middle_of_sorted(ordered: np.ndarray, split_ties: bool) -> tuple[np.int64, np.int64]:
    """Return what :func:`_middle` does, of codes that are sorted."""
    middle, fewer = np.int64(ordered[0]), np.int64(0)
    for place in range(1, len(ordered)):
        if ordered[place] != ordered[place - 1] and _is_nearer(place, fewer, len(ordered), split_ties):
            middle, fewer = np.int64(ordered[place]), np.int64(place)
    return middle, fewer


@compiled
def _is_nearer(place: int, best: int, size: int, split_ties: bool) -> bool:
    """Whether a cut before a place is better than the best so far, which is before an earlier place, 0 being none."""
    if split_ties:
        return place <= size // 2
    return (best == 0 and place > 0) or abs(size - 2 * place) < abs(size - 2 * best)


@compiled
def cut_by_level(
    order: np.ndarray,
    begins: np.ndarray,
    chosen: np.ndarray,
    codes: np.ndarray,
    maps: np.ndarray,
    levels: np.ndarray,
    part: np.ndarray,
) -> None:
    """Write for each place of each chosen segment the number of its row's code at the segment's level.

    The codes that occur are numbered 0, 1, … in ascending order.
    """
    width = maps.max() + 1
    number, present = np.full(width, -1, np.int64), np.empty(width, np.int64)
    for i in range(len(chosen)):
        begin, end = begins[chosen[i]], begins[chosen[i] + 1]
        mapped = maps[levels[i]]
        found = 0
        for place in range(begin, end):
            code = mapped[codes[order[place]]]
            if number[code] < 0:
                number[code], present[found] = 0, code
                found += 1
        ascending = stable_order(present[:found])
        for j in range(found):
            number[present[ascending[j]]] = j
        for place in range(begin, end):
            part[place] = number[mapped[codes[order[place]]]]
        for j in range(found):
            number[present[j]] = -1


@compiled
def part_sizes(begins: np.ndarray, chosen: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return the number of parts of each chosen segment, one more than its largest part number."""
    out = np.zeros(len(chosen), np.int64)
    for i in range(len(chosen)):
        for place in range(begins[chosen[i]], begins[chosen[i] + 1]):
            out[i] = max(out[i], part[place] + 1)
    return out


@compiled
def segment_rows(
    order: np.ndarray, begins: np.ndarray, chosen: np.ndarray, part: np.ndarray, offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the chosen segments and, for each, its part counted on through all segments by offsets."""
    total = 0
    for s in chosen:
        total += begins[s + 1] - begins[s]
    rows = np.empty(total, np.int64)
    labels = np.empty(total, np.int64)
    filled = 0
    for i in range(len(chosen)):
        for place in range(begins[chosen[i]], begins[chosen[i] + 1]):
            rows[filled] = order[place]
            labels[filled] = offsets[i] + part[place]
            filled += 1
    return rows, labels


@compiled
def reordered(
    order: np.ndarray, begins: np.ndarray, parts: np.ndarray, part: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Cut segment s into ``parts[s]`` segments by the part of each place, keeping the order within each part."""
    new_begins = np.empty(parts.sum() + 1, np.int64)
    new_order = np.empty_like(order)
    made = 0
    for s in range(len(parts)):
        begin, end = begins[s], begins[s + 1]
        sizes = np.zeros(parts[s] + 1, np.int64)
        if parts[s] == 1:
            sizes[1] = end - begin
            for place in range(begin, end):
                new_order[place] = order[place]
        else:
            for place in range(begin, end):
                sizes[part[place] + 1] += 1
        for j in range(parts[s]):
            new_begins[made + j] = begin + sizes[j]
            sizes[j + 1] += sizes[j]
        if parts[s] > 1:
            for place in range(begin, end):
                new_order[begin + sizes[part[place]]] = order[place]
                sizes[part[place]] += 1
        made += parts[s]
    new_begins[made] = begins[len(parts)]
    return new_order, new_begins
