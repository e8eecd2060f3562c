"""Which values published labels may stand for, to somebody who has not the originals.

Beside :mod:`.told_column`, it is not known here which values are published under a label: a label that cannot be read
stands for nothing, a missing one for what is missing, and one that is a value for that value. Values may be such as the
column has not, so that ranges are read by their ends, and half-open intervals and masked codes as they are written.
"""

import numpy as np
import polars as pl

from shoal.data import Column
from shoal.data.reserved_labels import MISSING, ROOT

from .parsed_label import ParsedLabel, parsed_label

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
        if label is None:
            line |= words.is_null().to_numpy()
        elif label in known and label != ROOT:
            line |= _plain(words == label)
        else:
            line |= _read(label, values, words) & ~(placed & line.any())
    return out


def _read(text: str, values: pl.Series, words: pl.Series) -> np.ndarray:
    label = parsed_label(text)
    named = _plain(words == label.text)
    told = named if named.any() else _as_read(label, values, words)
    if not label.with_missing:
        return told
    return told | (words.fill_null(MISSING) == MISSING).to_numpy()  # it may as well be a word that people have


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


def _as_read(label: ParsedLabel, values: pl.Series, words: pl.Series) -> np.ndarray:
    """Tell which values are among those that a label names, but for what is missing."""
    if label.form == "everything":
        return np.ones(len(words), bool)
    if label.form == "stretch":
        return _plain(words.is_between(pl.lit(label.parts[0]), pl.lit(label.parts[1])))
    if label.form in ("interval", "half-open interval"):
        return _in_interval(label, values, words)
    if label.form == "mask":
        seen = label.parts[0]  # shorter codes were filled up
        return _plain(words.str.starts_with(seen) & (words.str.len_chars() <= len(label.text)))
    return _plain(words.is_in(list(label.parts)))


def _in_interval(label: ParsedLabel, values: pl.Series, words: pl.Series) -> np.ndarray:
    """Take ends that are numbers as numbers; days as they are written stand in the order of time."""
    numbers = pl.Series(label.parts).cast(pl.Float64, strict=False)
    closed = "both" if label.form == "interval" else "left"
    if numbers.has_nulls():
        return _plain(words.is_between(pl.lit(label.parts[0]), pl.lit(label.parts[1]), closed))
    return _plain(values.cast(pl.Float64, strict=False).is_between(numbers[0], numbers[1], closed))


def _plain(told: pl.Series) -> np.ndarray:
    return told.fill_null(value=False).to_numpy()
