"""Ratings a block at a time, each with how many people its record stands for."""

from collections.abc import Iterator

import numpy as np

from shoal.data import RatingMatrix

__all__ = ["rating_blocks"]

_BLOCK = 1 << 22


def rating_blocks(
    matrix: RatingMatrix, people: np.ndarray | None
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Give blocks of ratings: their items, their codes, and the number of people of the record of each.

    People are given by record; None stands for one each.
    """
    for start in range(0, matrix.n_ratings, _BLOCK):
        stop = min(start + _BLOCK, matrix.n_ratings)
        times = np.ones(stop - start, np.int64) if people is None else _repeated(people, matrix.indptr, start, stop)
        yield matrix.indices[start:stop], matrix.codes[start:stop], times


def _repeated(people: np.ndarray, indptr: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Give, for a span of ratings, the number that belongs to the record of each."""
    first, last = np.searchsorted(indptr, start, side="right") - 1, np.searchsorted(indptr, stop, side="left")
    lengths = np.diff(np.clip(indptr[first : last + 1], start, stop))
    return np.repeat(people[first:last], lengths)
