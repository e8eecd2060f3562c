"""A published column beside its originals: which values each published label may stand for.

*How a label is read.* As the first of these that covers every value published under it:

1. the value itself;
2. a label of the column's hierarchy, or of the halves of its numbers (:mod:`.halved_hierarchy`), the lowest of that
   name: it stands for the leaves under it;
3. ``*``, or a missing value: it stands for everything;
4. a range or a set as methods write them, ``[17, 25]``, ``a | b | c`` or ``a … c``, with ``missing`` before it or not:
   it stands for all values of the column from the first to the last, a set for those that it names, and with
   ``missing`` for the missing value as well;
5. anything else stands for the values that are published under it.

*Leaves* are those of the hierarchy, whether the column has them or not; of a column without one they are the different
values that the originals have. *Height* is the level of the label in the hierarchy, and of a label that is not there
the level of the lowest that covers it; in a column without a hierarchy, a value has height 0 and anything else 1.

Where it is not known which values are published under a label, :mod:`.covered_values` reads it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from shoal.data import Column
from shoal.data.written_label import ROOT, quoted, range_label, written_values
from shoal.kernels.numbering import distinct_pairs_of_codes

from .halved_hierarchy import HalvedHierarchy, halved_hierarchy
from .parsed_label import ParsedLabel, parsed_label
from .stretches import Stretch, Stretches

__all__ = ["Form", "PublishedColumn", "named_places", "published_column"]


Words = Sequence[str | None]
Places = Mapping[str | None, int]


def named_places(text: str, words: Words, place_of: Places, *, ordered: bool) -> tuple[range, ...] | None:
    """Return the places of the words that a label stands for, in separate ranges; None where it is no range or set.

    ``[a, b]`` is a range of numbers or dates, and ``a … c`` a stretch of the alphabet: all words from the first to the
    last. ``a | b | c`` are those that are named. Any of them, or a single word, may come after ``missing``, which is
    the first of the words then.
    """
    label = parsed_label(text, has_missing=words[0] is None)
    places = _places(label, place_of, ordered=ordered)
    if not label.with_missing:
        return places
    places = places or _from_to(label.text, label.text, place_of)
    return None if places is None else _joined([range(1), *places])


def _places(label: ParsedLabel, place_of: Places, *, ordered: bool) -> tuple[range, ...] | None:
    if ordered:
        return _from_to(label.parts[0], label.parts[1], place_of) if label.form == "interval" else None
    if label.form == "stretch":
        return _from_to(label.parts[0], label.parts[1], place_of)
    if label.form == "word" and label.parts != (label.text,):  # a word in quotes
        return _from_to(label.parts[0], label.parts[0], place_of)
    if label.form != "set":
        return None
    named = sorted({place_of[word] for word in label.parts if word in place_of})
    return _joined([range(place, place + 1) for place in named]) if named else None


def _from_to(first: str, last: str, place_of: Places) -> tuple[range, ...] | None:
    begin, end = place_of.get(first, -1), place_of.get(last, -1)
    return (range(begin, end + 1),) if 0 <= begin <= end else None


def _joined(stretches: Sequence[range]) -> tuple[range, ...]:
    """Join stretches, in their order, that touch."""
    joined = [stretches[0]]
    for each in stretches[1:]:
        if each.start <= joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, each.stop))
        else:
            joined.append(each)
    return tuple(joined)


Form = Literal["value", "node", "homonym", "everything", "range", "unknown"]
"""The rule by which a label was read; a *homonym* is a node whose name means something else on another level."""


@dataclass(frozen=True, eq=False, repr=False)
class PublishedColumn:
    """The value of each original record, the label of each published one, and the values each label may stand for.

    Values are 0, 1, … in the order of the values that the originals have, the missing one first.
    """

    values: pl.Series
    before: np.ndarray
    labels: np.ndarray
    listing: np.ndarray
    """Values, some of them more than once: those of a label stand together."""
    begins: np.ndarray
    """By label, where its values begin in the listing."""
    ends: np.ndarray
    lowest: np.ndarray
    """By label, the lowest value it may stand for."""
    highest: np.ndarray
    leaves: np.ndarray
    """By label, how many leaves it stands for."""
    heights: np.ndarray
    node_levels: np.ndarray
    """By label that is a node, on which of the levels it is."""
    forms: tuple[Form, ...]
    levels: tuple[np.ndarray, ...]
    """By level of the hierarchy, with halves if there may be any, the label of each value there; without one, the
    values and a root above them."""
    level_heights: tuple[int, ...]
    """By those levels, which level of the hierarchy it is; of a level of halves, the one above it."""
    n_leaves: int
    height: int

    @cached_property
    def counts(self) -> np.ndarray:
        """By label, how many published records have it."""
        return np.bincount(self.labels, minlength=len(self.begins))

    @property
    def covers(self) -> np.ndarray:
        """By label, how many values of the originals it may stand for."""
        return self.ends - self.begins

    def values_of(self, label: int) -> np.ndarray:
        """Return the values that one label may stand for, in their order."""
        return np.sort(self.listing[self.begins[label] : self.ends[label]])

    def sums(self, numbers: np.ndarray) -> np.ndarray:
        """Return by label the sum over the values it may stand for of a whole number that each value has."""
        sums = np.concatenate([[0], np.cumsum(numbers[self.listing])])
        return sums[self.ends] - sums[self.begins]


def published_column(original: Column, published: Column, origins: np.ndarray) -> PublishedColumn:
    """Read a published column, of which record i was record ``origins[i]`` of the original."""
    values, codes, before = _in_order(original)
    used = np.flatnonzero(np.bincount(published.codes, minlength=len(published.vocabulary)))
    numbers = np.zeros(len(published.vocabulary), np.int64)
    numbers[used] = np.arange(len(used))
    labels = numbers[published.codes]
    pairs = distinct_pairs_of_codes(labels, before[origins], len(values))
    under = pairs % len(values)
    borders = np.searchsorted(pairs // len(values), np.arange(len(used) + 1))
    texts = _texts(original, published.vocabulary.take(used))
    listed = Stretches(original.hierarchy, _halved(original, texts), codes, under)
    reader = _Reader(original, values, listed)
    found = [reader.read(text, *borders[label : label + 2].tolist()) for label, text in enumerate(texts)]
    stretches = np.array([stretch for _, stretch in found], np.int64).reshape(-1, len(Stretch._fields))
    begins, ends, lowest, highest, leaves, heights, node_levels = stretches.T
    return PublishedColumn(
        values,
        before,
        labels,
        listed.listing,
        begins,
        ends,
        lowest,
        highest,
        leaves,
        heights,
        node_levels,
        tuple(form for form, _ in found),
        listed.levels,
        listed.level_heights,
        listed.n_leaves,
        listed.height,
    )


def _in_order(column: Column) -> tuple[pl.Series, np.ndarray, np.ndarray]:
    """Return the values that occur in their order, their codes, and the place of each record's value among them."""
    used = np.flatnonzero(np.bincount(column.codes, minlength=len(column.vocabulary)))
    values = column.vocabulary.take(used)
    order = values.arg_sort(nulls_last=False).to_numpy().astype(np.int64)
    places = np.zeros(len(column.vocabulary), np.int64)
    places[used[order]] = np.arange(len(used))
    return values.gather(order), used[order], places[column.codes]


