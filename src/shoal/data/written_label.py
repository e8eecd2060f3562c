"""Labels of generalized values, as they are written; :mod:`shoal.labels` reads them by the same marks.

*Quotes.* A label names one set of values. So a value that would be read as something else, because it has marks of its
own, is written in double quotes, those in it doubled: ``"ash | oak" | birch``. Alone it is quoted only if it looks like
a set, a stretch or a reserved label; in a set also if it looks like the end of a set that is not named whole.
"""

import re
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

import polars as pl

__all__ = [
    "AND",
    "MISSING",
    "MORE",
    "NUMBERED",
    "QUOTE",
    "ROOT",
    "TO",
    "half_open_interval",
    "interval",
    "named_set",
    "numbered",
    "open_set",
    "plain_number",
    "quoted",
    "range_label",
    "written_values",
]


ROOT: Final = "*"
"""Any value at all."""
MISSING: Final = "missing"
"""No value, on levels where other values are generalized to intervals, dates or sets."""


AND: Final = " | "
"""Between the words of a set."""
TO: Final = " … "
"""Between the first and the last word of a stretch of the alphabet."""
MORE: Final = " more"
"""At the end of a set that does not name all of its words, after their number."""
QUOTE: Final = '"'
"""Around a word that would be read as something else."""
NUMBERED: Final = re.compile(r" \(\d+\)$", re.ASCII)
"""The mark that distinguishes labels that would be written alike."""


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


def quoted(word: str) -> str:
    """Return a word in quotes."""
    return f"{QUOTE}{word.replace(QUOTE, QUOTE * 2)}{QUOTE}"


def named_set(words: Sequence[str | None]) -> str:
    """Return the label of some words, each of which it names; a single one as it is."""
    if len(words) == 1:
        return MISSING if words[0] is None else words[0]
    return AND.join(_in_set(words, has_missing=None in words))


def open_set(named: Sequence[str | None], others: int) -> str:
    """Return the label of the ``named`` words and of a number of ``others``, which it does not name."""
    return AND.join([*_in_set(named, has_missing=None in named), f"{others:,}{MORE}"])


def _in_set(words: Sequence[str | None], *, has_missing: bool) -> list[str]:
    """Write each word so that it is not mistaken for the marks of sets."""
    written = []
    for word in words:
        misread = word is not None and (
            _is_misread(f" {word} ", word, has_missing=has_missing) or not word or _LIKE_AN_END.search(word)
        )
        written.append(MISSING if word is None else quoted(word) if misread else word)
    return written


def _alone(word: str, *, has_missing: bool) -> str:
    """Write a word that stands for itself alone."""
    return quoted(word) if _is_misread(word, word, has_missing=has_missing) else word


def _is_misread(text: str, word: str, *, has_missing: bool) -> bool:
    """Decide whether a word, in its place, would be read as something else."""
    if AND in text or TO in text or word == ROOT or word.startswith(QUOTE):
        return True
    return has_missing and (word == MISSING or word.startswith(f"{MISSING} or "))


_LIKE_AN_END: Final = re.compile(rf"^[\d,]+{MORE}$|{NUMBERED.pattern}", re.ASCII)
"""Words that, at the end of a set, would be read as saying that it has others."""


def numbered(label: str, number: int) -> str:
    """Return a label with a number that distinguishes it from others that would be written alike."""
    return f"{label} ({number})"


def range_label(
    words: Sequence[str | None], low: int, high: int, *, ordered: bool, missing: bool = False
) -> str | None:
    """Return the label of all words from one place to another, and with ``missing`` of the missing value as well.

    Only the first of all words may be missing; a range that begins with it stands for it and for the words after it.
    Numbers and dates (``ordered``) are written by their ends. Of other words a short set names each; a long one, in the
    order of the alphabet, the first and the last: a label that names thousands of values would be longer than the data.
    """
    has_missing = words[0] is None
    if words[low] is None:
        if high == low:
            return None
        low, missing = low + 1, True
    if not ordered and low == int(has_missing) < high + missing and high == len(words) - 1 and missing == has_missing:
        return ROOT
    if missing:
        return f"{MISSING}{' or ' if ordered else AND}{_range(words, low, high, ordered=ordered, alone=False)}"
    return _range(words, low, high, ordered=ordered, alone=True)


def _range(words: Sequence[str | None], low: int, high: int, *, ordered: bool, alone: bool) -> str:
    """Write a range or set of words none of which is missing; ``alone`` if nothing is written before it."""
    named = [str(word) for word in words[low : high + 1]]
    if ordered:
        return named[0] if len(named) == 1 else interval(named[0], named[-1])
    has_missing = words[0] is None
    if len(named) == 1 and alone:
        return _alone(named[0], has_missing=has_missing)
    if len(named) <= _MOST_NAMED:
        return AND.join(_in_set(named, has_missing=has_missing))
    return TO.join(_in_set([named[0], named[-1]], has_missing=has_missing))


_MOST_NAMED: Final = 12


def plain_number(number: Fraction) -> str:
    """Write a number without an exponent, exactly wherever a decimal can."""
    if number.denominator == 1:
        return str(number.numerator)
    with localcontext() as context:
        context.prec = len(str(number.numerator)) + number.denominator.bit_length() + 28
        return f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
