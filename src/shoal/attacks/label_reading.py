"""What a published label says of the values behind it, to somebody who knows how labels are chosen."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy

__all__ = ["LabelReading", "read_labels"]

Form = Literal["value", "range", "node", "unknown"]


@dataclass(frozen=True, eq=False)
class LabelReading:
    """The values a label may stand for, and what a method that tells no less than it must gives away by it.

    * A *value* is told as it is.
    * A *range* reaches from the lowest value in the group to the highest: both occur.
    * A *node* of a hierarchy is the lowest that covers the group: not all of the group is in one of its branches.
    * Of an *unknown* label nothing is known but the values that are published under it: not all in the group are
      equal, or their value would have been published. Each value is a branch.
    """

    form: Form
    values: np.ndarray
    """Codes of the original column, ascending."""
    branches: np.ndarray
    """For each of them the number of its branch, ascending from 0 in the order in which branches occur."""


def read_labels(original: Column, published: Column, owners: np.ndarray, places: np.ndarray) -> list[LabelReading]:
    """Read every label of a published column; record ``owners[i]`` of the original is published as ``places[i]``."""
    words = original.vocabulary.values.cast(pl.String).to_list()
    code_of = {word: code for code, word in enumerate(words)}
    nodes = _nodes(original.hierarchy)
    labels, under = np.unique(np.stack([published.codes[places], original.codes[owners]]), axis=1)
    begins = np.searchsorted(labels, np.arange(len(published.vocabulary) + 1))
    readings = []
    for label, text in enumerate(_texts(original, published)):
        values = under[begins[label] : begins[label + 1]]
        if text in code_of and (values == code_of[text]).all():  # a branch may be called like one of its values
            readings.append(_reading("value", [code_of[text]]))
        elif text in nodes:
            readings.append(nodes[text])
        elif (between := _range(text, words, code_of, ordered=original.vocabulary.is_ordered)) is not None:
            readings.append(_reading("range", between))
        else:
            readings.append(_reading("unknown", values))
    return readings


def _texts(original: Column, published: Column) -> list[str | None]:
    """Write labels as the original values are written: 1 is 1.0 where the original column is one of real numbers."""
    values = published.vocabulary.values
    if published.vocabulary.is_numeric and original.vocabulary.is_numeric:
        values = values.cast(original.vocabulary.values.dtype, strict=False)
    return values.cast(pl.String).to_list()


def _reading(form: Form, values: "np.ndarray | range | list[int]") -> LabelReading:
    return LabelReading(form, np.asarray(values, np.int64), np.arange(len(values)))


def _nodes(hierarchy: Hierarchy | None) -> dict[str | None, LabelReading]:
    """Give each label of a hierarchy with its branches: the labels of the next lower level that tells them apart.

    A label that means one thing at one level and another at the next is left out.
    """
    found: dict[str | None, LabelReading] = {}
    ambiguous = set()
    for level in range(1, len(hierarchy.maps) if hierarchy else 0):
        assert hierarchy is not None
        for node, label in enumerate(hierarchy.labels[level].values.cast(pl.String)):
            values = np.flatnonzero(hierarchy.maps[level] == node)
            if label not in found:
                found[label] = LabelReading("node", values, _branches(hierarchy, level, values))
            elif not np.array_equal(found[label].values, values):
                ambiguous.add(label)
    return {label: reading for label, reading in found.items() if label not in ambiguous}


def _branches(hierarchy: Hierarchy, level: int, values: np.ndarray) -> np.ndarray:
    for below in reversed(range(level)):
        nodes, branches = np.unique(hierarchy.maps[below][values], return_inverse=True)
        if len(nodes) > 1:
            return branches.ravel()
    return np.zeros(len(values), np.int64)


def _range(
    label: str | None, words: list[str | None], code_of: dict[str | None, int], *, ordered: bool
) -> range | None:
    """Give the values of ``[a, c]``, ``a | b | c`` or ``a … c``, with ``missing`` before or not; None for any other."""
    if label is None:
        return None
    without = label.removeprefix("missing or " if ordered else "missing | ") if words[0] is None else label
    ends = _ends_of_numbers(without) if ordered else _ends_of_words(without)
    low, high = (code_of.get(end, -1) for end in ends)
    if low < 0 or high < 0:
        return None
    if not ordered and " … " not in without and " | ".join(map(str, words[low : high + 1])) != without:
        return None  # a word that holds a bar, or a set with gaps
    first = low if without == label else 0
    return range(first, high + 1) if first < high else None


def _ends_of_numbers(label: str) -> tuple[str, str]:
    if not (label.startswith("[") and label.endswith("]")):
        return label, label
    low, _, high = label[1:-1].partition(", ")
    return low, high


def _ends_of_words(label: str) -> tuple[str, str]:
    first, dots, last = label.partition(" … ")
    return (first, last) if dots else (label.split(" | ")[0], label.split(" | ")[-1])
