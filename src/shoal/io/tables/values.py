"""Types of the values of a table: numbers, dates or text."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import polars as pl

from shoal.data import Column, Vocabulary
from shoal.errors import DataError
from shoal.io.not_numbers import COMMA_NUMBER, NotNumbers

__all__ = ["NOT_FINITE", "Type", "encoded_values", "nearly_numbers", "typed_values"]

_INTEGER = r"^-?(?:0|[1-9][0-9]{0,17})$"
_NUMBER = r"^-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?$"
_TIME = "%Y-%m-%dT%H:%M:%S%.f"
_FEW = 1000
"""How many different texts are looked at to say what they are."""
NOT_FINITE = r"^(?i)[+-]?(?:nan|inf|infinity)$"
"""How numbers are written that are not finite."""

Type = Literal["number", "text", "date"]


def typed_values(
    values: pl.Series,
    wanted: Type | None,
    null: Sequence[float | str] = (),
    *,
    as_written: bool,
    decimal: Literal[".", ","] = ".",
) -> pl.Series:
    """Return values as 64-bit numbers, dates or text.

    Text becomes numbers only if every value is written as numbers are: a leading zero, as in the zip code 02139, makes
    it text. Spaces around a field are stripped, and marks that mean null become null. ``decimal`` is the sign before
    decimals.
    """
    dtype = values.dtype
    if isinstance(dtype, pl.Duration):
        raise DataError(
            f"The column {values.name!r} holds lengths of time.", "Write them as numbers, of seconds or days."
        )
    if isinstance(dtype, pl.Time):
        values = values.dt.to_string("%H:%M:%S%.f")  # a cast leaves parts of a second out
    if dtype == pl.Date or (isinstance(dtype, pl.Datetime) and dtype.time_zone is None):
        return values.cast(pl.String) if wanted == "text" else values
    if dtype.is_numeric():
        return _of_numbers(values, wanted, null)
    texts = _without_nulls(values.cast(pl.String), null)
    if decimal == "," and wanted in ("number", None) and as_written:
        texts = _with_points(texts)
    return _of_text(texts, wanted, as_written=as_written)


def encoded_values(values: pl.Series, typed: Callable[[pl.Series], pl.Series]) -> tuple[Vocabulary, np.ndarray]:
    """Return the vocabulary and the codes of values as ``typed`` makes them; texts that repeat are typed once.

    Their type depends on which texts there are, and not on how often or in what order.
    """
    if values.dtype != pl.String or 2 * values.head(_FIRST).n_unique() > min(len(values), _FIRST):
        return Vocabulary.encode(typed(values))
    written, codes = Vocabulary.encode(values)
    try:
        vocabulary, numbers = Vocabulary.encode(typed(written.values.rename(values.name)))
    except DataError:
        return Vocabulary.encode(typed(values))  # it raises too, and counts records
    return vocabulary, numbers[codes]


def _without_nulls(texts: pl.Series, null: Sequence[float | str]) -> pl.Series:
    texts = texts.str.strip_chars()
    if not null and not (texts == "").any():
        return texts
    marks = pl.Series(["", *(str(mark) for mark in null)])
    numbers = [float(mark) for mark in null if not isinstance(mark, str)]
    is_null = pl.first().is_in(marks.implode())
    if numbers:  # a number means null however numbers are written: 99 and 99.0, but not the code 099
        written_so = pl.first().str.contains(_NUMBER)
        is_null |= written_so & pl.first().cast(pl.Float64, strict=False).is_in(numbers).fill_null(value=False)
    return texts.to_frame().select(pl.when(~is_null).then(pl.first())).to_series()


def _with_points(texts: pl.Series) -> pl.Series:
    """Return numbers with decimal commas as numbers with points, if all texts are such numbers."""
    if not texts.drop_nulls().str.contains(COMMA_NUMBER).all():
        return texts
    return texts.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)


def _of_text(texts: pl.Series, wanted: Type | None, *, as_written: bool) -> pl.Series:
    if wanted == "date":
        return _dates(texts)
    if wanted == "text" or (wanted is None and not as_written):
        return texts
    if wanted is None and _is_of_words(texts.head(_FIRST).drop_nulls()):
        return texts  # one word decides that a column is text
    whole = _whole_numbers(texts)
    if whole is not None:
        return whole
    given = texts.drop_nulls()
    # where most values differ, finding the different ones takes longest
    unique = 2 * given.head(_FIRST).n_unique() < _FIRST
    given = given.unique() if unique else given
    if len(given) and given.head(_FIRST).str.contains(_INTEGER).all() and given.str.contains(_INTEGER).all():
        return texts.cast(pl.Int64)
    if wanted == "number" and (long := _long_whole_numbers(texts)) is not None:
        return long
    numbers = given.cast(pl.Float64, strict=False)
    written_so = wanted == "number" or bool(given.str.contains(_NUMBER).all())
    if len(given) and written_so and numbers.is_finite().fill_null(value=False).all():
        return numbers if not unique and not texts.null_count() else texts.cast(pl.Float64)
    _refuse_not_finite(texts, given)
    if wanted == "number" and len(given):
        other = texts.cast(pl.Float64, strict=False).null_count() - texts.null_count()
        found = _not_numbers(given)
        raise DataError(
            f"{other:,} values of the column {texts.name!r} {found.fault}.",
            f'{found.cure} Or say type = "text" for this column.',
            found.declare,
        )
    return texts.cast(pl.Float64) if wanted == "number" else texts


_FIRST = 1_000
_TOO_LONG = 10**18
"""Whole numbers of more than eighteen digits are text: some of them would not fit."""


def _is_of_words(given: pl.Series) -> bool:
    """Return whether some value is neither a number nor a word for one that is not finite."""
    return not given.str.contains(f"{_NUMBER}|{NOT_FINITE}").all()


def _whole_numbers(texts: pl.Series) -> pl.Series | None:
    """Return whole numbers if all are written the usual way; None leaves it open."""
    if not texts.head(_FIRST).drop_nulls().str.contains(_INTEGER).all():
        return None
    numbers = texts.cast(pl.Int64, strict=False)
    if numbers.null_count() != texts.null_count() or numbers.null_count() == len(numbers):
        return None
    too_long = numbers.to_frame().select((pl.first() >= _TOO_LONG) | (pl.first() <= -_TOO_LONG)).to_series().any()
    return numbers if not too_long and bool((numbers.cast(pl.String) == texts).all()) else None


def _long_whole_numbers(texts: pl.Series) -> pl.Series | None:
    """Return declared numbers of up to 64 bits if all are whole: as floats, some that differ would be the same."""
    numbers = texts.cast(pl.Int64, strict=False)
    if numbers.null_count() != texts.null_count() or numbers.null_count() == len(numbers):
        return None
    return numbers if bool((numbers.cast(pl.String) == texts).all()) else None


def _not_numbers(given: pl.Series) -> NotNumbers:
    odd = given.filter(given.cast(pl.Float64, strict=False).is_null())
    return NotNumbers.among(odd.to_list())


def nearly_numbers(column: Column) -> str | None:
    """Say why a column is text although most of its values are numbers; None if they are not, or for no known reason.

    Whoever expects numbers would otherwise not notice that one ``NA`` has turned ages into words.
    """
    words = column.vocabulary.values
    if words.dtype != pl.String:
        return None
    given = pl.DataFrame({"word": words, "count": column.counts}).drop_nulls()
    odd = given.filter(~pl.col("word").str.contains(_NUMBER))
    found = NotNumbers.among(odd["word"].head(_FEW).to_list())
    other, total = int(odd["count"].sum()), int(given["count"].sum())
    if not other or not found.is_known or (2 * other > total and not found.declare.get("decimal")):
        return None
    return f"The column {column.name!r} is read as text: {other:,} of its values {found.fault}. {found.cure}"


def _refuse_not_finite(texts: pl.Series, given: pl.Series) -> None:
    """Refuse a column of numbers some of which are NaN or infinite; among other words such words are text."""
    odd = given.filter(~given.str.contains(_NUMBER))
    if len(odd) < len(given) and odd.str.contains(NOT_FINITE).all():
        count = int(texts.drop_nulls().str.contains(NOT_FINITE).sum())
        raise _not_finite(texts.name, count)


def _not_finite(name: str, count: int) -> DataError:
    return DataError(
        f"{count:,} values of the column {name!r} are NaN or infinite.",
        'Leave missing values empty, or declare the mark as null = ["NaN"].',
    )


def _dates(texts: pl.Series) -> pl.Series:
    for parse in (pl.first().str.to_date("%Y-%m-%d", strict=False), pl.first().str.to_datetime(_TIME, strict=False)):
        parsed = texts.to_frame().select(parse).to_series()
        if parsed.null_count() == texts.null_count():
            return parsed
    raise DataError(
        f"Some values of the column {texts.name!r} are not dates such as 2025-12-31.",
        'Write all of them like that, or say type = "text".',
    )


def _of_numbers(values: pl.Series, wanted: Type | None, null: Sequence[float | str]) -> pl.Series:
    marks = [float(mark) for mark in null if not isinstance(mark, str)]
    if values.dtype.is_float() and any(mark.lower() == "nan" for mark in null if isinstance(mark, str)):
        values = values.fill_nan(None)
    if marks:
        values = values.to_frame().select(pl.when(~pl.first().is_in(marks)).then(pl.first())).to_series()
    is_whole = values.dtype.is_integer() or (isinstance(values.dtype, pl.Decimal) and values.dtype.scale == 0)
    whole = values.cast(pl.Int64, strict=False) if is_whole else None
    if whole is not None and whole.null_count() == values.null_count():
        values = whole
    elif whole is not None or _needs_more_digits(values):
        return _as_exact_text(values, wanted)
    else:
        # through text, so that 0.1 in single precision is 0.1 and not its nearest single-precision number
        values = values.cast(pl.String).cast(pl.Float64) if values.dtype == pl.Float32 else values.cast(pl.Float64)
        odd = values.len() - int(values.is_finite().fill_null(value=True).sum())
        if odd:
            raise _not_finite(values.name, odd)
    return values.cast(pl.String) if wanted == "text" else values


def _needs_more_digits(values: pl.Series) -> bool:
    """Return whether different decimals would become the same number, so that people would seem alike who are not."""
    return isinstance(values.dtype, pl.Decimal) and values.n_unique() != values.cast(pl.Float64).n_unique()


def _as_exact_text(values: pl.Series, wanted: Type | None) -> pl.Series:
    """Return numbers that 64 bits do not hold as text, as they are when they are read from text."""
    if wanted == "number":
        raise DataError(
            f"Some values of the column {values.name!r} have more digits than a number of 64 bits holds.",
            'Say type = "text" for this column, or leave it open.',
        )
    return values.cast(pl.String)
