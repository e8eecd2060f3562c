"""The form of a label by its text alone, without the column or its values."""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from shoal.data.written_label import AND, MISSING, MORE, NUMBERED, QUOTE, ROOT, TO

__all__ = ["ParsedLabel", "parsed_label", "possible_readings"]

_STARTS: Final = (f"{MISSING} or ", f"{MISSING}{AND}")
"""The first before numbers and dates, the second before words."""
_TOKEN: Final = re.compile(rf"{QUOTE}((?:[^{QUOTE}]|{QUOTE}{QUOTE})*){QUOTE}(?={re.escape(AND)}|{TO}|\Z)", re.DOTALL)
"""A word in quotes, with a mark or nothing after it."""
_MARK: Final = re.compile(f"({re.escape(AND)}|{TO})")


class ParsedLabel(NamedTuple):
    """What a label seems to be; a word that looks like one of the others is taken for it."""

    form: Literal["everything", "interval", "half-open interval", "set", "open set", "stretch", "mask", "word"]
    parts: tuple[str, ...]
    """The two ends of an interval or a stretch, the named words of a set, the seen and the hidden letters of a mask.

    Words are without their quotes.
    """
    text: str
    """All of it, but for ``missing`` before it."""
    with_missing: bool = False
    """Whether it also stands for what is missing."""


def parsed_label(text: str, *, has_missing: bool = True) -> ParsedLabel:
    """Read ``*``, ``[a, b]``, ``[a, b)``, ``a | b | c``, ``a … c`` or ``43**``, with ``missing`` before it or alone.

    In a column that is known to have no missing value, ``missing`` is a word like any other. An *open set* has words
    that it does not name: ``a | b | 17 more``.
    """
    return next(_readings(text, has_missing=has_missing))


def possible_readings(text: str) -> list[ParsedLabel]:
    """Return every way to read a label: the words of a set may hold marks of their own, and ``missing`` be a word."""
    also = _without_missing(text) if text.startswith(_STARTS) else ()
    return [*_readings(text, has_missing=True), *(label for label in also if label.form != "word")]


def _readings(text: str, *, has_missing: bool) -> Iterator[ParsedLabel]:
    if has_missing and text == MISSING:
        yield ParsedLabel("set", (), "", with_missing=True)
        return
    rest = next((text.removeprefix(start) for start in _STARTS if has_missing and text.startswith(start)), None)
    for label in _without_missing(text if rest is None else rest):
        yield label if rest is None else label._replace(with_missing=True)


def _without_missing(text: str) -> Iterator[ParsedLabel]:
    """Read what is not ``missing``, the likeliest way first; there is one at least."""
    if text == ROOT:
        yield ParsedLabel("everything", (), text)
        return
    if (label := _with_quotes(text)) is not None:
        yield label
        return
    found = [*_stretches(text), *_sets(text), *_intervals(text)]
    seen = text.rstrip(ROOT)
    if seen not in ("", text):
        found.append(ParsedLabel("mask", (seen, text[len(seen) :]), text))
    yield from found or [ParsedLabel("word", (text,), text)]


def _with_quotes(text: str) -> ParsedLabel | None:
    """Read a word, a set or a stretch in which a word is quoted; None where none is."""
    if QUOTE not in text:
        return None
    words, marks, is_quoted, at = [], [], [], 0
    while True:
        token = _TOKEN.match(text, at)
        mark = _MARK.search(text, at if token is None else token.end())
        end = len(text) if mark is None else mark.start()
        words.append(text[at:end] if token is None else token[1].replace(QUOTE * 2, QUOTE))
        is_quoted.append(token is not None)
        if mark is None:
            break
        marks.append(mark[0])
        at = mark.end()
    if not any(is_quoted):
        return None
    if not marks:
        return ParsedLabel("word", tuple(words), text)
    if marks == [TO]:
        return ParsedLabel("stretch", tuple(words), text)
    if TO in marks:
        return None
    return _set(words, text, may_be_open=not is_quoted[-1])


def _stretches(text: str) -> Iterator[ParsedLabel]:
    at = text.find(TO)
    while at >= 0:
        yield ParsedLabel("stretch", (text[:at], text[at + len(TO) :]), text)
        at = text.find(TO, at + 1)


def _sets(text: str) -> Iterator[ParsedLabel]:
    if AND not in text:
        return
    yield _set(text.split(AND), text, may_be_open=True)


def _set(named: list[str], text: str, *, may_be_open: bool) -> ParsedLabel:
    *words, last = named
    bare = NUMBERED.sub("", last) if may_be_open else last
    if may_be_open and re.fullmatch(rf"[\d,]+{MORE}", bare, re.ASCII):
        return ParsedLabel("open set", tuple(words), text)
    if bare != last:
        return ParsedLabel("open set", (*words, last, bare), text)
    return ParsedLabel("set", (*words, last), text)


def _intervals(text: str) -> Iterator[ParsedLabel]:
    ends = tuple(text[1:-1].split(", "))
    if text[:1] == "[" and text[-1:] in ("]", ")") and len(ends) == 2:
        yield ParsedLabel("interval" if text[-1] == "]" else "half-open interval", ends, text)
