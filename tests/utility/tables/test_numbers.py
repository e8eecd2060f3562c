"""Measures of published numbers, against the formulas written out."""

import statistics

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Microdata, Role
from shoal.datasets.papers import thesis_tables
from shoal.utility import MEASURES, Comparison, measured

NAMES = [
    "sum of squared errors",
    "total sum of squares",
    "information loss",
    "correlation shift",
    "regression shift",
    "key attributes",
]
NUMBERS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=8)


def table(rows: list[tuple]) -> Microdata:
    columns = zip(*rows, strict=True)
    return Microdata(
        tuple(
            Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values, dtype=pl.Float64))
            for name, values in zip("ab", columns, strict=True)
        )
    )


def compared(before: list[tuple], after: list[tuple]) -> dict:
    comparison = Comparison(table(before), np.arange(len(before)), table(after), np.array([len(before)]))
    return dict(measured(comparison, [MEASURES[name] for name in NAMES]).values)


def slope(x: list, y: list) -> float:
    return statistics.linear_regression(x, y).slope if len(set(x)) > 1 else 0.0


def correlation(x: list, y: list) -> float:
    return statistics.correlation(x, y) if len(set(x)) > 1 and len(set(y)) > 1 else 0.0


@given(before=NUMBERS, data=st.data())
def test_they_are_what_the_formulas_say(before, data) -> None:
    after = data.draw(st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=len(before), max_size=len(before)))
    old, new = ([list(column) for column in zip(*side, strict=True)] for side in (before, after))
    if any(len(set(column)) == 1 for column in old):
        return
    deviations = [statistics.stdev(column) for column in old]
    means = [statistics.mean(column) for column in old]
    error = sum((new[c][i] - old[c][i]) ** 2 / deviations[c] ** 2 for c in (0, 1) for i in range(len(before)))
    total = sum((old[c][i] - means[c]) ** 2 / deviations[c] ** 2 for c in (0, 1) for i in range(len(before)))
    scaled = [[[(value - means[c]) / deviations[c] for value in side[c]] for c in (0, 1)] for side in (old, new)]
    found = compared(before, after)
    assert found["sum of squared errors"] == pytest.approx(error)
    assert found["total sum of squares"] == pytest.approx(total)
    assert found["information loss"] == pytest.approx(100 * error / total)
    assert found["correlation shift"] == pytest.approx(abs(correlation(*new) - correlation(*old)), abs=1e-9)
    shifts = [abs(slope(scaled[1][x], scaled[1][1 - x]) - slope(scaled[0][x], scaled[0][1 - x])) for x in (0, 1)]
    assert found["regression shift"] == pytest.approx(sum(shifts) / 2, abs=1e-9)


def test_missing_numbers_count_in_neither_sum() -> None:
    found = compared([(0, 0), (2, 1), (4, 5), (6, None)], [(0, 0), (2, None), (4, 5), (6, None)])
    assert found["sum of squared errors"] == 0
    assert found["total sum of squares"] == pytest.approx(3 + (4 + 9) / 7)


@given(before=NUMBERS, data=st.data())
def test_a_withheld_record_counts_what_one_loses_on_average_that_is_told_by_the_mean(before, data) -> None:
    columns = [list(column) for column in zip(*before, strict=True)]
    if any(len(set(column)) == 1 for column in columns):
        return
    rows = data.draw(st.lists(st.integers(0, len(before) - 1), min_size=1, unique=True))
    after = data.draw(st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=len(rows), max_size=len(rows)))
    comparison = Comparison(table(before), np.array(rows), table(after), np.array([len(rows)]))
    variances = [statistics.variance(column) for column in columns]
    error = sum((after[i][c] - before[row][c]) ** 2 / variances[c] for c in (0, 1) for i, row in enumerate(rows))
    total = sum(
        (value - statistics.mean(column)) ** 2 / variances[c] for c, column in enumerate(columns) for value in column
    )
    error += (len(before) - len(rows)) * total / len(before)
    found = measured(comparison, [MEASURES[name] for name in NAMES[:3]]).values
    assert found["sum of squared errors"] == pytest.approx(error)
    assert found["total sum of squares"] == pytest.approx(total)
    assert found["information loss"] == pytest.approx(100 * error / total)


def test_correlations_and_slopes_are_of_the_people_who_have_both() -> None:
    before = [(0, 0), (2, 1), (4, 5), (9, None), (None, 4)]
    after = [(1, 0), (1, 3), (4, None), (9, None), (None, 4)]  # of the two who have both, one column is alike
    found = compared(before, after)
    assert found["correlation shift"] == pytest.approx(correlation([0, 2, 4], [0, 1, 5]))
    deviations = [statistics.stdev([0, 2, 4, 9]), statistics.stdev([0, 1, 5, 4])]
    unit = deviations[0] / deviations[1]
    y_on_x = slope([0, 2, 4], [0, 1, 5]) * unit
    x_on_y = slope([0, 1, 5], [0, 2, 4]) / unit
    assert found["regression shift"] == pytest.approx((y_on_x + x_on_y) / 2)


def test_rounding_makes_no_correlation() -> None:
    """A tenth cannot be written as a double: seven of them, less seven times their mean, are not nothing."""
    rows = [(float(x), 0.1) for x in range(7)]
    found = compared(rows, rows)
    assert found["sum of squared errors"] == 0
    assert found["total sum of squares"] == pytest.approx(6)
    assert "correlation shift" not in found
    tenths = compared([(x, x * x) for x in range(7)], rows)
    assert tenths["correlation shift"] == pytest.approx(correlation(list(range(7)), [x * x for x in range(7)]))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [2.0**1020, 2.0**-900])
def test_the_unit_of_numbers_does_not_matter(scale) -> None:
    before, after = [(0, 1), (2, 4), (5, 3), (7, 8)], [(1, 2.5), (1, 2.5), (6, 5.5), (6, 5.5)]
    scaled = [[(a * scale, b) for a, b in side] for side in (before, after)]
    assert compared(*scaled) == pytest.approx(compared(before, after))


def test_what_is_not_a_number_cannot_be_measured_so() -> None:
    words = Microdata((Column.encode("a", Role.QUASI_IDENTIFIER, pl.Series(["x", "y", "z"])),))
    comparison = Comparison(words, np.arange(3), words, np.array([1, 1, 1]))
    found = measured(comparison, [MEASURES[name] for name in NAMES])
    assert set(found.reasons) == set(NAMES) - {"key attributes"}


def test_table_5_1_has_two_key_attributes() -> None:
    whole = thesis_tables.thesis_5_1()
    comparison = Comparison(whole, np.arange(len(whole)), whole, np.array([len(whole)]))
    assert measured(comparison, [MEASURES["key attributes"]]).values == {"key attributes": 2}
