"""Columns that say how a sample was drawn: weights, households and strata.

*Classes of weights.* A weight is a fingerprint: few records share it. Where the schema asks for it, weights are
published in a few classes of about equal numbers of records, equal weights in one class, and the number that stands for
a class is the mean weight of its records to three significant digits. So weighted totals of the sample stay about as
they were. The classes are a stratum of their own, which promises count as observable.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, Role
from shoal.errors import DataError, SchemaError
from shoal.wording.format import format_count

__all__ = [
    "notes_on_sample",
    "odd_weights",
    "refuse_missing_of_sample",
    "refuse_odd_weights",
    "refuse_text_weights",
    "refuse_unfit_for_sample",
    "weight_classes",
]

_DIGITS = 3
_LARGEST = 1e15  # sums of weights stay exact enough


def refuse_unfit_for_sample(column: Column) -> None:
    """Refuse weights that are not positive numbers, and households and strata with missing values."""
    if column.role not in (Role.WEIGHT, Role.HOUSEHOLD, Role.STRATUM):
        return
    missing = int(column.counts[column.vocabulary.values.is_null().to_numpy()].sum())
    refuse_missing_of_sample(column.name, column.role, missing)
    if column.role is Role.WEIGHT:
        refuse_text_weights(column.name, column.dtype)
        refuse_odd_weights(column.name, odd_weights(column.values))


def refuse_missing_of_sample(name: str, role: Role, missing: int) -> None:
    """Refuse a column of this role if values are missing in it."""
    if missing:
        raise DataError(
            f"The column {name!r} has the role {role}, and {missing:,} records have no value in it.",
            "Fill it, leave those records out, or give the column another role.",
        )


def refuse_text_weights(name: str, dtype: pl.DataType) -> None:
    """Refuse weights that are not numbers."""
    if not dtype.is_numeric():
        raise DataError(
            f"The column {name!r} has the role weight, and does not hold numbers.",
            "Name the column of sampling weights, or give this one another role.",
        )


def odd_weights(weights: pl.Series) -> int:
    """Count weights that are no positive numbers, or too large ones."""
    numbers = weights.cast(pl.Float64).to_numpy()
    return int(np.count_nonzero(~((numbers > 0) & (numbers <= _LARGEST))))


def refuse_odd_weights(name: str, odd: int) -> None:
    """Refuse weights if some are no positive numbers, or too large ones."""
    if odd:
        raise DataError(
            f"{odd:,} weights in the column {name!r} are not positive numbers of at most {_LARGEST:g}.",
            "A weight is the number of people of the population that a record represents.",
        )


def weight_classes(columns: Sequence[Column], number: int | None) -> list[Column]:
    """Return the column of weights in at most this ``number`` of classes, as a stratum; none where none is wanted."""
    if number is None:
        return []
    weight = next(column for column in columns if column.role is Role.WEIGHT)
    name = f"{weight.name}_class"
    if any(column.name == name for column in columns):
        raise SchemaError(
            f"There is a column {name!r} already, which is the name of the classes of weights.",
            "Rename it, or leave out weight_classes.",
        )
    classes = _class_means(weight.values.cast(pl.Float64).to_numpy(), number)
    return [Column.encode(name, Role.STRATUM, pl.Series(classes))]


def _class_means(weights: np.ndarray, number: int) -> np.ndarray:
    """Return for each record the mean weight of its class, rounded."""
    _, of_value, counts = np.unique(weights, return_inverse=True, return_counts=True)
    before = np.cumsum(counts) - counts  # equal weights go where the first of them belongs
    classes = (before * number // len(weights))[of_value]
    _, classes = np.unique(classes, return_inverse=True)
    means = np.bincount(classes, weights) / np.bincount(classes)
    return np.array([float(f"{mean:.{_DIGITS}g}") for mean in means])[classes]


def notes_on_sample(table: Microdata) -> list[str]:
    """Return what the records are a sample of, in sentences; nothing where no column says it."""
    notes = []
    weights, households = table.weights, table.households
    if weights is not None and weights.sum() > len(table):
        notes.append(f"The weights add up to {weights.sum():,.0f}: the records are a sample of about that many.")
    elif weights is not None:
        notes.append(
            f"The weights of {format_count(len(table), 'record')} add up to {weights.sum():,.0f}: weights that are "
            "scaled to the size of the sample do not say how many people a record represents."
        )
    if households is not None:
        notes.append(f"The records belong to {len(np.unique(households)):,} households.")
    return notes
