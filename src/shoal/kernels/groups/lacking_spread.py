"""By how much the spread of the sensitive values of a set of rows falls short, while rows come and go.

A set is known by a line of whole numbers that add up over its rows: how many rows; then for every sensitive column how
many have a value, the sum of the values and that of their squares. A line of needs says what is asked of every column:
which reading of the spread (see :data:`READINGS`), the square it must reach, whether a column in which nobody has a
value is accepted, and how far a missing value is from any other and where the lowest value lies, for those readings
that ask. Squares that are equal as fractions are equal as doubles here, so edges are met; verdicts are exact elsewhere.
"""

import numpy as np

from shoal.kernels.compiled import compiled

__all__ = ["READINGS", "lacking_spread"]

READINGS = ("non-null", "pairwise", "over-all", "null-as-zero")
"""The readings of the standard deviation, in the order in which needs number them."""


@compiled
def lacking_spread(totals: np.ndarray, amounts: np.ndarray, added: int, taken: int, needs: np.ndarray) -> float:
    """Return the sum, over needs and columns, of the share that the squared spread falls short of what is asked.

    It is that of the set after one row of the amounts was added and one taken away, −1 for none.
    """
    lacking = 0.0
    if len(needs) == 0:
        return lacking
    columns = (len(totals) - 1) // 3
    size = _after(totals, amounts, added, taken, 0)
    for column in range(columns):
        given = _after(totals, amounts, added, taken, 1 + column)
        total = _after(totals, amounts, added, taken, 1 + columns + column)
        squares = _after(totals, amounts, added, taken, 1 + 2 * columns + column)
        for need in needs:
            if need[1] <= 0 or (given == 0 and need[0] != 1 and need[2] > 0):
                continue
            square = _square(int(need[0]), size, given, total, squares, need[3], need[4])
            if square < need[1]:
                lacking += 1 - square / need[1]
    return lacking


@compiled
def _after(totals, amounts, added, taken, place):
    number = totals[place]
    if added >= 0:
        number += amounts[added, place]
    if taken >= 0:
        number -= amounts[taken, place]
    return number


@compiled
def _square(reading, size, given, total, squares, null_steps, lowest):
    """Return the squared spread of one column."""
    variance, nulls = given * squares - total * total, size - given
    if reading == 1 and size > 0:
        return (2 * variance + null_steps * null_steps * nulls * (2 * given + nulls - 1)) / (2 * size * size)
    if given == 0:
        return 0.0
    if reading == 0:
        return variance / (given * given)
    if reading == 2:
        return variance / (given * size)
    moved = lowest * given + total
    return (variance * given + nulls * moved * moved) / (given * given * size)
