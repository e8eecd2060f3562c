"""Published values get the type of their column back exactly where it holds them."""

import datetime as dt
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import DataError
from shoal.io.frames.kept_types import as_it_came, ids_as_they_came
from shoal.io.tables.values import typed_values

TYPES = {
    pl.Int8(): st.integers(-128, 127),
    pl.UInt64(): st.integers(0, 2**64 - 1),
    pl.Int64(): st.integers(-(2**63), 2**63 - 1),
    pl.Float32(): st.floats(width=32, allow_nan=False, allow_infinity=False),
    pl.Float64(): st.floats(allow_nan=False, allow_infinity=False),
    pl.Decimal(38, 0): st.integers(-(10**30), 10**30),
    pl.Decimal(8, 2): st.decimals(-99999, 99999, places=2),
    pl.Boolean(): st.booleans(),
    pl.String(): st.text("ab 0é", max_size=3),
    pl.Categorical(): st.sampled_from(["a", "b", "7"]),
    pl.Enum(["z", "b", "a"]): st.sampled_from(["a", "b"]),
    pl.Date(): st.dates(dt.date(1800, 1, 1), dt.date(2200, 1, 1)),
    pl.Time(): st.times(),
    pl.Datetime("ms"): st.datetimes(dt.datetime(1800, 1, 1), dt.datetime(2200, 1, 1)),
    pl.Datetime("us", "Europe/Berlin"): st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)),
}


@st.composite
def columns(draw: st.DrawFn) -> pl.Series:
    dtype, values = draw(st.sampled_from(list(TYPES.items())))
    given = draw(st.lists(st.none() | values, max_size=6))
    zoned = isinstance(dtype, pl.Datetime) and dtype.time_zone is not None
    series = pl.Series("x", given, dtype=pl.Datetime("us", "UTC") if zoned else dtype, strict=False)
    return series.dt.convert_time_zone("Europe/Berlin") if zoned else series


@settings(max_examples=400, deadline=None)
@given(columns(), st.sampled_from([None, "text"]))
def test_what_is_read_unchanged_comes_back_as_it_was(column, wanted):
    read = typed_values(column, wanted, as_written=False)
    back = as_it_came(read, column.dtype)
    # reading strips spaces and takes an empty text for a missing value
    if isinstance(column.dtype, pl.Enum):
        assert back.dtype == pl.Enum([name for name in ["z", "b", "a"] if name in column.cast(pl.String).to_list()])
        assert back.cast(pl.String).to_list() == column.cast(pl.String).to_list()
        return
    stripped = column.str.strip_chars().replace("", None) if column.dtype == pl.String else column
    if isinstance(column.dtype, pl.Categorical):
        stripped = column.cast(pl.String).cast(pl.Categorical())
    assert back.dtype == column.dtype
    assert back.to_list() == stripped.to_list()


@settings(max_examples=400, deadline=None)
@given(columns(), st.sampled_from(list(TYPES)))
def test_whatever_type_it_gets_the_values_are_read_the_same(column, dtype):
    read = typed_values(column, None, as_written=False)
    cast = as_it_came(read, dtype)
    again = typed_values(cast, "text" if read.dtype == pl.String else None, as_written=False)
    assert again.null_count() == read.null_count()
    assert again.eq_missing(read).all()


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["20-29", "30"], pl.Int64()),
        (["*"], pl.Boolean()),
        (["a", "*"], pl.Enum(["a", "b"])),
        ([1.5, 2.0], pl.Int8()),
        ([3.5e38], pl.Float32()),
        ([300], pl.Int8()),
        ([0.1], pl.Decimal(4, 0)),
        (["07"], pl.Int64()),
    ],
)
def test_labels_and_other_values_stay_as_they_are(values, dtype):
    series = pl.Series(values)
    assert as_it_came(series, dtype).equals(series)
    assert as_it_came(series, dtype).dtype == series.dtype


def test_ids_written_as_text_are_text_again():
    assert ids_as_they_came(pl.Series([1, 20]), pl.String()).to_list() == ["1", "20"]
    assert ids_as_they_came(pl.Series([1, 20]), pl.Categorical()).dtype == pl.Categorical
    assert ids_as_they_came(pl.Series([1, 20]), pl.Int16()).dtype == pl.Int16


def test_a_decimal_keeps_its_places():
    read = typed_values(pl.Series([Decimal("1.10")]), None, as_written=False)
    assert as_it_came(read, pl.Decimal(6, 2)).to_list() == [Decimal("1.10")]


HUGE = {
    "unsigned": pl.Series("id", [2**64 - 1 - each for each in range(60)], dtype=pl.UInt64),
    "decimal": pl.Series("id", [Decimal(10**25 + each) for each in range(60)], dtype=pl.Decimal(38, 0)),
    "places": pl.Series("id", [Decimal(10**19 + each).scaleb(-4) for each in range(60)], dtype=pl.Decimal(38, 4)),
}


@pytest.mark.parametrize("ids", HUGE.values(), ids=HUGE)
def test_numbers_that_64_bits_do_not_hold_stay_different(ids):
    schema = {"kind": "table", "columns": {"id": {"role": "quasi-identifier"}}}
    (found,) = shoal.check(ids.to_frame(), "k-anonymity:k=2", schema=schema).verdicts
    assert (found.holds, found.violations) == (False, 60)
    assert shoal.describe(ids.to_frame()).columns[0]["distinct"] == 60
    with pytest.raises(DataError, match="more digits"):
        typed_values(ids, "number", as_written=False)
