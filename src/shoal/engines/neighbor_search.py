"""Three ways to find the records within a radius of each record; all return the same numbers."""

from typing import Literal

import numpy as np

from shoal.data import RatingMatrix
from shoal.kernels.neighbors.bitmaps import add_by_bitmaps, radius_bitmaps
from shoal.kernels.neighbors.pairwise import add_by_pairs, add_by_pairs_in_groups, add_by_slices, slices
from shoal.kernels.row_comparison import equal_patterns, equal_rows
from shoal.progress import stage

__all__ = ["Search", "sums_between", "sums_within"]

Search = Literal["auto", "slicing", "pairwise"]

_SMALL = 64
"""Up to this many different records of one pattern are compared one by one: bitmaps would not pay."""
_BITMAP_BYTES = 2**28
"""How much memory bitmaps may take at a time."""
_SAMPLE = 64
_AT_A_TIME = 2**16
"""How many records are compared with a block before progress is reported."""
_ALL = np.iinfo(np.int64).max


def sums_within(
    matrix: RatingMatrix,
    n_values: int,
    radius: int,
    amounts: np.ndarray,
    *,
    enough: int | None = None,
    search: Search = "auto",
) -> np.ndarray:
    """Return for each record the sum of the amounts of all records, itself included, within the radius.

    The radius is in steps and below the distance of a null from a rating, so only records with the same pattern of
    nulls are near each other. Amounts are records × kinds, the first kind being 1 for every record. With ``enough``,
    the first may stop anywhere from that number and the smallest of all records on; what is below both is exact, and
    so is the smallest. The other kinds are then not to be relied on.
    """
    out = np.zeros_like(amounts)
    if search == "pairwise":
        add_by_pairs(matrix.indptr, matrix.indices, matrix.codes, amounts, radius, out)
        return out
    patterns, n_patterns = equal_patterns(matrix.indptr, matrix.indices)
    shared = np.bincount(patterns, minlength=n_patterns)[patterns] > 1
    out[~shared] = amounts[~shared]
    rows = np.flatnonzero(shared)
    if not len(rows):
        return out
    # nobody else's pattern: near nobody else
    floor = 1 if len(rows) < len(matrix) else _ALL
    among = matrix.take(rows) if len(rows) < len(matrix) else matrix
    profiles, n_profiles = equal_rows(among.indptr, among.indices, among.codes)
    firsts = np.empty(n_profiles, np.int64)
    firsts[profiles[::-1]] = np.arange(len(profiles) - 1, -1, -1)  # the first record of each profile
    distinct = among.take(firsts) if n_profiles < len(among) else among
    heaped = _heaped(profiles, n_profiles, amounts[rows])
    found = _of_distinct(distinct, patterns[rows][firsts], n_values, radius, heaped, enough, floor, search)
    out[rows] = found[profiles]
    return out


def _heaped(labels: np.ndarray, n_labels: int, amounts: np.ndarray) -> np.ndarray:
    """Add up the amounts of records with one label."""
    if n_labels == len(labels):
        return amounts
    heaped = np.zeros((n_labels, amounts.shape[1]), np.int64)
    np.add.at(heaped, labels, amounts)
    return heaped


def _of_distinct(
    matrix: RatingMatrix,
    patterns: np.ndarray,
    n_values: int,
    radius: int,
    amounts: np.ndarray,
    enough: int | None,
    floor: int,
    search: Search,
) -> np.ndarray:
    """Answer for records no two of which are equal, pattern by pattern."""
    order = np.argsort(patterns, kind="stable")
    begins = np.flatnonzero(np.diff(patterns[order], prepend=-1))
    ends = np.append(begins[1:], len(order))
    small = ends - begins <= (_SMALL if search == "auto" else 1)
    out = np.zeros_like(amounts)
    few = order[np.repeat(small, ends - begins)]
    borders = np.concatenate([[0], np.cumsum((ends - begins)[small])]).astype(np.int64)
    add_by_pairs_in_groups(matrix.indptr, matrix.codes, few, borders, amounts, radius, out)
    floor = min(floor, int(out[few, 0].min(initial=floor)))
    large = np.flatnonzero(~small)
    for pattern in large[np.argsort((ends - begins)[large])]:  # a small minimum found early saves counting later
        rows = order[begins[pattern] : ends[pattern]]
        starts = matrix.indptr[rows]
        points = matrix.codes[starts[:, None] + np.arange(matrix.indptr[rows[0] + 1] - starts[0])]
        if search == "slicing":
            found = _sliced(points, n_values, radius, amounts[rows])
        else:
            found = _by_bitmaps(points, n_values, radius, amounts[rows], enough, floor)
        out[rows] = found
        floor = min(floor, int(found[:, 0].min()))
    return out


