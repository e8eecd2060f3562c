"""Find, for rows of a compressed matrix, the other row that is apart in the fewest columns, and which those are."""

import numpy as np
from numba import njit, prange

__all__ = ["columns_apart", "lower_to_fewest_apart"]

_CHUNK = 16


@njit(cache=True, nogil=True, parallel=True)
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
    for chunk in prange((n + _CHUNK - 1) // _CHUNK):  # pyright: ignore[reportGeneralTypeIssues]
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


@njit(cache=True, nogil=True, parallel=True)
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
    for i in prange(len(ones)):  # pyright: ignore[reportGeneralTypeIssues]
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
