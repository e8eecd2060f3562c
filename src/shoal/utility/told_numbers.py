"""Quasi-identifiers that are numbers before and after."""

from dataclasses import dataclass

import numpy as np

from shoal.data import Column, Microdata

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["ToldNumbers", "told_numbers"]


@dataclass(frozen=True, eq=False, repr=False)
class ToldNumbers:
    """Numbers, a column each, in z-scores of all originals, the withheld ones included; NaN where one is missing."""

    before: np.ndarray
    """The originals of the people published."""
    after: np.ndarray
    """As published, by the means and standard deviations of the originals."""
    withheld: np.ndarray
    """The originals of those who are not published."""


def told_numbers(comparison: Comparison) -> ToldNumbers:
    """Read the columns that are numbers before and after and differ between people before; raise if there is none."""
    if not isinstance(comparison.whole, Microdata):
        raise Unmeasurable("Defined on tables only.")
    withheld = np.ones(len(comparison.whole), bool)
    withheld[comparison.origins] = False
    before, after, left_out = [], [], []
    for original, published in comparison.columns:
        if original.vocabulary.is_numeric and published.vocabulary.is_numeric:
            numbers, told = _numbers(comparison.whole[original.name]), _numbers(published)
            if np.fmin.reduce(numbers, initial=np.inf) >= np.fmax.reduce(numbers, initial=-np.inf):
                continue
            # by a power of two, which rounds nothing: squares of numbers however large or small are numbers again
            power = np.frexp(np.nanmax(np.abs(numbers)))[1]
            numbers, told = np.ldexp(numbers, -power), np.ldexp(told, -power)
            mean, deviation = np.nanmean(numbers), np.nanstd(numbers, ddof=1)
            scores = (numbers - mean) / deviation
            before.append(scores[comparison.origins])
            after.append((told - mean) / deviation)
            left_out.append(scores[withheld])
    if not before:
        raise Unmeasurable("No quasi-identifier is a number before and after, and differs between people.")
    return ToldNumbers(*(np.stack(each, axis=1) for each in (before, after, left_out)))


def _numbers(column: Column) -> np.ndarray:
    return column.vocabulary.numbers[column.codes]
