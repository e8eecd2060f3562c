"""The figures of a column are those of the definitions."""

import datetime as dt
import itertools
from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from profiling_oracle import quantile
from shoal.data import Column, Role
from shoal.profiling import ColumnValues, column_profile

NUMBERS = st.lists(st.none() | st.integers(-50, 50), min_size=1, max_size=60)
DATES = st.dates(dt.date(1900, 1, 1), dt.date(2030, 1, 1))
SHARES = {"percent_1": 1, "percent_25": 25, "median": 50, "percent_75": 75, "percent_99": 99}


def both(name: str, values: pl.Series) -> list[ColumnValues]:
    """Return a column as a file has it, and as it is once a table has been read."""
    return [ColumnValues(name, values), ColumnValues.of(Column.encode(name, Role.DROP, values))]


@given(NUMBERS)
def test_numbers_are_counted_and_ordered_exactly(values: list[int | None]) -> None:
    given_values = [each for each in values if each is not None]
    for column in both("x", pl.Series(values, dtype=pl.Int64)):
        profile = column_profile(column)
        assert (profile.rows, profile.missing) == (len(values), len(values) - len(given_values))
        assert profile.distinct == len(set(given_values))
        if not given_values:
            assert profile.quantiles is None
            continue
        assert profile.quantiles is not None
        assert (profile.quantiles.lowest, profile.quantiles.highest) == (min(given_values), max(given_values))
        for name, percent in SHARES.items():
            assert getattr(profile.quantiles, name) == quantile(given_values, Fraction(percent, 100))
        assert profile.mean == pytest.approx(sum(given_values) / len(given_values), abs=1e-9)
        assert profile.whole
        counts = Counter(str(each) for each in given_values)
        assert all(counts[value] == records > 1 for value, records in profile.frequent)
        assert len(profile.frequent) == min(5, sum(count > 1 for count in counts.values()))
        assert profile.histogram is not None
        assert sum(profile.histogram.counts) == len(given_values)


@given(st.lists(st.none() | st.sampled_from(["a", "b", "c", "a b", "?", ""]), min_size=1, max_size=40))
def test_text_is_counted(values: list[str | None]) -> None:
    counts = Counter(each for each in values if each is not None)
    for column in both("x", pl.Series(values, dtype=pl.String)):
        profile = column_profile(column)
        assert (profile.distinct, profile.missing) == (len(counts), values.count(None))
        assert profile.quantiles is None
        assert [records for _, records in profile.frequent] == sorted(
            (count for count in counts.values() if count > 1), reverse=True
        )[:5]
        codes, n = column.codes
        same = [[codes[i] == codes[j] for j in range(len(values))] for i in range(len(values))]
        assert same == [[one == other for other in values] for one in values]
        assert all(0 <= code < n for code in codes)


@given(st.lists(st.floats(-1e6, 1e6) | st.just(-0.0) | st.none() | st.integers(-3, 3).map(float), max_size=30))
def test_codes_tell_numbers_apart(values: list[float | None]) -> None:
    column = ColumnValues("x", pl.Series(values, dtype=pl.Float64))
    codes, n = column.codes
    assert len(column.counted) == len({*values} - {None})
    assert [[a == b for b in codes] for a in codes] == [[a == b for b in values] for a in values]
    assert all(0 <= code < n for code in codes)


@given(st.lists(st.none() | st.integers(-(2**62), 2**62) | st.integers(-3, 3), max_size=30))
def test_codes_tell_whole_numbers_apart(values: list[int | None]) -> None:
    codes, n = ColumnValues("x", pl.Series(values, dtype=pl.Int64)).codes
    assert [[a == b for b in codes] for a in codes] == [[a == b for b in values] for a in values]
    assert all(0 <= code < n for code in codes)


@given(st.lists(DATES, min_size=1, max_size=60))
def test_dates_have_a_range_and_a_histogram(values: list[dt.date]) -> None:
    profile = column_profile(ColumnValues("x", pl.Series(values)))
    assert profile.type == "date"
    assert profile.quantiles is not None
    assert profile.quantiles.lowest == min(values).isoformat()
    assert profile.quantiles.median == quantile(values, Fraction(1, 2)).isoformat()
    assert profile.histogram is not None
    assert sum(profile.histogram.counts) == len(values)


def test_an_age_that_cannot_be_is_far_out() -> None:
    ages = pl.Series([*range(18, 90)] * 20 + [567_658])
    profile = column_profile(ColumnValues("age", ages))
    assert profile.far_out == ("highest",)
    assert profile.quantiles is not None
    assert profile.quantiles.highest == 567_658
    assert profile.histogram is not None
    assert max(profile.histogram.counts) < 200  # one error does not flatten the rest
    assert column_profile(ColumnValues("age", pl.Series([*range(18, 90)]))).far_out == ()
    assert column_profile(ColumnValues("age", pl.Series([30, 40, 50, 60, -999]))).far_out == ("lowest",)


def test_marks_of_null_are_recognized() -> None:
    profile = column_profile(ColumnValues("x", pl.Series(["?", "a", "?", "n/a", "b"])))
    assert profile.null_marks == (("?", 2), ("n/a", 1))


def test_neither_repr_has_a_value() -> None:
    column = ColumnValues("x", pl.Series(["secret", "secret", "other"]))
    assert "secret" not in repr(column) + repr(column_profile(column))


@pytest.mark.parametrize(
    "values",
    [
        pl.Series(range(1_000_001, 1_000_010)),
        pl.Series([1.0000001, 1.0000002, 5.0]),
        pl.Series([2000 + each / 100 for each in range(60)]),
        pl.Series([10_000 + each / 100 for each in range(60)]),
        pl.Series([dt.datetime(2024, 1, 1, 8, each) for each in range(60)]),
        pl.Series([dt.date(2024, 1, 1) + dt.timedelta(each) for each in range(60)]),
        pl.Series([(each - 30) * 5e306 for each in range(60)]),
    ],
)
def test_bars_of_different_values_are_labeled_differently(values: pl.Series) -> None:
    histogram = column_profile(ColumnValues("x", values)).histogram
    assert histogram is not None
    assert len(set(histogram.labels)) == len(histogram.labels)
    assert max(map(len, histogram.labels)) <= 25
    assert sum(histogram.counts) == len(values)


@example([*(list(range(60)) * 10), 60])  # one above the last bin, by one
@given(st.lists(st.integers(-10, 60), min_size=100, max_size=300))
def test_whole_numbers_are_counted_in_bins_of_whole_numbers_of_one_width(values: list[int]) -> None:
    histogram = column_profile(ColumnValues("x", pl.Series(values))).histogram
    assert histogram is not None
    if len(set(values)) <= 20:
        return
    edges = [int(label) for label in histogram.labels if label.lstrip("-").isdigit()]
    assert len(edges) >= len(histogram.labels) - 2  # all but those below and above
    widths = {after - before for before, after in itertools.pairwise(edges)}
    assert len(widths) <= 1
    inside = [sum(low <= value < low + max(widths) for value in values) for low in edges] if widths else []
    kept = dict(zip(histogram.labels, histogram.counts, strict=True))
    assert inside == [kept[str(low)] for low in edges][: len(inside)]
    assert sum(histogram.counts) == len(values)


def test_long_texts_are_told_in_full() -> None:
    text = "Married, and the spouse is absent"
    histogram = column_profile(ColumnValues("x", pl.Series([text] * 3 + ["b"] * 2))).histogram
    assert histogram is not None
    assert histogram.labels == (text, "b")
