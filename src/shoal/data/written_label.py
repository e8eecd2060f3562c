"""How labels are written; :mod:`shoal.labels` reads them by the same marks."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from .reserved_labels import MISSING, ROOT

__all__ = [
    "AND",
    "MORE",
    "TO",
    "half_open_interval",
    "interval",
    "named_set",
    "numbered",
    "open_set",
    "range_label",
    "written_values",
]

AND: Final = " | "
"""Between the words of a set."""
TO: Final = " … "
"""Between the first and the last word of a stretch of the alphabet."""
MORE: Final = " more"
"""At the end of a set that does not name all of its words, after their number."""


def written_values(values: pl.Series) -> pl.Series:
    """Return values as labels write them: times as ISO 8601 does, without zeros at the end."""
    return values.dt.to_string(_TIME) if isinstance(values.dtype, pl.Datetime) else values.cast(pl.String)


_TIME: Final = "%Y-%m-%dT%H:%M:%S%.f"


def interval(low: str, high: str) -> str:
    """Return the label of all numbers or dates from one to another, both among them."""
    return f"[{low}, {high}]"


def half_open_interval(low: str, high: str) -> str:
    """Return the label of all numbers from one to another, the last not among them."""
    return f"[{low}, {high})"


def named_set(words: Sequence[str]) -> str:
    """Return the label of some words, each of which it names."""
    return AND.join(words)


def open_set(named: Sequence[str], others: int) -> str:
    """Return the label of some words and of so many others, which it does not name."""
    return AND.join([*named, f"{others:,}{MORE}"])


def numbered(label: str, number: int) -> str:
    """Return a label told from another that would be written alike."""
    return f"{label} ({number})"


def range_label(words: Sequence[str | None], low: int, high: int, *, ordered: bool) -> str | None:
    """Return the label of all words from one place to another, of which only the first of all may be missing.

    Numbers and dates (ordered) are told by their ends. Of other words a short set names each; a long one, in the order
    of the alphabet, the first and the last: a label that names thousands of values would be longer than the data.
    """
    if low == high:
        return words[low]
    if not ordered and low == 0 and high == len(words) - 1:
        return ROOT
    if words[low] is None:
        return f"{MISSING}{' or ' if ordered else AND}{range_label(words, low + 1, high, ordered=ordered)}"
    named = [str(word) for word in words[low : high + 1]]
    if ordered:
        return interval(named[0], named[-1])
    return AND.join(named) if len(named) <= _MOST_NAMED else f"{named[0]}{TO}{named[-1]}"


_MOST_NAMED: Final = 12
