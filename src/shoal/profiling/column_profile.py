"""One column in figures: type, missing and distinct values, range, quantiles, mean, frequent values, histogram."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from .column_values import ColumnValues, CountedValues

__all__ = ["ColumnProfile", "Histogram", "Quantiles", "column_profile"]


@dataclass(frozen=True)
class Quantiles:
    """The ends of a column and values between: the q-quantile is the least value that a share q does not exceed.

    Each is a value that occurs: a number, or a date as ISO 8601 writes it.
    """

    lowest: float | str
    percent_1: float | str
    percent_25: float | str
    median: float | str
    percent_75: float | str
    percent_99: float | str
    highest: float | str


@dataclass(frozen=True)
class Histogram:
    """How many records are in each bin."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class ColumnProfile:
    """The figures of one column. The repr shows no value."""

    name: str
    type: Literal["number", "text", "date"]
    rows: int
    distinct: int
    """The number of distinct values, not counting the missing one."""
    missing: int
    whole: bool | None
    """Whether all numbers are whole; None where they are no numbers."""
    mean: float | None
    quantiles: Quantiles | None
    """Of numbers and dates."""
    far_out: tuple[Literal["lowest", "highest"], ...]
    """Which end lies so far from nearly all other values that it may be an error."""
    frequent: tuple[tuple[str, int], ...]
    """The most frequent values that more than one record has, with the number of records."""
    histogram: Histogram | None
    """None where nearly every record has a value of its own, which is text."""
    null_marks: tuple[tuple[str, int], ...] = ()
    """Usual marks of a missing value that occur as text, with the number of records."""
    points: tuple[int, ...] = ()
    """All values, where they are whole numbers and as few as the points of a scale."""

    @property
    def is_constant(self) -> bool:
        """Whether all records are alike in it."""
        return self.distinct + (self.missing > 0) <= 1

    @property
    def is_unique(self) -> bool:
        """Whether no two records share a value."""
        return self.distinct == self.rows - self.missing > 1

    def __repr__(self) -> str:
        return f"ColumnProfile({self.name!r}, {self.type}, {self.distinct:,} distinct, {self.missing:,} missing)"

    def to_json(self, *, values: bool) -> dict[str, Any]:
        """Return the figures; frequent values only if asked for."""
        shown: dict[str, Any] = {"distinct_share": self.distinct / max(self.rows - self.missing, 1)}
        if self.whole is not None:
            shown |= {"whole": self.whole, "mean": self.mean}
        if self.quantiles is not None:
            shown |= {"quantiles": asdict(self.quantiles), "far_out": list(self.far_out)}
        if self.null_marks:
            shown["null_marks"] = dict(self.null_marks)
        if values:
            shown["frequent"] = [{"value": value, "records": records} for value, records in self.frequent]
        return shown


_FREQUENT = 5
_MOST_POINTS = 13
"""Scales of more than 0 to 10, and two marks for no answer, are rare."""
_FAR = 10
"""An end is far out if it is so many times as far from the 1 % or 99 % quantile as these are from each other; of few
records, twice as many times as far from a quartile as the quartiles are from each other."""
_MANY = 200
_BINS = 20
_BARS = 12
_MARKS = ("?", "??", "NA", "N/A", "n/a", "na", "#N/A", "null", "NULL", "None", "none", "nan", "NaN", "-", "--", ".")


def column_profile(column: ColumnValues) -> ColumnProfile:
    """Return the figures of a column."""
    counted = column.counted
    quantiles = _quantiles(counted) if column.type != "text" and len(counted) else None
    number = column.type == "number" and len(counted) > 0
    return ColumnProfile(
        column.name,
        column.type,
        counted.rows,
        len(counted),
        counted.missing,
        whole=_is_whole(counted.values) if number else None,
        mean=_mean(counted) if number else None,
        quantiles=None if quantiles is None else Quantiles(*(_written(value) for value in quantiles)),
        far_out=_far_out(quantiles, counted.given) if quantiles is not None else (),
        frequent=_frequent(counted),
        histogram=_histogram(counted, column.type),
        null_marks=_null_marks(counted) if column.type == "text" else (),
        points=_points(counted.values) if number and len(counted) <= _MOST_POINTS else (),
    )


def _points(values: pl.Series) -> tuple[int, ...]:
    return tuple(map(int, values.to_list())) if _is_whole(values) else ()


def _is_whole(values: pl.Series) -> bool:
    return values.dtype.is_integer() or bool((values == values.round(0)).all())


def _mean(counted: CountedValues) -> float:
    numbers = counted.values.cast(pl.Float64).to_numpy()
    return float((numbers * (counted.counts / counted.given)).sum())


