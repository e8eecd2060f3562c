"""The ends of a label that names a range or a set, as methods write them."""

from collections.abc import Mapping, Sequence

from .parsed_label import ParsedLabel, parsed_label

__all__ = ["label_ends"]

Words = Sequence[str | None]
Places = Mapping[str | None, int]


def label_ends(text: str, words: Words, place_of: Places, *, ordered: bool) -> tuple[int, int] | None:
    """Give the places of the first and the last word of a label; None where it does not name all words in between.

    ``[a, b]`` is a range of numbers or dates; ``a | b | c`` and ``a … c`` are stretches of the alphabet. Any of them,
    or a single word, may come after ``missing``, which is the first of the words then.
    """
    label = parsed_label(text, has_missing=words[0] is None)
    ends = _ends(label, words, place_of, ordered=ordered)
    if not label.with_missing:
        return ends
    ends = ends or _stretch((label.text,), place_of)
    return (0, ends[1]) if ends is not None and ends[0] == 1 else None


def _ends(label: ParsedLabel, words: Words, place_of: Places, *, ordered: bool) -> tuple[int, int] | None:
    if label.form not in (("interval",) if ordered else ("set", "stretch")) or not label.parts:
        return None
    ends = _stretch(label.parts, place_of)
    is_whole = label.form != "set" or (ends is not None and set(words[ends[0] : ends[1] + 1]) <= set(label.parts))
    return ends if is_whole else None


def _stretch(parts: Sequence[str], place_of: Places) -> tuple[int, int] | None:
    ends = place_of.get(parts[0], -1), place_of.get(parts[-1], -1)
    return ends if 0 <= ends[0] <= ends[1] else None
