"""How much of the data a page may show: no page weighs 100 kB, however long values and names are."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from markupsafe import escape

__all__ = ["cut", "cut_to_fit", "escaped_bytes", "leading"]

_Thing = TypeVar("_Thing")
_LENGTHS = (200, 100, 60, 40, 25, 15, 8)
"""How many letters of a field are shown, as far as there is room."""


def escaped_bytes(text: str) -> int:
    """Return how many bytes a text has on a page."""
    return len(str(escape(text)).encode("utf-8", "replace"))


def cut(text: str, letters: int) -> str:
    """Return a text with no more than so many letters, the last of them ``…`` where some were left out."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def cut_to_fit(rows: Sequence[Sequence[str | None]], most: int) -> list[list[str | None]]:
    """Return fields as long as they can be so that all of them together have at most so many bytes, if they can."""
    made: list[list[str | None]] = []
    for letters in _LENGTHS:
        made = [[None if each is None else cut(each, letters) for each in row] for row in rows]
        if sum(escaped_bytes(each) for row in made for each in row if each is not None) <= most:
            break
    return made


def leading(things: Iterable[_Thing], most: int, weigh: Callable[[_Thing], int]) -> list[_Thing]:
    """Return the first things that weigh at most so much together; the very first in any case."""
    found: list[_Thing] = []
    room = most
    for each in things:
        room -= weigh(each)
        if room < 0 and found:
            break
        found.append(each)
    return found
