"""Which values published labels may stand for, without the originals.

Unlike in :mod:`.published_column`, it is not known which values are published under a label, and values need not occur
in the column. So there are three answers: a label covers a value, it does not, or that is not known. *It does not* is
said only where it is sure: intervals and periods are read by their ends if the value is written as a number or a time,
sets by what they name, stretches of the alphabet by the order of words, masks by what they show. A word is the value
itself, or a label of a hierarchy that nobody here knows.
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.data import Column, Vocabulary
from shoal.data.same_values import same_values
from shoal.data.time_span import time_span
from shoal.data.written_label import AND, NUMBERED, ROOT, written_values

from .known_values import KnownValues
from .parsed_label import ParsedLabel, possible_readings

__all__ = ["CoveredValues", "covered_values"]


class CoveredValues(NamedTuple):
    """A line for each label, a column for each value."""

    covered: np.ndarray
    """Whether the label stands for the value, among others."""
    unknown: np.ndarray
    """Whether that is not known; where a value is neither covered nor unknown, the label does not stand for it."""

    @property
    def possible(self) -> np.ndarray:
        """Whether the label may stand for the value."""
        return self.covered | self.unknown


def covered_values(labels: pl.Series, column: Column, values: pl.Series, *, explained: bool = True) -> CoveredValues:
    """Decide for each label which of the values it stands for, whether they are in the column or not.

    A label stands for itself, for everything (``*``), for what is below it in the hierarchy of the original column, and
    for what it says as methods write labels (:mod:`.parsed_label`). For values that the hierarchy knows, it alone
    decides what its labels stand for, but for closed intervals of numbers and dates, which are also cut without it.
    ``explained`` is whether the labels of the column are those of its hierarchy: if not, or if there is none, a word
    may be a label of any.
    """
    known = KnownValues(values)
    nodes = _Nodes(column, values)
    texts = written_values(labels)
    found = [_answer(text, known, nodes, explained=explained) for text in texts]
    shape = (len(texts), len(values))
    covered, unknown = (np.array([each[i] for each in found], bool).reshape(shape) for i in (0, 1))
    return CoveredValues(covered, unknown & ~covered)


_OF_WORDS = ("everything", "set", "open set", "stretch")
"""The other readings of a value of a column of words: labels that methods write there may look like a value."""
Answer = tuple[np.ndarray, np.ndarray]
"""Which values are covered, and of which that is not known."""


def _answer(text: str | None, known: KnownValues, nodes: "_Nodes", *, explained: bool) -> Answer:
    if text is None:
        return known.missing, np.zeros(len(known), bool)
    if explained and nodes.is_value(text):
        readings = [each for each in possible_readings(text) if each.form in _OF_WORDS or nodes.ordered]
        covered, unknown = _as_written(readings, known, explained=True)
    else:
        covered, unknown = _as_written(possible_readings(text), known, explained=explained and not nodes.exist)
    under = nodes.under(text)
    if under is not None:
        decided = nodes.placed if not _is_range(text) or not nodes.ordered else nodes.placed & under
        covered, unknown = np.where(decided, under, covered), unknown & ~decided
    named = known.number_of_word.get(text)
    if named is not None:
        covered = covered.copy()
        covered[named] = True
    return covered, unknown & ~covered


def _is_range(text: str) -> bool:
    return any(reading.form == "interval" for reading in possible_readings(text))


class _Nodes:
    """What the labels of a hierarchy stand for among the values."""

    def __init__(self, column: Column, values: pl.Series) -> None:
        hierarchy = column.hierarchy
        self.ordered = column.vocabulary.is_ordered
        self._hierarchy = None if hierarchy is None else hierarchy.declared or hierarchy
        self._leaves = np.full(len(values), -1)
        self._named: dict[str | None, list[tuple[int, int]]] = {}
        self._values = set(column.vocabulary.words)
        if self._hierarchy is None:
            return
        distinct, places = Vocabulary.encode(values)
        self._leaves = same_values(self._hierarchy.labels[0], distinct)[places]
        self._values |= set(self._hierarchy.labels[0].words)
        for level, labels in enumerate(self._hierarchy.labels[1:], start=1):
            for code, name in enumerate(labels.words):
                self._named.setdefault(name, []).append((level, code))

    @property
    def placed(self) -> np.ndarray:
        """Which values the hierarchy knows."""
        return self._leaves >= 0

    @property
    def exist(self) -> bool:
        """Whether there is a hierarchy."""
        return self._hierarchy is not None

    def is_value(self, text: str) -> bool:
        """Decide whether a label is a value of the column or of its hierarchy."""
        return text in self._values

    def under(self, text: str) -> np.ndarray | None:
        """Return which values lie under a label of that name on any level; None where there is no such label."""
        if self._hierarchy is None or text not in self._named:
            return None
        below = np.zeros(len(self._leaves), bool)
        for level, code in self._named[text]:
            below |= self._hierarchy.maps[level][self._leaves] == code
        return below & self.placed


def _as_written(readings: list[ParsedLabel], known: KnownValues, *, explained: bool) -> Answer:
    """Answer by every reading of a label; what none covers is not known if no reading says anything.

    Without any reading it is a word among words, and stands for itself.
    """
    covered, unknown = np.zeros((2, len(known)), bool)
    readable = not readings
    for reading in readings:
        answer = _by_form(reading, known, explained=explained)
        if reading.with_missing:
            covered = covered | known.missing
        if answer is not None:
            readable = True
            covered, unknown = covered | answer[0], unknown | answer[1]
    return (covered, unknown) if readable else (covered, np.ones(len(known), bool))


def _by_form(label: ParsedLabel, known: KnownValues, *, explained: bool) -> Answer | None:
    """Answer by one reading; None where it turns out to say nothing."""
    if label.form == "everything":
        return np.ones(len(known), bool), np.zeros(len(known), bool)
    if label.form == "stretch":
        return _in_stretch(label, known)
    if label.form in ("interval", "half-open interval"):
        return _in_interval(label.parts[0], label.parts[1], known, half_open=label.form != "interval")
    if label.form == "mask":
        return _masked(label, known)
    if label.form in ("set", "open set"):
        return _in_set(label, known)
    if label.parts != (label.text,):  # in quotes: no other word is meant
        return _plain(known.words == label.parts[0]), np.zeros(len(known), bool)
    return _named(label.text, known, explained=explained)


def _named(word: str, known: KnownValues, *, explained: bool) -> Answer | None:
    """Answer of a single word, which may be a number, a day or a longer time."""
    span = _in_interval(word, word, known)
    if span is not None:
        return span
    # nothing but stars may be the mask of what is missing; a number at the end distinguishes equal labels
    is_plain = bool(word.rstrip(ROOT)) and not NUMBERED.search(word)
    return (np.zeros(len(known), bool), known.may_be_written_otherwise) if explained and is_plain else None


def _in_interval(low: str, high: str, known: KnownValues, *, half_open: bool = False) -> Answer | None:
    """Answer by the ends, as numbers and as times; None where they are neither."""
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    first, last = known.below(low), known.below(high)
    if first is not None and last is not None:
        inside = known.is_number & ~first[0] & (last[0] if half_open else last[0] | last[1])
        found.append((known.is_number, inside, np.zeros(len(known), bool)))
    begin, end = time_span(low), time_span(high)
    if begin is not None and end is not None:
        found.append((known.is_time, *known.within(begin[0], end[0] - 1 if half_open else end[1])))
    if not found:
        return None
    comparable, covered, partly = (np.any([each[i] for each in found], axis=0) for i in range(3))
    return covered, partly | ~(comparable | known.missing)


def _in_set(label: ParsedLabel, known: KnownValues) -> Answer:
    """Answer by the words that are named; a value with marks of its own is named where it stands between marks."""
    text = f"{AND}{label.text}{AND}"
    # in a set with quotes, no word holds marks without them
    as_they_are = label.form == "open set" or AND.join(label.parts) == label.text
    covered = np.array([as_they_are and word is not None and f"{AND}{word}{AND}" in text for word in known.words], bool)
    unknown = np.zeros(len(known), bool)
    parts = [_in_interval(part, part, known) for part in label.parts]
    for part in parts:
        if part is not None:
            covered, unknown = covered | part[0], unknown | part[1]
    covered |= _plain(known.words.is_in(list(label.parts)))
    if label.form == "open set":
        return covered, np.ones(len(known), bool)
    if not all(part is not None for part in parts) or not parts:
        # among words, a word that is not named is none of them, though numbers may be named beside it
        unknown = known.may_be_written_otherwise.copy() if parts else unknown
    return covered, unknown


def _in_stretch(label: ParsedLabel, known: KnownValues) -> Answer | None:
    first, last = label.parts
    if first > last:
        return None
    covered = _plain(known.words.is_between(pl.lit(first), pl.lit(last)))
    return covered, known.may_be_written_otherwise


def _masked(label: ParsedLabel, known: KnownValues) -> Answer:
    """Answer by the letters that are seen; shorter codes were filled up, and longer ones somebody else may have cut.

    Text that looks like a number may be a code with leading zeros: then its number says nothing about the mask.
    """
    seen, length = label.parts[0], len(label.text)
    covered, unknown = np.zeros((2, len(known)), bool)
    for words in (known.words, *known.other_words):
        begins = _plain(words.str.starts_with(seen))
        fits = begins & _plain(words.str.len_chars() <= length)
        is_sure = words is known.words or known.values.dtype.is_numeric()
        covered, unknown = covered | (fits & is_sure), unknown | begins
    return covered, unknown | known.may_be_written_otherwise


def _plain(mask: pl.Series) -> np.ndarray:
    return mask.fill_null(value=False).to_numpy()