def _sliced(points: np.ndarray, n_values: int, radius: int, amounts: np.ndarray) -> np.ndarray:
    out = np.zeros_like(amounts)
    add_by_slices(points, *slices(points, n_values), amounts, radius, out)
    return out


def sums_between(
    queries: np.ndarray, points: np.ndarray, n_values: int, radius: int, amounts: np.ndarray, limit: int = _ALL
) -> np.ndarray:
    """Return for each query the sum of the amounts of all points within the radius.

    Queries and points are codes by column, and there must be a column. A query may stop as soon as its first amount
    reaches the limit.
    """
    orders = [_alike_side_by_side(each, n_values) for each in (queries, points)]
    queries, points, amounts = queries[orders[0]], points[orders[1]], amounts[orders[1]]
    found, out = np.zeros((2, len(queries), amounts.shape[1]), np.int64)
    _add_blocks(queries, points, n_values, radius, _plain(amounts), limit, found, _blocks(points, n_values))
    out[orders[0]] = found
    return out


def _plain(amounts: np.ndarray) -> np.ndarray:
    """Return no amounts where each point counts 1 and nothing else."""
    return amounts[:0] if amounts.shape[1] == 1 and (amounts == 1).all() else amounts


def _blocks(points: np.ndarray, n_values: int) -> range:
    return range(0, len(points), max(_BITMAP_BYTES * 8 // (points.shape[1] * n_values), 4096))


def _by_bitmaps(
    points: np.ndarray, n_values: int, radius: int, amounts: np.ndarray, enough: int | None, floor: int
) -> np.ndarray:
    """Count by bits, near records side by side, in blocks that bound the memory.

    To stop at ``enough`` and still find the smallest number exactly, a few records are counted in full first:
    the smallest of all is no larger than the smallest of these.
    """
    order = _alike_side_by_side(points, n_values)
    points, amounts = points[order], amounts[order]
    found = np.zeros_like(amounts)
    plain, blocks = _plain(amounts), _blocks(points, n_values)
    limit = _ALL
    if enough is not None:
        few = np.unique(np.linspace(0, len(points) - 1, _SAMPLE).astype(np.int64))
        sampled = np.zeros((len(few), amounts.shape[1]), np.int64)
        _add_blocks(points[few], points, n_values, radius, plain, _ALL, sampled, blocks)
        limit = max(enough, min(floor, int(sampled[:, 0].min())))
    _add_blocks(points, points, n_values, radius, plain, limit, found, blocks)
    out = np.empty_like(found)
    out[order] = found
    return out


def _add_blocks(
    queries: np.ndarray,
    points: np.ndarray,
    n_values: int,
    radius: int,
    amounts: np.ndarray,
    limit: int,
    out: np.ndarray,
    blocks: range,
) -> None:
    with stage("comparing records", len(queries) * len(blocks)) as progress:
        for start in blocks:
            here = slice(start, start + blocks.step)
            bitmaps = radius_bitmaps(points[here], n_values, radius)
            for first in range(0, len(queries), _AT_A_TIME):
                some = slice(first, first + _AT_A_TIME)
                add_by_bitmaps(queries[some], *bitmaps, amounts[here], limit, out[some])
                progress.advance(len(queries[some]))


def _alike_side_by_side(points: np.ndarray, n_values: int) -> np.ndarray:
    """Order points by the columns that distinguish most, so that whole tiles can be skipped."""
    shares = np.stack([np.bincount(points[:, column], minlength=n_values) for column in range(points.shape[1])])
    sameness = ((shares / len(points)) ** 2).sum(axis=1)
    distinctive = np.argsort(sameness, kind="stable")[:8]
    return np.lexsort([points[:, column] for column in distinctive[::-1]])
