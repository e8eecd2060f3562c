"""Find, for rows of a compressed matrix, the other row that is apart in the fewest columns, and which those are."""

import numpy as np

from shoal.kernels.compiled import compiled, prange

from .bitmaps import TILE, trailing_zeros

__all__ = ["columns_apart", "lower_to_fewest_apart", "lower_to_fewest_far"]


_CHUNK = 16


@compiled(parallel=True)
def lower_to_fewest_apart(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    queries: np.ndarray,
    begins: np.ndarray,
    places: np.ndarray,
    codes: np.ndarray,
    lengths: np.ndarray,
    first: int,
    gains: np.ndarray,
    alone: int,
    unit: int,
    keys: np.ndarray,
    found: np.ndarray,
) -> None:
    """Lower keys[q] to the smallest key from unit on that row queries[q] has with any row of a block.

    The key of two rows is a sum over columns, so that rows need not be compared: a column in which one of them alone
    has an entry gives ``alone``, and one in which both have entries that differ by d gives 2·alone plus the entry of
    gains that is d beside the middle one. The block is given by columns: its rows places[begins[c]:begins[c + 1]] have
    the codes at the same places in column c, and lengths says how many entries each has. Its rows are numbered on from
    first; found[q] becomes the first of them with that key.
    """
    n = len(queries)
    middle = len(gains) // 2
    for chunk in prange((n + _CHUNK - 1) // _CHUNK):
        sums = np.empty(len(lengths), np.int64)
        for q in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            row = queries[q]
            own = indptr[row + 1] - indptr[row]
            for other in range(len(lengths)):
                sums[other] = (own + lengths[other]) * alone
            for entry in range(indptr[row], indptr[row + 1]):
                by_code = gains[middle - np.int64(data[entry]) :]
                # unsigned numbers spare the compiler the question whether an index counts from the end
                for at in range(begins[indices[entry]], begins[indices[entry] + 1]):
                    sums[np.uint32(places[at])] += by_code[codes[at]]
            for other in range(len(lengths)):
                if unit <= sums[other] < keys[q]:
                    keys[q] = sums[other]
                    found[q] = first + other


@compiled(parallel=True)
def columns_apart(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    ones: np.ndarray,
    others: np.ndarray,
    radius: int,
    alone: int,
    out: np.ndarray,
) -> None:
    """Write to out[i] columns in which rows ones[i] and others[i] are further apart than the radius.

    Entries are apart by their difference, and by ``alone`` where one row has none. As many columns are written as fit:
    the most distant first, then by number; what is left of out stays as it is.
    """
    for i in prange(len(ones)):
        width = out.shape[1]
        distances = np.zeros(width, np.int64)
        a, end_a = indptr[ones[i]], indptr[ones[i] + 1]
        b, end_b = indptr[others[i]], indptr[others[i] + 1]
        while a < end_a or b < end_b:
            only_a = b == end_b or (a < end_a and indices[a] < indices[b])
            only_b = not only_a and (a == end_a or indices[b] < indices[a])
            column = indices[b] if only_b else indices[a]
            distance = alone
            if not only_a and not only_b:
                distance = abs(np.int64(data[a]) - np.int64(data[b]))
            if distance > radius:
                at = width
                while at > 0 and distances[at - 1] < distance:
                    at -= 1
                for later in range(width - 1, at, -1):
                    distances[later] = distances[later - 1]
                    out[i, later] = out[i, later - 1]
                if at < width:
                    distances[at] = distance
                    out[i, at] = column
            a += 0 if only_b else 1
            b += 0 if only_a else 1


_BITMAP_CHUNK = 64


@compiled(parallel=True)
def lower_to_fewest_far(
    queries: np.ndarray,
    points: np.ndarray,
    near: np.ndarray,
    missing: int,
    alone: int,
    first: int,
    unit: int,
    keys: np.ndarray,
    found: np.ndarray,
) -> None:
    """Lower keys[q] to the smallest key that point queries[q] has with any row of points that is far in some column.

    near are the bits by column, value and row of :func:`radius_bitmaps`. The key of two is the number of columns in
    which they are far, times unit, plus the sum of their differences, which is less than unit; the value ``missing``
    differs from any other by ``alone``. Rows are numbered on from first; found[q] becomes the first with that key.
    """
    n, width = queries.shape
    depth = 1
    while (1 << depth) <= width:
        depth += 1
    for chunk in prange((n + _BITMAP_CHUNK - 1) // _BITMAP_CHUNK):
        digits = np.empty((depth, TILE), np.uint64)
        carry = np.empty(TILE, np.uint64)
        left = np.empty(TILE, np.uint64)
        for q in range(chunk * _BITMAP_CHUNK, min(n, (chunk + 1) * _BITMAP_CHUNK)):
            for tile in range(near.shape[2] // TILE):
                _count_far(queries[q], near, tile, digits, carry)
                fewest = _fewest(digits, left)
                if fewest * unit < keys[q]:
                    _lower(queries[q], points, left, tile, fewest * unit, missing, alone, first, keys[q:], found[q:])


@compiled
def _count_far(query: np.ndarray, near: np.ndarray, tile: int, digits: np.ndarray, carry: np.ndarray) -> None:
    """Count for each row of a tile the columns in which it is far, as binary digits: one word a digit of 64 rows."""
    digits[:] = np.uint64(0)
    depth = 0
    for column in range(len(query)):
        if (column + 1) >> depth:
            depth += 1
        bits = near[column, query[column], tile * TILE : (tile + 1) * TILE]
        for word in range(TILE):
            carry[word] = ~bits[word]
        for digit in range(depth):
            row = digits[digit]
            for word in range(TILE):
                both = row[word] & carry[word]
                row[word] ^= carry[word]
                carry[word] = both


@compiled
def _fewest(digits: np.ndarray, left: np.ndarray) -> int:
    """Return the smallest count above 0, and set the bits of the rows that have it; none if every count is 0."""
    left[:] = np.uint64(0)
    for digit in range(len(digits)):
        for word in range(TILE):
            left[word] |= digits[digit, word]
    fewest = 0
    for digit in range(len(digits) - 1, -1, -1):
        some = np.uint64(0)
        for word in range(TILE):
            some |= left[word] & ~digits[digit, word]
        if some == 0:
            fewest += 1 << digit
        else:
            for word in range(TILE):
                left[word] &= ~digits[digit, word]
    return fewest


@compiled
def _lower(
    query: np.ndarray,
    points: np.ndarray,
    left: np.ndarray,
    tile: int,
    key: int,
    missing: int,
    alone: int,
    first: int,
    keys: np.ndarray,
    found: np.ndarray,
) -> None:
    """Add to the key what each row that is left differs by, and keep the smallest."""
    for word in range(TILE):
        bits = left[word]
        while bits:
            row = (tile * TILE + word) * 64 + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            if row >= len(points):  # the last tile may be longer than the rows
                return
            total = key
            for column in range(len(query)):
                mine, theirs = np.int64(query[column]), np.int64(points[row, column])
                if mine != theirs:
                    total += alone if mine == missing or theirs == missing else abs(mine - theirs)
            if total < keys[0]:
                keys[0] = total
                found[0] = first + row
