"""Ratings as written (*marks*), turned exactly into codes of a scale."""

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import polars as pl

from shoal.data import PRESENT, Scale
from shoal.errors import DataError, SchemaError
from shoal.io.not_numbers import NotNumbers, with_point
from shoal.io.schemas import RatingsSchema
from shoal.kernels.numbering import count_values, look_up, number_floats

from .id_codes import TextNumbers
from .null_marks import suspected_nulls

__all__ = ["RatingMarks"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?")
_TRUTH = {"true": "1", "false": "0"}
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


class RatingMarks:
    """Numbers the distinct marks of a file in order of first occurrence, and finally decides what each means.

    There are few distinct marks however many ratings there are, so each is interpreted once, as an exact fraction.
    """

    def __init__(self, schema: RatingsSchema | None) -> None:
        self._schema = schema or RatingsSchema()
        self._texts = TextNumbers()
        self._counts = np.zeros(0, np.int64)
        self.refused: tuple[int, ...] = ()
        """The numbers of the marks that :meth:`finish` refused."""

    def add(self, marks: pl.Series) -> np.ndarray:
        """Return the number of each mark of a batch, in the smallest type that holds them."""
        marks = marks.cast(pl.Int8) if marks.dtype == pl.Boolean else marks
        if _spans_little(marks):
            return self._by_table(marks)
        if marks.dtype == pl.Float64 and not marks.null_count():
            found, places = number_floats(marks.to_numpy().view(np.uint64), _FEW)
            if len(places):
                return self._by_number(pl.Series(found.view(np.float64)), places)
        numbers = self._numbers(marks)
        times = np.bincount(numbers)
        self._count(np.arange(len(times)), times)
        return numbers.astype(np.min_scalar_type(len(self._counts)))

    def add_counted(self, marks: pl.Series, times: np.ndarray) -> np.ndarray:
        """Return the number of each of some marks, which occur so many times each."""
        numbers = self._numbers(marks.cast(pl.Int8) if marks.dtype == pl.Boolean else marks)
        self._count(numbers, times)
        return numbers

    def finish(self) -> tuple[Scale, np.ndarray, tuple[str, ...]]:
        """Return the scale, the code of each number on it (−1 for null), and notes for the owner."""
        texts = [self._as_number(text.strip()) for text in self._texts.texts().to_list()]
        values = self._values(texts)
        if self._schema.kind == "sets":
            return self._presence(values)
        scale = self._schema.rating_scale
        notes = [f"Ratings range from {scale}, as declared."] if scale else []
        if scale is None:
            given = [value for value in values if value is not None]
            self._refuse_suspected(values, suspected_nulls(given))
            scale = _scale_in_data(given)
            notes = [f"Ratings range from {scale}: taken from the data, not declared."]
            notes += ["If 0 means that nothing was rated, say null = [0] in the schema."] * _may_be_null(scale)
        codes = np.array([-1 if value is None else _code(value, scale) for value in values], np.int64)
        self._refuse_off_scale(codes, scale)
        nulls = int(self._counts[codes[: len(self._counts)] == _NULL].sum())
        return scale, codes.astype(np.int32), (*notes, *([f"{nulls:,} ratings are null."] if nulls else []))

    def _as_number(self, text: str) -> str:
        """Return a number with a decimal comma, if the schema says that there are some, as one with a point.

        Of sets, true and false are 1 and 0: a table of who has what is often written so.
        """
        if self._schema.kind == "sets" and text not in self._schema.null:
            text = _TRUTH.get(text.lower(), text)
        return with_point(text) if self._schema.decimal == "," else text

    def _presence(self, values: Sequence[Fraction | None]) -> tuple[Scale, np.ndarray, tuple[str, ...]]:
        """Return what marks say of sets: null and 0 are *not in it*, and any other number is *in it*."""
        negative = [i for i, value in enumerate(values) if value is not None and value < 0]
        if negative:
            raise DataError(
                f"{self._refused(negative):,} counts are negative.",
                "Correct them, or declare marks that mean null as null = [-1].",
            )
        codes = np.array([0 if value else -1 for value in values], np.int32)
        counts = self._counts[: len(values)]
        reduced = int(sum(n for n, value in zip(counts.tolist(), values, strict=False) if value not in (None, 0, 1)))
        notes = (f"Counts are read as 1, whatever they are (other than 1: {reduced:,}).",) * bool(reduced)
        return PRESENT, codes, notes

    def _count(self, numbers: np.ndarray, times: np.ndarray) -> None:
        """Add to the count of each number."""
        counts = np.zeros(max(len(self._counts), int(numbers.max(initial=0)) + 1), np.int64)
        counts[: len(self._counts)] = self._counts
        np.add.at(counts, numbers, times)
        self._counts = counts

    def _numbers(self, marks: pl.Series) -> np.ndarray:
        return self._texts.add(marks.cast(pl.String).fill_null(""))

    def _by_table(self, marks: pl.Series) -> np.ndarray:
        """Number integers by way of the few that occur, instead of turning each into text."""
        values, lowest, highest = marks.to_numpy(), int(marks.min()), int(marks.max())  # type: ignore[arg-type]
        counts = count_values(values, lowest, highest)
        table = np.zeros(len(counts), np.uint32)
        table[counts > 0] = self._numbers(pl.Series(np.flatnonzero(counts) + lowest))
        self._count(table, counts)
        return look_up(values, lowest, table.astype(np.min_scalar_type(len(self._counts))))

    def _by_number(self, different: pl.Series, places: np.ndarray) -> np.ndarray:
        """Number floats by way of the few distinct ones: turning each into text would be slow."""
        numbers = self._numbers(different)
        self._count(numbers, count_values(places, 0, len(numbers) - 1))
        return look_up(places, 0, numbers.astype(np.min_scalar_type(len(self._counts))))

    def _values(self, texts: Sequence[str]) -> list[Fraction | None]:
        """Return the number each mark stands for, None for null."""
        null_texts = {"", *(mark for mark in self._schema.null if isinstance(mark, str))}
        null_numbers = {Fraction(str(mark)) for mark in self._schema.null if not isinstance(mark, str)}
        self._refuse_marks(texts, null_texts)
        values = [None if text in null_texts else Fraction(text) for text in texts]
        return [None if value in null_numbers else value for value in values]

    def _refuse_marks(self, texts: Sequence[str], null_texts: set[str]) -> None:
        other = [i for i, text in enumerate(texts) if text not in null_texts and not _NUMBER.fullmatch(text)]
        endless = [i for i in other if _NOT_FINITE.fullmatch(texts[i])]
        if endless:
            raise DataError(
                f"{self._refused(endless):,} ratings are NaN or infinite.",
                'Leave missing ratings empty, or declare the mark as null = ["NaN"].',
            )
        if other:
            found = NotNumbers.among([texts[i] for i in other])
            raise DataError(f"{self._refused(other):,} ratings {found.fault}.", found.cure, found.declare)

    def _refuse_off_scale(self, codes: np.ndarray, scale: Scale) -> None:
        off, between = np.flatnonzero(codes == _OFF).tolist(), np.flatnonzero(codes == _BETWEEN).tolist()
        if off:
            raise DataError(
                f"{self._refused(off):,} ratings lie outside the declared scale {scale}.",
                "Correct the scale in the schema, or declare these marks as null = […].",
            )
        if between:
            raise DataError(
                f"{self._refused(between):,} ratings lie between the points of the declared scale {scale}.",
                "Declare the step, as in step = 0.5, or round = true to round them to the nearest point.",
            )

    def _refuse_suspected(self, values: Sequence[Fraction | None], suspected: Sequence[int]) -> None:
        """Refuse a scale that would be taken from marks that likely mean null."""
        if not suspected:
            return
        numbers = [i for i, value in enumerate(values) if value in suspected]
        given = [value for value in values if value is not None]
        ends = f"[{_plain(min(given))}, {_plain(max(given))}]"
        raise SchemaError(
            f"{self._refused(numbers):,} ratings are {' or '.join(map(str, suspected))}, which lies apart from the "
            "others and often means that nothing was rated.",
            f"If so, say null = {list(suspected)} in the schema; if it is a rating, say scale = {ends}.",
            {"null": list(suspected)},
        )

    def _refused(self, marks: Sequence[int]) -> int:
        self.refused = tuple(marks)
        return int(self._counts[list(marks)].sum())


_NULL, _OFF, _BETWEEN = -1, -2, -3
_SMALL_SPAN = 1 << 16
_FEW = 1 << 12


def _spans_little(marks: pl.Series) -> bool:
    if not marks.dtype.is_integer() or marks.dtype == pl.UInt64 or marks.null_count() or not len(marks):
        return False
    return int(marks.max()) - int(marks.min()) < _SMALL_SPAN  # type: ignore[arg-type]


def _code(value: Fraction, scale: Scale) -> int:
    if not scale.lowest <= value <= scale.highest:
        return _OFF
    steps = (value - scale.lowest) / scale.step
    if steps.denominator == 1:
        return int(steps)
    return (steps + Fraction(1, 2)).__floor__() if scale.rounding else _BETWEEN


def _scale_in_data(values: Sequence[Fraction]) -> Scale:
    if not values:
        raise DataError("There are no ratings to take the scale from.", "Declare it, as in scale = [1, 5].")
    lowest, highest = min(values), max(values)
    finest = max(value.denominator for value in values)
    if finest > 2:
        raise SchemaError(
            "The ratings are not all multiples of 0.5, and their scale is not declared.",
            "Declare it, as in scale = [-10, 10], with step = 0.1 or round = true.",
        )
    if lowest == highest:
        raise _all_equal(lowest)
    return Scale(lowest, highest, Fraction(1, finest))


def _all_equal(rating: Fraction) -> SchemaError:
    """Say how a file is read in which every line says the same: that somebody bought, watched or liked an item."""
    message = "All ratings are equal, so the data do not show their scale."
    if rating != 1:
        return SchemaError(message, "Declare it in the schema, as in scale = [1, 5].")
    return SchemaError(
        message,
        'If a line says no more than that somebody bought, watched or liked an item, say kind = "sets" in the schema; '
        "if people rate, say how, as in scale = [1, 5].",
        {"kind": "sets"},
    )


def _may_be_null(scale: Scale) -> bool:
    """Tell whether 0 is the lowest point of a scale that may as well begin at 1, as 0 to 5 may."""
    return scale.lowest == 0 and scale.highest > 1


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)