def _texts(original: Column, labels: pl.Series) -> list[str | None]:
    """Write labels as the original values are written: 1 is 1.0 where those are real numbers."""
    text, kind = written_values(labels), original.vocabulary.values.dtype
    if not (labels.dtype.is_numeric() and kind.is_numeric()):
        return text.to_list()
    cast = labels.cast(kind, strict=False)
    same = cast.cast(labels.dtype, strict=False).eq_missing(labels)
    return written_values(cast).zip_with(same, text).to_list()


def _halved(original: Column, texts: list[str | None]) -> HalvedHierarchy | None:
    """Return the hierarchy with halves between its levels where labels look like them: it takes time to make."""
    if not original.vocabulary.is_numeric or not any(text is not None and text.startswith("[") for text in texts):
        return None
    return halved_hierarchy(original.hierarchy, original.vocabulary)


class _Reader:
    """Reads the labels of one column, one by one."""

    def __init__(self, original: Column, values: pl.Series, stretches: Stretches) -> None:
        self._stretches = stretches
        self._ordered = original.vocabulary.is_ordered
        self._words = written_values(values).to_list()
        self._place_of = {word: place for place, word in enumerate(self._words)}
        self._leaves = _leaves(original)
        self._ends = _comparable(values, values.dtype)

    def read(self, text: str | None, begin: int, end: int) -> tuple[Form, Stretch]:
        """Read a label; begin and end say which of the pairs of labels and values are its own."""
        under = self._stretches.under(begin, end)
        if end - begin == 1 and self._is_value(text, under.lowest):
            return "value", under
        node = self._stretches.named(text, begin, end)
        if node is not None:
            return "homonym" if self._stretches.has_two_meanings(text) else "node", node
        if text is None or text == ROOT:
            return "everything", self._stretches.everything
        values = self._stretches.values_under(begin, end)
        places = self._narrowest(text, values)
        if places is None:
            places = named_places(text, self._words, self._place_of, ordered=self._ordered)
        if places is not None and _are_within(values, places):
            return "range", self._among(places)
        return "unknown", under

    def _is_value(self, text: str | None, place: int) -> bool:
        word = self._words[place]
        return text == word or (not self._ordered and word is not None and text == quoted(word))

    def _narrowest(self, text: str, values: np.ndarray) -> tuple[range, ...] | None:
        """Return the range of some values, with the missing one or not, if that is what a label is written as."""
        missing = self._words[values[0]] is None
        if missing and len(values) == 1:
            return None
        low, high = int(values[int(missing)]), int(values[-1])
        if text != range_label(self._words, low, high, ordered=self._ordered, missing=missing):
            return None
        if not missing or low == 1:
            return (range(0 if missing else low, high + 1),)
        return range(1), range(low, high + 1)

    def _among(self, places: tuple[range, ...]) -> Stretch:
        leaves = sum(self._leaves_between(each.start, each.stop - 1) for each in places)
        if len(places) == 1:
            return self._stretches.between(places[0].start, places[0].stop - 1, leaves)
        return self._stretches.apart(places, leaves)

    def _leaves_between(self, lowest: int, highest: int) -> int:
        """Count the leaves from one value to another."""
        if self._leaves is None:
            return highest - lowest + 1
        missing = self._words[lowest] is None
        if missing and lowest == highest:
            return 1
        first, last = self._ends[lowest + missing], self._ends[highest]
        below = self._leaves.search_sorted(first, side="left")
        return int(self._leaves.search_sorted(last, side="right")) - int(below) + missing


def _are_within(values: np.ndarray, places: tuple[range, ...]) -> bool:
    inside = [(each.start <= values) & (values < each.stop) for each in places]
    return bool(np.any(inside, axis=0).all())


def _leaves(column: Column) -> pl.Series | None:
    """Return the leaves of the hierarchy of numbers or dates in order."""
    if column.hierarchy is None or not column.vocabulary.is_ordered:
        return None
    whole = column.hierarchy.declared or column.hierarchy
    return _comparable(whole.labels[0].values, column.vocabulary.values.dtype).drop_nulls().sort()


def _comparable(values: pl.Series, kind: pl.DataType) -> pl.Series:
    """Return values that compare as those of this kind do; days as text are in the right order already."""
    return values.cast(kind, strict=False) if kind.is_numeric() else written_values(values)
