"""Which values of two vocabularies are the same, though they are written otherwise."""

from collections.abc import Callable, Hashable

import numpy as np

from .exact_numbers import exact_number
from .time_span import time_span
from .vocabulary import Vocabulary

__all__ = ["same_values"]


def same_values(known: Vocabulary, asked: Vocabulary) -> np.ndarray:
    """Return the place of each value that is asked for among the known ones, as int32; −1 where it is not known.

    Values are the same if they are written the same. Where one side holds numbers, 30 and 30.0 are the same; where one
    holds times, so are all ways to write a time. Of several known values that mean the same, the first is taken.
    """
    words, others = known.words, asked.words
    rows = Vocabulary(words).codes(others)
    meaning = _meaning(known, asked)
    if meaning is None or (rows >= 0).all():
        return rows
    rows, first = rows.copy(), {}
    for row, word in enumerate(words):
        if word is not None and (meant := meaning(word)) is not None:
            first.setdefault(meant, row)
    for place in np.flatnonzero((rows < 0) & others.is_not_null().to_numpy()).tolist():
        rows[place] = first.get(meaning(others[place]), -1)
    return rows


def _meaning(known: Vocabulary, asked: Vocabulary) -> Callable[[str], Hashable | None] | None:
    """Return how words are to be understood; None where they are nothing but words."""
    if known.is_numeric or asked.is_numeric:
        return exact_number
    return _time if known.is_ordered or asked.is_ordered else None


def _time(word: str) -> tuple[int, int] | None:
    """Return the same for the same time to the second, with zeros after it or not."""
    span = time_span(word)
    return None if span is None else (span[0], max(span[1] - span[0], _SECOND))


_SECOND = 1_000_000
