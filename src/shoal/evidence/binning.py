"""Numbers in a few bins, so that what they tell of each other can be counted."""

from typing import Final, Literal, get_args

import numpy as np

from shoal.errors import DataError, InputError

__all__ = ["BINS", "BinKind", "binned", "bins_of_distinct"]

BinKind = Literal["equal-frequency", "equal-width"]
BINS: Final = 10
"""Into how many bins numbers are put unless said."""


def binned(values: np.ndarray, bins: int = BINS, kind: BinKind = "equal-frequency") -> np.ndarray:
    """Give the bin of each number, from 0 for the lowest on: int64.

    ``equal-frequency``: bins hold about as many records each; a number is never split, and lies where the middle one of
    its records lies. ``equal-width``: bins cover as much each of the way from the lowest number to the highest. Numbers
    with no more than ``bins`` different values are left apart, each a bin of its own, in either kind. Missing ones
    (NaN) are a bin of their own after the others. Which bin a number is in does not depend on the order of records.

    The thesis reckons with entropies of continuous attributes and does not say how they are made countable; ten bins of
    equal frequency are ours.
    """
    distinct, place, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    return bins_of_distinct(distinct, counts, bins, kind)[place.ravel()]


def bins_of_distinct(distinct: np.ndarray, counts: np.ndarray, bins: int, kind: BinKind) -> np.ndarray:
    """Give the bin of each of some distinct numbers in ascending order, NaN last, by how many records have it."""
    if bins < 2:
        raise InputError(f"Numbers cannot be put into {bins} bins.", "Give 2 or more.")
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
    """Give the bin of each value, in whole numbers: that of the middle one of its records."""
    ends = np.cumsum(counts, dtype=np.int64)
    return bins * (2 * ends - counts) // (2 * ends[-1])


def _by_width(distinct: np.ndarray, bins: int) -> np.ndarray:
    lowest, highest = float(distinct[0]), float(distinct[-1])
    # halves, because the way from the lowest double to the highest is longer than a double can be
    share = (distinct / 2 - lowest / 2) / (highest / 2 - lowest / 2)
    return np.minimum((share * bins).astype(np.int64), bins - 1)
