"""Exact numbers as labels write them."""

from decimal import Decimal, localcontext
from fractions import Fraction

__all__ = ["plain_number"]


def plain_number(number: Fraction) -> str:
    """Write a number without an exponent, exactly wherever a decimal can."""
    if number.denominator == 1:
        return str(number.numerator)
    with localcontext() as context:
        context.prec = len(str(number.numerator)) + number.denominator.bit_length() + 28
        return f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
