"""Numbers as people write them."""

import re

__all__ = ["format_name", "format_number", "format_share", "shortened"]


_LONGEST_WORD, _LONGEST = 300, 2000


def shortened(message: str) -> str:
    """Return a message with the middle of each long word left out, and of the whole where it is long all the same."""
    words = re.sub(rf"\S{{{_LONGEST_WORD + 1},}}", lambda word: _without_middle(word[0], _LONGEST_WORD), message)
    return _without_middle(words, _LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-longest // 4 :]}"


def format_number(number: float) -> str:
    """Write a number as people do: 30,162 and 0.25."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.1f}"


def format_name(name: str) -> str:
    """Write the name of a figure in words: ``at_risk_above_0_09`` is told as "at risk above 0.09"."""
    return re.sub(r"(?<=\d)_(?=\d)", ".", name).replace("_", " ")


def format_share(share: float) -> str:
    """Write a share in whole percent, so that it differs from none and all where it does."""
    if 0 < share < 0.01:
        return "below 1 %"
    if 0.99 < share < 1:
        return "above 99 %"
    return f"{100 * share:.0f} %"
