"""How far a table is anonymised, be it told at different levels for different records."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from .anonymisation_degree import anonymisation_degree

__all__ = ["table_degree"]


def table_degree(levels: np.ndarray, degrees: Sequence[Sequence[Fraction]], priorities: Sequence[Fraction]) -> Fraction:
    """Give the mean degree of the records, of which ``levels`` has a line each: at which level each attribute is told.

    ``degrees`` says for each attribute how far each of its levels is anonymised.

    *Reference.* Sun, thesis, Definition 4.6. Tables 4.1(b) and (c) have 0.0278 and 0.0833; printed are 0.05 and 0.125.
    """
    means = []
    for told, of_level in zip(levels.T, degrees, strict=True):
        counts = np.bincount(told, minlength=len(of_level)).tolist()
        total = sum((count * degree for count, degree in zip(counts, of_level, strict=True)), Fraction(0))
        means.append(total / max(len(levels), 1))
    return anonymisation_degree(means, priorities)