def _quantiles(counted: CountedValues) -> pl.Series:
    """Return the values of the ranks ⌈q·n⌉, which are found in whole numbers."""
    below = np.cumsum(counted.counts)
    n = int(below[-1])
    ranks = [1, *(-(-n * percent // 100) for percent in (1, 25, 50, 75, 99)), n]
    return counted.values.gather(np.searchsorted(below, ranks))


def _far_out(quantiles: pl.Series, n: int) -> tuple[Literal["lowest", "highest"], ...]:
    lowest, percent_1, percent_25, _, percent_75, percent_99, highest = map(float, quantiles.to_physical().to_list())
    low, high, times = (percent_1, percent_99, _FAR) if n >= _MANY else (percent_25, percent_75, 2 * _FAR)
    reach = times * (high - low)
    if reach == 0:
        return ()
    return (*(("lowest",) if low - lowest > reach else ()), *(("highest",) if highest - high > reach else ()))


def _written(value: Any) -> float | str:
    return value if isinstance(value, int | float) else value.isoformat()


def _frequent(counted: CountedValues) -> tuple[tuple[str, int], ...]:
    if counted.counts.max(initial=0) <= 1:
        return ()
    return _most(counted, _FREQUENT)


def _most(counted: CountedValues, n: int) -> tuple[tuple[str, int], ...]:
    """Return up to ``n`` values that more than one record has, the most frequent first, then in their own order."""
    places = np.flatnonzero(counted.counts > 1)
    if len(places) > n:
        least = np.partition(counted.counts[places], -n)[-n]
        places = places[counted.counts[places] >= least]
    found = pl.DataFrame({"value": counted.values.gather(places), "records": counted.counts[places]})
    found = found.sort("records", "value", descending=[True, False]).head(n)
    words = found["value"].cast(pl.String).to_list()
    return tuple(zip(words, found["records"].to_list(), strict=True))


def _null_marks(counted: CountedValues) -> tuple[tuple[str, int], ...]:
    if len(counted) == counted.given:
        return ()  # a mark that matters occurs more than once
    places = np.flatnonzero(counted.values.is_in(_MARKS).to_numpy())
    found = zip(counted.values.gather(places).to_list(), counted.counts[places].tolist(), strict=True)
    return tuple(sorted(found))


def _histogram(counted: CountedValues, kind: str) -> Histogram | None:
    if not len(counted):
        return None
    if kind == "text":
        return _bars(counted)
    if len(counted) <= _BINS:
        return Histogram(_labels(counted.values.to_list()), tuple(counted.counts.tolist()))
    return _bins(counted)


def _bars(counted: CountedValues) -> Histogram | None:
    most = _most(counted, _BARS)
    if not most:
        return None
    others = counted.given - sum(records for _, records in most)
    labels = [value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…" for value, _ in most]
    counts = [records for _, records in most]
    if others:
        labels, counts = [*labels, "others"], [*counts, others]
    return Histogram(tuple(labels), tuple(counts))


_LONGEST = 100
"""So many letters of a text are told; a chart draws fewer."""


def _bins(counted: CountedValues) -> Histogram:
    """Count in bins of equal width between the 1 % and 99 % quantiles, so that one error does not flatten the rest."""
    numbers = counted.values.to_physical().cast(pl.Float64).to_numpy()
    places = np.searchsorted(np.cumsum(counted.counts), [-(-counted.given // 100), -(-99 * counted.given // 100)])
    low, high = float(numbers[places[0]]), float(numbers[places[1]])
    if low == high:
        low, high = float(numbers[0]), float(numbers[-1])
    is_whole = counted.values.dtype.is_numeric() and _is_whole(counted.values) and max(-low, high) < _EXACT
    # high - low may be more than a float holds
    edges = _whole_edges(low, high) if is_whole else 2 * np.linspace(low / 2, high / 2, _BINS + 1)
    high = edges[-1]
    # a bin has its lower edge, and the last one both
    ends = np.append(np.searchsorted(numbers, edges[:-1]), np.searchsorted(numbers, high, side="right"))
    below = np.append(0, np.cumsum(counted.counts))
    counts = np.diff(below[ends], prepend=0, append=below[-1])
    words = _edges(edges, counted.values.dtype)
    labels = [f"below {words[0]}", *words[:-1], f"above {words[-1]}"]
    kept = slice(0 if counts[0] else 1, None if counts[-1] else -1)
    return Histogram(tuple(labels[kept]), tuple(counts.tolist()[kept]))


def _whole_edges(low: float, high: float) -> np.ndarray:
    """Return the edges of bins that have as many whole numbers each; the last edge is the last number of its bin."""
    numbers = int(high) - int(low) + 1
    wide = -(-numbers // _BINS)
    edges = low + wide * np.arange(-(-numbers // wide) + 1, dtype=np.float64)
    edges[-1] -= 1
    return edges


_EXACT = 2**52
"""Below it, floats tell whole numbers apart, sums of an edge and a width included."""


def _edges(edges: np.ndarray, dtype: pl.DataType) -> tuple[str, ...]:
    if not dtype.is_temporal():
        return _apart(edges.tolist(), lambda edge: f"{edge:,.0f}" if _LONG <= abs(edge) < _LONGER else f"{edge:.4g}")
    physical = pl.Int32 if dtype == pl.Date else pl.Int64
    moments = pl.Series(edges.astype(np.int64)).cast(physical).cast(dtype)
    days = tuple(map(str, moments.cast(pl.Date).to_list()))
    return days if len(set(days)) == len(days) else tuple(moments.dt.strftime("%Y-%m-%d %H:%M:%S").to_list())


def _labels(values: list[Any]) -> tuple[str, ...]:
    if isinstance(values[0], float):
        return _apart(values, lambda value: f"{value:g}")
    return tuple(str(value) if isinstance(value, int) else value.isoformat() for value in values)


def _apart(numbers: list[float], usual: Callable[[float], str]) -> tuple[str, ...]:
    """Write different numbers differently: as usual, or with as many digits as that takes."""
    words = tuple(map(usual, numbers))
    digits = 5
    while len(set(words)) < len(set(numbers)):
        words, digits = tuple(f"{number:.{digits}g}" for number in numbers), digits + 1
    return words


_LONG, _LONGER = 10_000, 10**15
