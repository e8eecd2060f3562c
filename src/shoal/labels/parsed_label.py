"""A label by what is written alone: neither the column nor its values are known."""

from typing import Final, Literal, NamedTuple

from shoal.data.reserved_labels import MISSING, ROOT

__all__ = ["ParsedLabel", "parsed_label"]

_STARTS: Final = (f"{MISSING} or ", f"{MISSING} | ")
"""The first before numbers and dates, the second before words."""


class ParsedLabel(NamedTuple):
    """What a label seems to be; a word that looks like one of the others is taken for it."""

    form: Literal["everything", "interval", "half-open interval", "set", "stretch", "mask", "word"]
    parts: tuple[str, ...]
    """The two ends of an interval or a stretch, the words of a set, the seen and the hidden letters of a mask."""
    text: str
    """All of it, but for ``missing`` before it."""
    with_missing: bool = False
    """Whether it also stands for what is missing."""


def parsed_label(text: str, *, has_missing: bool = True) -> ParsedLabel:
    """Read ``*``, ``[a, b]``, ``[a, b)``, ``a | b | c``, ``a … c`` or ``43**``, with ``missing`` before it or alone.

    In a column that is known to have no missing value, ``missing`` is a word like any other.
    """
    if not has_missing:
        return _without_missing(text)
    if text == MISSING:
        return ParsedLabel("set", (), "", with_missing=True)
    rest = next((text.removeprefix(start) for start in _STARTS if text.startswith(start)), None)
    return _without_missing(text) if rest is None else _without_missing(rest)._replace(with_missing=True)


def _without_missing(text: str) -> ParsedLabel:
    if text == ROOT:
        return ParsedLabel("everything", (), text)
    first, dots, last = text.partition(" … ")
    if dots:
        return ParsedLabel("stretch", (first, last), text)
    if " | " in text:
        return ParsedLabel("set", tuple(text.split(" | ")), text)
    ends = tuple(text[1:-1].split(", "))
    if text[:1] == "[" and text[-1:] in ("]", ")") and len(ends) == 2:
        return ParsedLabel("interval" if text[-1] == "]" else "half-open interval", ends, text)
    seen = text.rstrip("*")
    if seen not in ("", text):
        return ParsedLabel("mask", (seen, text[len(seen) :]), text)
    return ParsedLabel("word", (text,), text)
