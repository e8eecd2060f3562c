"""Quasi-identifiers that are numbers before and after."""

from dataclasses import dataclass

import numpy as np

from shoal.data import Column, Microdata

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["ToldNumbers", "told_numbers"]


@dataclass(frozen=True, eq=False, repr=False)
class ToldNumbers:
    """Numbers of the people published, a column each, in z-scores of the originals; NaN where one is missing."""

    before: np.ndarray
    after: np.ndarray
    """As published, by the means and standard deviations of the originals."""


def told_numbers(comparison: Comparison) -> ToldNumbers:
    """Read the columns that are numbers before and after and differ between people before; raise if there is none."""
    if not isinstance(comparison.whole, Microdata):
        raise Unmeasurable("Defined on tables only.")
    before, after = [], []
    for original, published in comparison.columns:
        if original.vocabulary.is_numeric and published.vocabulary.is_numeric:
            numbers, told = _numbers(original), _numbers(published)
            if np.fmin.reduce(numbers, initial=np.inf) >= np.fmax.reduce(numbers, initial=-np.inf):
                continue
            # by a power of two, which rounds nothing: squares of numbers however large or small are numbers again
            power = np.frexp(np.nanmax(np.abs(numbers)))[1]
            numbers, told = np.ldexp(numbers, -power), np.ldexp(told, -power)
            mean, deviation = np.nanmean(numbers), np.nanstd(numbers, ddof=1)
            before.append((numbers - mean) / deviation)
            after.append((told - mean) / deviation)
    if not before:
        raise Unmeasurable("No quasi-identifier is a number before and after, and differs between people.")
    return ToldNumbers(np.stack(before, axis=1), np.stack(after, axis=1))


def _numbers(column: Column) -> np.ndarray:
    return column.vocabulary.numbers[column.codes]
