"""Numbers in a schema: whole or not, but finite, and not true or false."""

import math
from typing import Annotated

from pydantic import BeforeValidator

__all__ = ["FiniteNumber", "finite_number"]


def finite_number(value: object) -> object:
    """Give the value back if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise ValueError("a finite number is expected")
    return value


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number beyond every other
        return False


FiniteNumber = Annotated[int | float, BeforeValidator(finite_number)]
