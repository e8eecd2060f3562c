"""Days of ratings are read beside the ratings, and stand where their ratings stand."""

import datetime as dt
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Ratings
from shoal.errors import DataError, SchemaError
from shoal.io import RatingsSchema, read
from shoal.io.ratings.rating_dates import rating_dates
from shoal.kernels.matching.scoreboard import UNKNOWN_DAY

EPOCH = dt.date(1970, 1, 1)
DAYS = st.dates(dt.date(1971, 1, 1), dt.date(2060, 1, 1)) | st.dates(dt.date(1960, 1, 1), dt.date(1969, 12, 31))
LINES = st.dictionaries(
    st.tuples(st.integers(1, 4), st.sampled_from(["b", "a", "10"])),
    st.tuples(st.integers(1, 5), st.none() | DAYS, st.integers(0, 86_399)),
    min_size=1,
)


def days_by_rating(path, column, schema=None):
    """The day of each rating by its user and item, as the matrix has them."""
    source = read(path, schema)
    days = rating_dates(path, source, column)
    assert days.dtype == np.int32
    assert isinstance(source.records, Ratings)
    matrix = source.records.observable
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    users = source.records.users.take(rows).cast(str).to_list()
    items = matrix.items.take(matrix.indices).cast(str).to_list()
    return dict(zip(zip(users, items, strict=True), days.tolist(), strict=True))


def written(how, day, second):
    if day is None:
        return None
    at = dt.datetime.combine(day, dt.time(), dt.UTC) + dt.timedelta(seconds=second)
    return {
        "date": day.isoformat(),
        "time": at.replace(tzinfo=None).isoformat(),
        "spaced": at.strftime(" %Y-%m-%d %H:%M:%S"),
        "seconds": str(int(at.timestamp())),
    }[how]


@pytest.mark.parametrize("how", ["date", "time", "spaced", "seconds"])
@settings(max_examples=30)
@given(lines=LINES)
def test_days_stand_where_their_ratings_do(how, lines, tmp_path_factory):
    path = tmp_path_factory.mktemp("dated") / "ratings.csv"
    text = [f"{u},{i},{r},{written(how, day, second) or ''}\n" for (u, i), (r, day, second) in lines.items()]
    path.write_text("user,item,rating,when\n" + "".join(text))
    schema = RatingsSchema(scale=(1, 5))
    wanted = {(str(u), i): day and (day - EPOCH).days for (u, i), (_, day, _) in lines.items()}
    if not any(day is not None for day in wanted.values()):
        with pytest.raises(DataError, match="No rating has a date"):
            rating_dates(path, read(path, schema), "when")
        return
    found = days_by_rating(path, "when", schema)
    assert found == {key: UNKNOWN_DAY if day is None else day for key, day in wanted.items()}


@pytest.mark.parametrize("when", ["2020", "202005", "20200517"])
@pytest.mark.parametrize("kind", [pl.String, pl.Int64])
def test_a_day_in_digits_is_not_taken_for_seconds(when, kind, tmp_path):
    """Seconds they would be of the first months of 1970."""
    frame = pl.DataFrame({"user": [2, 1], "item": ["a", "b"], "rating": [1, 5], "when": [when, when]})
    frame.cast({"when": kind}).write_parquet(tmp_path / "ratings.parquet")
    source = read(tmp_path / "ratings.parquet")
    with pytest.raises(DataError, match="2 values of the column 'when' are not dates"):
        rating_dates(tmp_path / "ratings.parquet", source, "when")


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime, pl.Int64, pl.Float64])
def test_parquet_says_days_by_its_own_types(kind, tmp_path):
    times = pl.Series([dt.datetime(2004, 2, 29, 23, 59), dt.datetime(1969, 12, 31, 1)])
    when = times.cast(kind) if kind in (pl.Date, pl.Datetime) else times.dt.epoch("s").cast(kind)
    frame = pl.DataFrame({"user": [2, 1], "item": ["a", "b"], "rating": [1, 5], "when": when})
    frame.write_parquet(tmp_path / "ratings.parquet")
    found = days_by_rating(tmp_path / "ratings.parquet", "when")
    assert found == {("2", "a"): (dt.date(2004, 2, 29) - EPOCH).days, ("1", "b"): -1}


def test_movielens_files_say_times(tmp_path):
    (tmp_path / "u.data").write_text("2\t30\t4\t881250949\n1\t40\t1\t881250949\n")
    assert days_by_rating(tmp_path / "u.data", "timestamp") == {("2", "30"): 10_199, ("1", "40"): 10_199}
    (tmp_path / "ratings.dat").write_text("2::30::4::881250949\n1::40::1::\n")
    assert days_by_rating(tmp_path / "ratings.dat", "timestamp") == {("2", "30"): 10_199, ("1", "40"): UNKNOWN_DAY}


@pytest.mark.parametrize("lines", [1, 1 << 20])
def test_netflix_files_say_dates_under_their_headings(lines, tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.io.ratings.netflix._LINES", lines)
    (tmp_path / "mv_0000008.txt").write_text("8:\r\n7,2,2005-09-06\r\n9,3,2005-09-07\r\n")
    (tmp_path / "mv_0000010.txt").write_text("10:\n9,5,1970-01-02\n12:\n7,1,1970-01-03\n")
    found = days_by_rating(tmp_path, "date")
    assert found == {("7", "8"): 13_032, ("9", "8"): 13_033, ("9", "10"): 1, ("7", "12"): 2}


def test_a_field_of_spaces_is_an_unknown_day(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating,day\n1,a,3,2001-01-01\n2,a,5,  \n")
    assert days_by_rating(path, "day") == {("1", "a"): 11_323, ("2", "a"): UNKNOWN_DAY}


def test_ratings_that_are_null_or_sensitive_need_no_day(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "user,item,rating,day\n1,a,3,2001-01-01\n1,b,,2001-01-02\n2,secret,1,2001-01-03\n2,a,5,2001-01-04\n"
    )
    found = days_by_rating(path, "day", RatingsSchema(sensitive=("secret",)))
    assert found == {("1", "a"): 11_323, ("2", "a"): 11_326}


@pytest.mark.parametrize("mark", ["soon", "2001-13-01", "1041379200000", "12.5"])
def test_what_is_no_date_is_refused_without_telling_it(mark, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(f"user,item,rating,day\n1,a,3,2001-01-01\n2,a,5,{mark}\n")
    with pytest.raises(DataError) as refused:
        rating_dates(path, read(path), "day")
    assert "1 values" in str(refused.value)
    assert mark not in str(refused.value)


@pytest.mark.parametrize("column", ["moment", "rating", "user"])
def test_a_column_that_cannot_hold_dates_is_refused(column, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating,day\n1,a,3,2001-01-01\n2,a,5,2001-01-01\n")
    with pytest.raises(SchemaError, match="no column"):
        rating_dates(path, read(path), column)


def test_files_with_one_person_a_line_have_no_dates(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("id,a,b\n1,3,4\n2,1,5\n")
    source = read(path, RatingsSchema(layout="wide", id=("id",)))
    with pytest.raises(SchemaError, match="one rating a line"):
        rating_dates(path, source, "a")


def test_real_files_say_when_ratings_were_given(shared_data: Path):
    path = shared_data / "ratings" / "ml-100k" / "u.data"
    days = rating_dates(path, read(path), "timestamp")
    assert (EPOCH + dt.timedelta(int(days.min())), EPOCH + dt.timedelta(int(days.max()))) == (
        dt.date(1997, 9, 20),
        dt.date(1998, 4, 22),
    )
