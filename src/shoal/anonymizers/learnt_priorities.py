"""Attribute priorities learnt from what is to be foretold: the more an attribute tells of it, the more it is useful."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shoal.evidence import conditional_entropy, entropy

__all__ = ["learnt_priorities"]


def learnt_priorities(columns: Sequence[np.ndarray], target: np.ndarray) -> tuple[Fraction, ...]:
    """Give each column's information gain H(target) − H(target | column), as a share of the greatest of them.

    Where no column tells anything of the target all have 0. A column that names people one by one tells everything of
    any target: put numbers into bins first, and do not ask it of names.
    """
    unknown = entropy(target)
    gains = [max(0.0, unknown - conditional_entropy(target, column)) for column in columns]
    most = Fraction(max(gains, default=0.0)) or Fraction(1)
    return tuple(Fraction(gain) / most for gain in gains)
