"""Key attributes: the few columns on which the others depend most, by a spanning tree of their dependencies."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal, get_args

import numpy as np

from shoal.data import Column
from shoal.errors import DataError, InputError

from .entropy import variation_matrix

__all__ = [
    "BINS",
    "BinKind",
    "binned",
    "binned_column",
    "bins_of_distinct",
    "column_keys",
    "key_attributes",
    "spanning_tree",
    "value_bins",
]


_DECIMALS = 12
"""Weights that agree to this many decimals are tied: beyond is rounding."""


def spanning_tree(weights: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Return the edges of a minimum spanning tree of the full graph with these weights, lightest first.

    An edge names the lower vertex first. Of equally light edges, the one with the lower first vertex is taken, then
    the one with the lower second, so that there is one answer.

    *Reference.* Sun, thesis, Algorithm 1. The tree in its Figure 5.2 joins A2 and A5 at 1.6681 where A3 and A5, at
    1.6217, are closer; it is not minimal.
    """
    vertices = range(len(weights))
    edges = sorted(combinations(vertices, 2), key=lambda edge: (round(float(weights[edge]), _DECIMALS), *edge))
    part = list(vertices)
    tree = []
    for one, other in edges:
        old, new = part[other], part[one]
        if old != new:
            part = [new if each == old else each for each in part]
            tree.append((one, other))
    return tuple(tree)


BinKind = Literal["equal-frequency", "equal-width"]
BINS: Final = 10
"""The default number of bins."""


def binned(values: np.ndarray, bins: int = BINS, kind: BinKind = "equal-frequency") -> np.ndarray:
    """Return the bin of each number, from 0 for the lowest on: int64.

    ``equal-frequency``: bins hold about as many records each; a number is never split, and lies where the middle one of
    its records lies. ``equal-width``: bins cover as much each of the way from the lowest number to the highest. Numbers
    with no more than ``bins`` different values are left apart, each a bin of its own, in either kind. Missing ones
    (NaN) are a bin of their own after the others. Which bin a number is in does not depend on the order of records.

    The thesis uses entropies of continuous attributes and does not say how they are made countable; ten bins of
    equal frequency are ours.
    """
    distinct, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    return bins_of_distinct(distinct, counts, bins, kind)[place.ravel()]


def bins_of_distinct(distinct: np.ndarray, counts: np.ndarray, bins: int, kind: BinKind) -> np.ndarray:
    """Return the bin of each of some distinct numbers in ascending order, NaN last, by how many records have it."""
    if bins < 2:
        raise InputError(f"Numbers cannot be put into {bins} bins.", "Ask for 2 or more.")
    if kind not in get_args(BinKind):
        raise InputError(f"There is no kind of bins {kind!r}.", f"There are: {', '.join(get_args(BinKind))}.")
    known = len(distinct) - int(np.isnan(distinct[-1:]).any())
    if not np.isfinite(distinct[:known]).all():
        raise DataError("Numbers to put into bins must be finite.", "Leave missing values empty.")
    if known > bins:
        bin_of = _by_rank(counts[:known], bins) if kind == "equal-frequency" else _by_width(distinct[:known], bins)
    else:
        bin_of = np.arange(known)
    after = np.full(len(distinct) - known, bin_of.max(initial=-1) + 1)
    return np.concatenate([bin_of, after]).astype(np.int64)


def _by_rank(counts: np.ndarray, bins: int) -> np.ndarray:
    """Return the bin of each value, in whole numbers: that of the middle one of its records."""
    ends = np.cumsum(counts, dtype=np.int64)
    return bins * (2 * ends - counts) // (2 * ends[-1])


def _by_width(distinct: np.ndarray, bins: int) -> np.ndarray:
    lowest, highest = float(distinct[0]), float(distinct[-1])
    # halves, because the way from the lowest double to the highest is longer than a double can be
    share = (distinct / 2 - lowest / 2) / (highest / 2 - lowest / 2)
    return np.minimum((share * bins).astype(np.int64), bins - 1)


def key_attributes(tree: Sequence[tuple[int, int]], n_attributes: int) -> tuple[int, ...]:
    """Return the fewest vertices of highest degree whose degrees add up to at least the number of vertices, in order.

    Of vertices with the same degree the lower come first. A single vertex is its own key.

    *Reference.* Sun, thesis, Definition 5.3. Its Theorem 5.1 says there are at most m/2 of them; a path of 3 has 2 and
    one of 5 has 3, so from three vertices on the bound is ⌈m/2⌉.
    """
    assert len(tree) == max(n_attributes - 1, 0), "a tree over all vertices"
    degrees = np.bincount(np.array(tree, np.int64).ravel(), minlength=n_attributes)
    order = np.argsort(-degrees, kind="stable")
    reached = np.cumsum(degrees[order])
    fewest = int(np.searchsorted(reached, n_attributes)) + 1
    return tuple(sorted(order[:fewest].tolist()))


def binned_column(column: Column, bins: int = BINS, kind: BinKind = "equal-frequency") -> np.ndarray:
    """Return a whole number for each record: the bin of a number or day, the code of anything else.

    Numbers and days with no more than ``bins`` different values are not binned. A missing one is a value of its
    own.
    """
    if not column.vocabulary.is_ordered or len(column.vocabulary) <= bins:
        return column.codes
    return value_bins(column, bins, kind)[column.codes]


def value_bins(column: Column, bins: int = BINS, kind: BinKind = "equal-frequency") -> np.ndarray:
    """Return the bin of each value of a column of numbers or days, by how many records have it; 0 where none has."""
    numbers = column.vocabulary.numbers
    counts = column.counts
    used = np.flatnonzero(counts)
    used = used[np.argsort(numbers[used], kind="stable")]  # NaN last
    bin_of = np.zeros(len(numbers), np.int64)
    bin_of[used] = bins_of_distinct(numbers[used], counts[used], bins, kind)
    return bin_of


def column_keys(columns: Sequence[Column], bins: int = BINS) -> tuple[int, ...]:
    """Return the places of the key attributes among some columns; numbers are put into bins of equal frequency."""
    matrix = variation_matrix([binned_column(column, bins) for column in columns])
    return key_attributes(spanning_tree(matrix), len(columns))
