"""Dates of ratings published in periods: a rating of an item in a period is a rating of the pair of both."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.data import Ratings
from shoal.data.item_periods import with_periods, without_periods
from shoal.errors import DataError, SchemaError
from shoal.io.schemas import RatingsSchema

LINES = [
    ("ann", "film", 4, "2020-01-31"),
    ("ann", "film", 5, "2020-02-01"),
    ("bob", "film", 4, "1580428799"),  # 2020-01-30
    ("bob", "film", 5, "2020-02-29T12:00:00"),
    ("cid", "book", 1, ""),
]


def schema(**settings: Any) -> RatingsSchema:
    return RatingsSchema(
        layout="long", user="user", item="item", rating="rating", date="when", scale=(1, 5), **settings
    )


def written(folder: Path, lines: Sequence[tuple[Any, ...]] = LINES) -> Path:
    pl.DataFrame(lines, schema=["user", "item", "rating", "when"], orient="row").write_csv(folder / "ratings.csv")
    return folder / "ratings.csv"


def period(day: dt.date, dates: str) -> str:
    quarter = f"{day.year:04}-Q{1 + (day.month - 1) // 3}"
    return {"month": f"{day.year:04}-{day.month:02}", "quarter": quarter, "year": f"{day.year:04}"}[dates]


@pytest.mark.parametrize(
    ("dates", "items"),
    [
        ("month", ["book · ", "film · 2020-01", "film · 2020-02"]),
        ("quarter", None),
        ("year", None),
        (None, None),
    ],
)
def test_an_item_in_a_period_is_an_item(tmp_path: Path, dates: str | None, items: list[str] | None) -> None:
    if items is None:
        with pytest.raises(DataError, match="2 ratings repeat an item"):
            shoal.read(written(tmp_path), schema(dates=dates))
        return
    records = shoal.read(written(tmp_path), schema(dates=dates)).records
    assert isinstance(records, Ratings)
    assert records.observable.items.values.to_list() == items
    assert records.observable.dense().tolist() == [[-1, 3, 4], [-1, 3, 4], [0, -1, -1]]


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from(["month", "quarter", "year"]))
def test_a_release_with_periods_is_read_back_and_kept_by_hand(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, dates: str
) -> None:
    folder = tmp_path_factory.mktemp("dated")

    def of_people(lines: list[tuple[str, str, int, dt.date]]) -> dict[str, set[tuple[str, str, int]]]:
        profiles: dict[str, set[tuple[str, str, int]]] = defaultdict(set)
        for user, item, rating, day in lines:
            profiles[user].add((item, period(day, dates), rating))
        return profiles

    days = st.dates(dt.date(1969, 1, 1), dt.date(1972, 12, 31))
    line = st.tuples(st.sampled_from("abcd"), st.sampled_from(["x", "y · z", "1"]), st.integers(1, 3), days)
    drawn = data.draw(st.lists(line, min_size=1, max_size=14))
    lines = list(
        {(user, item, period(day, dates)): (user, item, mark, day) for user, item, mark, day in drawn}.values()
    )
    lines += [("e", *each[1:]) for each in lines if each[0] == "a"]
    profiles = of_people(lines)
    if len(profiles) > 1:
        alike = min(sum(one == other for other in profiles.values()) for one in profiles.values())
        path = written(folder, [(u, i, r, d.isoformat()) for u, i, r, d in lines])
        found = shoal.check(path, ["k-anonymity:k=2"], schema(dates=dates))
        assert found.verdicts[0].level["k"] == alike, "the period is observable as the item is"
    lines += [(f"twin of {each[0]}", *each[1:]) for each in lines]
    profiles = of_people(lines)
    path = written(folder, [(u, i, r, d.isoformat()) for u, i, r, d in lines])
    source, out = shoal.read(path, schema(dates=dates)), folder / "out"
    shoal.publish(source, models=["k-anonymity:k=2"], method="none", out=out)
    published = pl.read_csv(out / "data.csv", infer_schema=False)
    assert published.columns == ["user", "item", "rating", "when"]
    told = defaultdict(set)
    for user, item, rating, when in published.iter_rows():
        told[user].add((item, when, int(rating)))
    assert sorted(map(sorted, told.values())) == sorted(map(sorted, profiles.values()))
    assert shoal.verify(out).holds


def test_a_sensitive_item_is_sensitive_in_every_period(tmp_path: Path) -> None:
    records = shoal.read(written(tmp_path), schema(dates="month", sensitive=("film",))).records
    assert isinstance(records, Ratings)
    assert records.sensitive.items.values.to_list() == ["film · 2020-01", "film · 2020-02"]
    with pytest.raises(SchemaError, match="'disc'"):
        shoal.read(written(tmp_path), schema(dates="month", sensitive=("disc",)))


def test_sensitive_items_and_periods_survive_a_release(tmp_path: Path) -> None:
    lines = [(u, i, r, f"2020-0{m}-01") for u in "abcd" for i, r, m in (("x", 3, 1), ("s", "abcd".index(u) + 1, 2))]
    source = shoal.read(written(tmp_path, lines), schema(dates="month", sensitive=("s",)))
    shoal.publish(source, models=["k-epsilon:k=2,epsilon=1,l=0.5"], out=tmp_path / "out", ledger=tmp_path / "l")
    assert 'sensitive = [\n    "s",\n]' in (tmp_path / "out" / "schema.toml").read_text()
    assert shoal.verify(tmp_path / "out", ledger=tmp_path / "l").holds
    again = shoal.read(tmp_path / "out" / "data.csv", tmp_path / "out" / "schema.toml").records
    assert isinstance(again, Ratings)
    assert again.sensitive.items.values.to_list() == ["s · 2020-02"]


def test_a_person_is_looked_up_by_items_and_dates(tmp_path: Path) -> None:
    source = shoal.read(written(tmp_path, LINES[:4]), schema(dates="month"))
    shoal.publish(source, models=["k-anonymity:k=2"], method="none", out=tmp_path / "out")
    me = tmp_path / "me.csv"
    me.write_text("item,rating,when\nfilm,4,2020-01-07\nfilm,5,2020-02\n")
    found = shoal.lookup(tmp_path / "out", me)
    assert (found.named, found.compared, found.fits[0].records) == (2, 2, 2)
    me.write_text("item,rating\nfilm,4\n")
    with pytest.raises(SchemaError, match="when ratings were given"):
        shoal.lookup(tmp_path / "out", me)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"layout": "wide", "dates": "month"}, "one rating a line"),
        ({"layout": "netflix", "date": "when"}, "leave out date"),
        ({"kind": "sets", "layout": "baskets", "dates": "month"}, "one rating a line"),
        ({"kind": "sets", "dates": "month", "hierarchy": "items.csv"}, "no hierarchy"),
        ({"date": "when", "ignore": ("when",)}, "another list"),
        ({"dates": "week"}, "dates"),
    ],
)
def test_dates_that_cannot_be_published_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SchemaError, match=said):
        RatingsSchema(**settings)


def test_dates_are_not_known_twice(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "schema.toml").write_text(schema(dates="month").to_toml())
    with pytest.raises(SchemaError, match="published in periods"):
        shoal.attack(path, schema=tmp_path / "schema.toml", dates="when")


@given(st.lists(st.tuples(st.text(min_size=1), st.sampled_from(["", "2020", "2020-Q1"])), min_size=1))
def test_pairs_are_split_as_they_were_joined(pairs: list[tuple[str, str]]) -> None:
    items, periods = pl.Series([item for item, _ in pairs]), pl.Series([period for _, period in pairs])
    again = without_periods(with_periods(items, periods))
    assert again[0].to_list() == items.to_list()
    assert again[1].fill_null("").to_list() == periods.to_list()


def test_sets_are_published_with_periods(tmp_path: Path) -> None:
    """Who bought what in which month: an item of two months is two items, and one bought twice in a month is one."""
    bought = ["ann,milk,2020-01-02", "ann,milk,2020-01-30", "ann,milk,2020-02-01", "bob,milk,2020-01-05"]
    bought += ["bob,milk,2020-02-09", "cid,milk,2020-01-01", "cid,tea,2020-01-01"]
    (tmp_path / "b.csv").write_text("\n".join(["user,item,day", *bought]) + "\n")
    asked = RatingsSchema(kind="sets", date="day", dates="month")
    source = shoal.read(tmp_path / "b.csv", asked)
    assert isinstance(source.records, Ratings)
    assert source.records.is_sets
    assert source.records.observable.items.values.to_list() == ["milk · 2020-01", "milk · 2020-02", "tea · 2020-01"]
    assert source.records.n_ratings == 6
    assert "counts once for every month." in " ".join(source.notes)
    promise = "km-anonymity:k=2,m=2"
    assert not shoal.check(source, promise).holds
    shoal.publish(source, models=promise, out=tmp_path / "out", ledger=tmp_path / "l")
    frame = pl.read_csv(tmp_path / "out" / "data.csv")
    assert frame.columns == ["user", "item", "day"]
    assert sorted(frame.select("item", "day").rows()) == [("milk", "2020-01")] * 3 + [("milk", "2020-02")] * 2
    assert shoal.verify(tmp_path / "out", ledger=tmp_path / "l").holds


NETFLIX = "8:\r\n7,2,2005-09-06\r\n9,3,2005-10-07\r\n\n10:\n9,5,\n"


@pytest.mark.parametrize("lines", [1, 1 << 20])
def test_netflix_files_are_published_with_periods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    monkeypatch.setattr("shoal.io.ratings.netflix._LINES", lines)
    (tmp_path / "mv.txt").write_text(NETFLIX)
    source = shoal.read(tmp_path / "mv.txt", RatingsSchema(layout="netflix", dates="month"))
    plain = shoal.read(tmp_path / "mv.txt").records
    records = source.records
    assert isinstance(records, Ratings)
    assert isinstance(plain, Ratings)
    assert records.observable.items.values.to_list() == ["10 · ", "8 · 2005-09", "8 · 2005-10"]
    assert records.users.values.to_list() == plain.users.values.to_list() == [7, 9]
    assert records.observable.dense().tolist() == [[-1, 0, -1], [3, -1, 1]]
    shoal.publish(source, models="k-anonymity:k=2", method="align", out=tmp_path / "out", accept=["empty", "vacuous"])
    assert pl.read_csv(tmp_path / "out" / "data.csv").columns == ["user", "item", "rating", "date"]


@pytest.mark.parametrize(("line", "place"), [("x,2,2005-01-01", 2), ("7", 2), ("7,five,2005-01-01", 2), (":", 2)])
def test_other_lines_of_netflix_files_are_refused_without_telling_them(tmp_path: Path, line: str, place: int) -> None:
    (tmp_path / "mv.txt").write_text(f"8:\n{line}\n")
    for asked in (None, RatingsSchema(layout="netflix", dates="month")):
        with pytest.raises(DataError, match=f"Line {place} of mv.txt is neither") as refused:
            shoal.read(tmp_path / "mv.txt", asked)
        assert line not in str(refused.value).replace("movie:", "")
    (tmp_path / "mv.txt").write_text("8:\n\n")
    with pytest.raises(DataError, match="no ratings"):
        shoal.read(tmp_path / "mv.txt", RatingsSchema(layout="netflix", dates="year"))
