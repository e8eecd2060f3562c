"""Which values published labels may stand for."""

import numpy as np
import polars as pl

from shoal.data import Column

__all__ = ["covered_values"]


def covered_values(labels: pl.Series, column: Column, values: pl.Series) -> np.ndarray:
    """Tell for each label, in a line, which of the values it may stand for, whether they are in the column or not.

    A label may stand for itself, for everything (``*``) and for what is below it in the hierarchy of the original
    column. Unless it is among the values, it is also read as methods write labels: an interval, a set of words, a
    stretch of the alphabet, a code masked from the right; ``missing`` is what is missing, alone or with others. Of
    values that the hierarchy knows, it alone tells.
    """
    if labels.dtype.is_numeric() and values.dtype.is_numeric() and labels.dtype != values.dtype:
        labels, values = labels.cast(pl.Float64), values.cast(pl.Float64)  # 1 is 1.0
    words, labels = values.cast(pl.String), labels.cast(pl.String)
    out = np.zeros((len(labels), len(words)), bool)
    placed = _below(labels, column, words, out)
    known = set(words)
    for line, label in zip(out, labels, strict=True):
        if label == "*":
            line[:] = True
        elif label is None:
            line |= words.is_null().to_numpy()
        elif label in known:
            line |= _plain(words == label)
        else:
            line |= _as_read(label, values, words) & ~(placed & line.any())
    return out


def _below(labels: pl.Series, column: Column, words: pl.Series, out: np.ndarray) -> np.ndarray:
    """Write down which values have which label in the hierarchy; tell which values it knows."""
    if column.hierarchy is None:
        return np.zeros(len(words), bool)
    number_of = {word: number for number, word in enumerate(column.vocabulary.values.cast(pl.String))}
    numbers = np.array([number_of.get(word, -1) for word in words], np.int64)
    for level in range(1, column.hierarchy.height + 1):
        of_label = {word: code for code, word in enumerate(column.hierarchy.labels[level].values.cast(pl.String))}
        asked = np.array([of_label.get(label, -1) for label in labels], np.int64)
        told = np.where(numbers >= 0, column.hierarchy.maps[level][numbers], -2)
        out |= asked[:, None] == told
    return numbers >= 0


def _as_read(label: str, values: pl.Series, words: pl.Series) -> np.ndarray:
    missing = values.is_null().to_numpy()
    if label == "missing":
        return missing
    for start in ("missing or ", "missing | "):
        if label.startswith(start):
            rest = label.removeprefix(start)
            return missing | _plain(words == rest) | _as_read(rest, values, words)
    if " | " in label:
        return _plain(words.is_in(label.split(" | ")))
    if " … " in label:
        first, _, last = label.partition(" … ")
        return _plain(words.is_between(pl.lit(first), pl.lit(last)))
    if label[:1] == "[" and label[-1:] in ("]", ")"):
        return _in_interval(label, values, words)
    return _masked(label, words)


def _in_interval(label: str, values: pl.Series, words: pl.Series) -> np.ndarray:
    """Read ``[a, b]`` and ``[a, b)``; days as they are written stand in the order of time."""
    ends = label[1:-1].split(", ")
    if len(ends) != 2:
        return np.zeros(len(values), bool)
    numbers = pl.Series(ends).cast(pl.Float64, strict=False)
    closed = "both" if label[-1] == "]" else "left"
    if numbers.has_nulls():
        return _plain(words.is_between(pl.lit(ends[0]), pl.lit(ends[1]), closed))
    return _plain(values.cast(pl.Float64, strict=False).is_between(numbers[0], numbers[1], closed))


def _masked(label: str, words: pl.Series) -> np.ndarray:
    """Read a code of which the last letters are hidden; shorter ones were filled up."""
    begin = label.rstrip("*")
    if begin in ("", label):
        return np.zeros(len(words), bool)
    return _plain(words.str.starts_with(begin) & (words.str.len_chars() <= len(label)))


def _plain(told: pl.Series) -> np.ndarray:
    return told.fill_null(value=False).to_numpy()
