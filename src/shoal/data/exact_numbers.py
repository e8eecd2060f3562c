"""Numbers as they are written."""

from fractions import Fraction

import polars as pl

from shoal.errors import HierarchyError

__all__ = ["exact_numbers"]


def exact_numbers(numbers: pl.Series) -> list[int | Fraction | None]:
    """Give numbers exactly as decimals write them, because with doubles 0.3 would come to lie in [0.2, 0.3)."""
    if not numbers.dtype.is_numeric():
        raise HierarchyError("Intervals need a column of numbers.", "Use a mask or a file for this column.")
    if numbers.dtype.is_integer():
        return numbers.to_list()
    if numbers.dtype.is_float() and not numbers.drop_nulls().is_finite().all():
        raise HierarchyError("Intervals need finite numbers.", "Leave missing values empty.")
    return [None if number is None else Fraction(str(number)) for number in numbers]
