"""Figures as people write them: names, numbers and shares."""

import re
from collections.abc import Mapping

__all__ = ["format_count", "format_level", "format_name", "format_number", "format_share"]


def format_number(number: float) -> str:
    """Write a number as people do: 30,162 and 0.25."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.1f}"


def format_count(number: int, thing: str, things: str | None = None) -> str:
    """Write how many of a thing there are: "1 group", "2 groups", "3 classes" where ``things`` is the odd plural."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def format_level(level: Mapping[str, int | float]) -> str:
    """Write the parameters that are reached: "k = 5, l = 2"."""
    return ", ".join(f"{key} = {format_number(value)}" for key, value in level.items())


def format_name(name: str) -> str:
    """Write the name of a figure in words: ``at_risk_above_0_09`` becomes "at risk above 0.09"."""
    return re.sub(r"(?<=\d)_(?=\d)", ".", name).replace("_", " ")


def format_share(share: float) -> str:
    """Write a share in whole percent, so that it differs from none and all where it does."""
    if 0 < share < 0.01:
        return "below 1 %"
    if 0.99 < share < 1:
        return "above 99 %"
    return f"{100 * share:.0f} %"
