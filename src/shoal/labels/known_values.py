"""Values known from elsewhere, in every reading: as words, numbers and times."""

from functools import cached_property

import numpy as np
import polars as pl

from shoal.data.same_values import exact_number
from shoal.data.time_span import DAY, time_span
from shoal.data.written_label import written_values

__all__ = ["KnownValues"]

_LIKE_A_DAY = r"^[0-9]{1,4}[-./ ][0-9]{1,2}[-./ ][0-9]{1,4}|^(?:1[5-9]|2[0-9])[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9]$"
"""Days in the orders of all countries, alone or with a time."""


class KnownValues:
    """Values as they came, typed or as text."""

    def __init__(self, values: pl.Series) -> None:
        self.values = values
        self.words = written_values(values)
        self.missing = values.is_null().to_numpy()

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def number_of_word(self) -> dict[str | None, int]:
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def is_number(self) -> np.ndarray:
        """Which values are, or are written as, numbers."""
        return np.isfinite(self._doubles)

    @cached_property
    def is_time(self) -> np.ndarray:
        """Which values are, or are written as, times."""
        return self._spans[0] <= self._spans[1]

    @cached_property
    def other_words(self) -> tuple[pl.Series, ...]:
        """How else numbers may be written: 30 and 30.0; null for what is not a number."""
        doubles = pl.Series(self._doubles).fill_nan(None)
        whole = pl.Series(np.where(self.is_number, np.trunc(self._doubles), np.nan)).fill_nan(None)
        fits = (whole == doubles) & (doubles.abs() < 2**63)
        written = whole.set(~fits.fill_null(value=False), None).cast(pl.Int64, strict=False).cast(pl.String)
        return doubles.cast(pl.String), written

    @cached_property
    def may_be_written_otherwise(self) -> np.ndarray:
        """Which values a column of text may have in another form: days and times, and real numbers."""
        if self.values.dtype != pl.String:
            return self.is_time | (self.is_number & self.values.dtype.is_float())
        return self.words.str.contains(_LIKE_A_DAY).fill_null(value=False).to_numpy()

    def below(self, end: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Return which numbers are below a written end and which equal it; None where the end is no number."""
        exact = exact_number(end)
        if exact is None:
            return None
        try:
            near = float(exact)
        except OverflowError:
            near = np.inf if exact > 0 else -np.inf
        with np.errstate(invalid="ignore"):
            below, same = self._doubles < near, self._doubles == near
        for place in np.flatnonzero(same).tolist():  # of doubles that are the same, the decimals may not be
            number = exact_number(self.words[place])
            assert number is not None
            below[place], same[place] = number < exact, number == exact
        return below, same

    def within(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return which times lie within a span, and which only overlap it."""
        lows, highs = self._spans
        inside = self.is_time & (first <= lows) & (highs <= last)
        return inside, self.is_time & (lows <= last) & (first <= highs) & ~inside

    @cached_property
    def _doubles(self) -> np.ndarray:
        if self.values.dtype.is_numeric():
            return self.values.cast(pl.Float64).fill_null(np.nan).to_numpy().copy()
        if self.values.dtype != pl.String:
            return np.full(len(self), np.nan)
        doubles = self.words.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy().copy()
        for place in np.flatnonzero(~np.isnan(doubles)).tolist():
            if exact_number(self.words[place]) is None:
                doubles[place] = np.nan
        return doubles

    @cached_property
    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        """The first and the last microsecond of each; the last before the first of what is no time."""
        kind = self.values.dtype
        if kind == pl.Date:
            days = self.values.cast(pl.Int64).fill_null(0).to_numpy() * DAY
            return np.where(self.missing, 1, days), np.where(self.missing, 0, days + DAY - 1)
        if isinstance(kind, pl.Datetime):
            times = self.values.dt.cast_time_unit("us").cast(pl.Int64).fill_null(0).to_numpy()
            return np.where(self.missing, 1, times), np.where(self.missing, 0, times)
        spans = np.tile(np.array([[1], [0]], np.int64), len(self))
        if kind == pl.String:
            for place, word in enumerate(self.words):
                span = None if word is None else time_span(word)
                if span is not None:
                    spans[:, place] = span
        return spans[0], spans[1]
