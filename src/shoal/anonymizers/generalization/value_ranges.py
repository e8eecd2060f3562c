"""Labels of groups by the range of their values; a missing value is never an end of a range."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import Vocabulary
from shoal.data.written_label import range_label
from shoal.kernels.groups.segments import segment_ranges

__all__ = ["first_value", "range_labels", "value_ranges"]


def first_value(words: Sequence[str | None]) -> int:
    """Return the index of the first value that is not missing; a missing one comes before all others."""
    return 1 if words[:1] == [None] else 0


def value_ranges(
    order: np.ndarray, begins: np.ndarray, chosen: np.ndarray, values: np.ndarray, first: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each chosen segment the lowest and the highest value present, and 1 where one is missing as well.

    Values are numbered in their order, ``first`` being the first that is not missing.
    """
    if first == 0:
        low, high = segment_ranges(order, begins, chosen, values)
        return low, high, np.zeros(len(chosen), np.int32)
    # a missing value falls below 0, and is then the range of a segment only where it has no other value
    low, high = segment_ranges(order, begins, chosen, values - np.int32(first))
    least, _ = segment_ranges(order, begins, chosen, values)
    missing = (least < first) & (high >= 0)
    return low + first, high + first, missing.astype(np.int32)


def range_labels(words: list[str | None], ranges: np.ndarray, *, ordered: bool) -> tuple[Vocabulary, np.ndarray]:
    """Return the labels, and the label of each line of ``ranges``: lowest value, highest, and 1 with missing ones."""
    low, high, missing = ranges.T.astype(np.int64)
    distinct, place = np.unique((low * len(words) + high) * 2 + missing, return_inverse=True)
    texts = [
        range_label(words, *divmod(key // 2, len(words)), ordered=ordered, missing=bool(key % 2))
        for key in distinct.tolist()
    ]
    labels, codes = Vocabulary.encode(pl.Series(texts, dtype=pl.String))
    return labels, codes[place.ravel()]
