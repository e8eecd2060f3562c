"""The ends of a label that names a range or a set, as methods write them."""

from collections.abc import Mapping, Sequence

__all__ = ["label_ends"]

Words = Sequence[str | None]
Places = Mapping[str | None, int]


def label_ends(text: str, words: Words, place_of: Places, *, ordered: bool) -> tuple[int, int] | None:
    """Give the places of the first and the last word of a label; None where it does not name all words in between.

    ``[a, b]`` is a range of numbers or dates; ``a | b | c`` and ``a … c`` are stretches of the alphabet. Any of them,
    or a single word, may come after ``missing``, which is the first of the words then.
    """
    start = "missing or " if ordered else "missing | "
    if words[0] is None and text.startswith(start):
        rest = text.removeprefix(start)
        ends = _ends(rest, words, place_of, ordered=ordered) or _single(rest, place_of)
        return None if ends is None or ends[0] != 1 else (0, ends[1])
    return _ends(text, words, place_of, ordered=ordered)


def _ends(text: str, words: Words, place_of: Places, *, ordered: bool) -> tuple[int, int] | None:
    if ordered:
        first, _, last = text[1:-1].partition(", ")
        return _stretch(first, last, place_of) if text[:1] == "[" and text[-1:] == "]" else None
    first, between, last = text.partition(" … ")
    if between:
        return _stretch(first, last, place_of)
    named = text.split(" | ")
    ends = _stretch(named[0], named[-1], place_of)
    return ends if ends is not None and set(words[ends[0] : ends[1] + 1]) <= set(named) else None


def _single(word: str, place_of: Places) -> tuple[int, int] | None:
    return _stretch(word, word, place_of)


def _stretch(first: str, last: str, place_of: Places) -> tuple[int, int] | None:
    ends = place_of.get(first, -1), place_of.get(last, -1)
    return ends if 0 <= ends[0] <= ends[1] else None
