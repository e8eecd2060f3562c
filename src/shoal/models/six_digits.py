"""Levels that are told with six decimals, so that what is told is reached."""

from fractions import Fraction

__all__ = ["at_least", "at_most"]

_UNIT = 10**6


def at_most(number: Fraction) -> float:
    """Round down: for levels of which more is better."""
    return number.numerator * _UNIT // number.denominator / _UNIT


def at_least(number: Fraction) -> float:
    """Round up: for levels of which less is better."""
    return -(-number.numerator * _UNIT // number.denominator) / _UNIT
