"""Numbers that stand for a missing rating, as surveys and rating files write them."""

from collections.abc import Collection
from fractions import Fraction

__all__ = ["suspected_nulls"]

_BELOW = frozenset({-1, -7, -8, -9, -77, -88, -97, -98, -99, -777, -888, -998, -999, -9999})
_ABOVE = frozenset({77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 9999})
_JUST_ABOVE = frozenset({8, 9})
"""No answer on a scale of few points, as in 1 to 5 and 9."""
_FEWEST_POINTS = 3


def suspected_nulls(values: Collection[Fraction]) -> tuple[int, ...]:
    """Return the numbers that are usual for *no answer* and lie apart from all others; the lowest first.

    A mark is suspected, not known: −1 and 1 to 10 may be a scale. On −1, 0, 1 it is not: such scales are common.
    """
    marks = sorted({*_below(values), *_above(values), *_just_above(values)})
    return tuple(marks) if len(set(values) - set(map(Fraction, marks))) >= _FEWEST_POINTS else ()


def _below(values: Collection[Fraction]) -> set[int]:
    negative = {value for value in values if value < 0}
    rest = set(values) - negative
    unlike_a_scale = bool(rest) and (min(rest) >= 1 or max(rest) >= 4)
    return {int(value) for value in negative} if unlike_a_scale and negative <= _BELOW and len(negative) <= 3 else set()


def _above(values: Collection[Fraction]) -> set[int]:
    """Return marks that lie farther above the others than twice the others' width."""
    rest = [value for value in values if value not in _ABOVE and value not in _BELOW]
    if not rest:
        return set()
    far = max(rest) + 2 * (max(rest) - min(rest) + 1)
    return {int(value) for value in values if value in _ABOVE and value >= far}


def _just_above(values: Collection[Fraction]) -> set[int]:
    """Return 8 and 9 where everything else is 1 to 4, 5, 6 or 7, each of which occurs."""
    marks = {value for value in values if value in _JUST_ABOVE}
    rest = {value for value in values if value >= 0 and value not in _ABOVE} - marks
    gap = bool(marks) and bool(rest) and min(marks) - max(rest) >= 2  # 8 after 7 is the next point
    whole = rest in [{Fraction(point) for point in range(1, most + 1)} for most in range(4, 8)]
    return {int(mark) for mark in marks} if gap and whole else set()
