"""The words of a column that a label names, as methods write ranges and sets."""

from collections.abc import Mapping, Sequence

from .parsed_label import ParsedLabel, parsed_label

__all__ = ["named_places"]

Words = Sequence[str | None]
Places = Mapping[str | None, int]


def named_places(text: str, words: Words, place_of: Places, *, ordered: bool) -> tuple[range, ...] | None:
    """Return the places of the words that a label stands for, in stretches that do not touch; None where it is no such.

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
