"""Which sensitive values are similar."""

from fractions import Fraction

import numpy as np

from shoal.data import Column, Vocabulary

from .exposure import Exposure
from .sensitive_attribute import SensitiveAttribute

__all__ = ["value_categories"]


def value_categories(exposure: Exposure, attribute: SensitiveAttribute, level: int, parts: int) -> np.ndarray | None:
    """Give the category of each value of an attribute; None where nothing tells them.

    For a column: the categories of its schema; else the labels of a level of its hierarchy, unless that is the root;
    else, for numbers and dates, parts of equal length between the lowest and the highest that are published. For
    ratings: parts of equal length of the scale. A value that is in no category is one of its own.
    """
    if exposure.truth.kind == "ratings":
        codes = np.arange(attribute.n_values)
        return np.minimum(codes * parts // (attribute.n_values - 1), parts - 1)
    column = exposure.tables[0][attribute.name]
    told = _of_column(column, attribute, level, parts)
    if told is None:
        return None
    alone = np.full(attribute.n_values, -1)
    alone[: len(told)] = told
    alone[alone < 0] = alone.max(initial=-1) + 1 + np.arange(np.count_nonzero(alone < 0))
    return alone


def _of_column(column: Column, attribute: SensitiveAttribute, level: int, parts: int) -> np.ndarray | None:
    if column.categories:
        return column.category_of
    if column.hierarchy is not None and level < column.hierarchy.height:
        return column.hierarchy.maps[level].astype(np.int64)
    return _parts(column.vocabulary, attribute.seen, parts) if column.vocabulary.is_ordered else None


def _parts(vocabulary: Vocabulary, published: np.ndarray, parts: int) -> np.ndarray:
    """Divide the range of what is published; in fractions, because a double may come to lie across a border."""
    numbers = [_exact(value) for value in vocabulary.values.to_physical()]
    inside = [number for code in np.unique(published) if (number := _at(numbers, int(code))) is not None]
    lowest, highest = (min(inside), max(inside)) if inside else (Fraction(0), Fraction(0))
    return np.array([-1 if number is None else _part(number, lowest, highest, parts) for number in numbers], np.int64)


def _exact(value: float | None) -> Fraction | None:
    return None if value is None or not np.isfinite(value) else Fraction(str(value))


def _at(numbers: list[Fraction | None], code: int) -> Fraction | None:
    """Look a value up; words that were made for the release are no numbers."""
    return numbers[code] if code < len(numbers) else None


def _part(number: Fraction, lowest: Fraction, highest: Fraction, parts: int) -> int:
    if lowest == highest:
        return 0
    return min(max(int((number - lowest) * parts // (highest - lowest)), 0), parts - 1)
