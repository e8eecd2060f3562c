"""Whether a published label is true of an original value."""

from fractions import Fraction

import polars as pl

from shoal.data import Column

__all__ = ["covers"]


def covers(label: str | None, column: Column, code: int) -> bool:
    """Tell whether a label may stand for the value of a code.

    It may when it is the value itself, everything (``*``), a label of the value in the column's hierarchy, an interval
    around it, a set that holds it, or a stretch of the alphabet; missing values are told as ``missing``, alone or with
    others.
    """
    value = column.vocabulary.values.cast(pl.String)[code]
    if label == value or label == "*":
        return True
    if label is None:
        return False
    if column.hierarchy is not None and label in _ancestors(column, code):
        return True
    told = "missing" if value is None else value
    return (
        told in label.split(" | ")
        or _is_quoted(label, value)
        or _in_alphabet(label, value)
        or _in_range(label, column, code)
    )


def _is_quoted(label: str, value: str | None) -> bool:
    """Read ``"a | b" | c``, where a value with marks of its own stands in quotes."""
    return value is not None and ' | "{}" | '.format(value.replace('"', '""')) in f" | {label} | "


def _in_alphabet(label: str, value: str | None) -> bool:
    """Read ``a … b``, all words from a to b in the order of their letters."""
    first, dots, last = label.removeprefix("missing | ").partition(" … ")
    return bool(dots) and value is not None and first.encode() <= value.encode() <= last.encode()


def _ancestors(column: Column, code: int) -> list[str | None]:
    hierarchy = column.hierarchy
    assert hierarchy is not None
    levels = zip(hierarchy.labels, hierarchy.maps, strict=True)
    return [labels.values.cast(pl.String)[int(codes[code])] for labels, codes in levels]


def _in_range(label: str, column: Column, code: int) -> bool:
    """Read ``[a, b]``, ``[a, b)`` of numbers, and ``missing or …``."""
    values = column.vocabulary.values
    if label.startswith("missing or "):
        return values[code] is None or covers(label.removeprefix("missing or "), column, code)
    if values[code] is None or not column.vocabulary.is_ordered or not (label[0] == "[" and label[-1] in "])"):
        return False
    low, _, high = label[1:-1].partition(", ")
    if column.vocabulary.is_numeric:
        number = Fraction(str(values[code]))
        return Fraction(low) <= number and (number < Fraction(high) if label[-1] == ")" else number <= Fraction(high))
    return low <= str(values[code]) <= high  # days as they are written stand in the order of time
