"""Messages that repeat what they were given, however long, and stay short."""

import re

__all__ = ["shortened"]

_LONGEST_WORD, _LONGEST = 300, 2000


def shortened(message: str) -> str:
    """Return a message with the middle of each long word left out, and of the whole where it is long all the same."""
    words = re.sub(rf"\S{{{_LONGEST_WORD + 1},}}", lambda word: _without_middle(word[0], _LONGEST_WORD), message)
    return _without_middle(words, _LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-longest // 4 :]}"
