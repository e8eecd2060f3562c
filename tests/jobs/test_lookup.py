"""What a release says of somebody who asks is what they would find by looking at every record themselves."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.anonymizers import Mondrian
from shoal.data import Microdata, RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import DataError, FileError, InputError, SchemaError, WordingError
from shoal.io.ratings.own_ratings import OwnRatings
from shoal.jobs.lookup import RatingsInSight, fitting_rows, sensitive_shares
from shoal.jobs.lookup.in_words import doubts_in_words, how_to_read
from shoal.jobs.lookup.unlike_the_release import columns_unlike_any, refuse_unreadable
from shoal.models import KAnonymity
from shoal.randomness import Randomness
from shoal.testing import ratings, tables
from surveys import survey

SECRET = "Xylophone"


def lines(path: Path, *texts: str) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


@settings(max_examples=150)
@given(ratings(), st.data())
def test_the_records_that_fit_are_those_within_the_tolerance_on_every_named_item(data: Ratings, draw) -> None:
    dense, scale = data.observable.dense(), data.scale
    names = data.observable.items.values.to_list()
    named = draw.draw(st.lists(st.sampled_from([*names, "something else"]), unique=True))
    near = dense[draw.draw(st.integers(0, len(data) - 1))]  # like somebody, so that some do fit
    codes = [
        draw.draw(st.integers(-1, scale.points - 1) | st.just(int(near[names.index(name)]) if name in names else 0))
        for name in named
    ]
    tolerance = draw.draw(st.sampled_from([0, 1, 2, scale.points - 1, scale.points])) * scale.step + Fraction(1, 1000)
    own = OwnRatings(pl.Series(named, dtype=pl.String), np.array(codes, np.int64))
    sight = RatingsInSight(data, own)
    known = [(names.index(name), code) for name, code in zip(named, codes, strict=True) if name in names]
    assert sight.compared == len(known)
    r = scale.points

    def apart(one: int, other: int) -> int:
        return 0 if one == other else r if min(one, other) < 0 else abs(one - other)

    expected = [all(apart(int(row[item]), code) * scale.step <= tolerance for item, code in known) for row in dense]
    assert sight.fitting(tolerance).tolist() == expected


@settings(max_examples=40)
@given(tables(min_records=4, max_records=8, others=False), st.sampled_from(["strict", "relaxed"]))
def test_everybody_fits_their_own_record_and_no_other_is_counted_twice(table: Microdata, mode) -> None:
    made = Mondrian(mode).recode(table, [KAnonymity(2)], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    names = table.names
    for row in range(0, len(table), 2):
        own = Microdata(tuple(column.take(np.array([row])) for column in table.quasi_identifiers))
        fits, unclear = fitting_rows(made, own, explained=names)
        assert fits[row], "with hierarchies, one's own labels are read"
        assert np.count_nonzero(fits) >= 2
        assert not unclear.any()
        bare = Microdata(tuple(replace(column, hierarchy=None) for column in own.columns))
        fits, unclear = fitting_rows(made, bare, explained=())
        assert fits[row] or unclear[row], "without, nothing speaks against them"
        assert not (fits & unclear).any()


def published_survey(tmp_path: Path, rows: Sequence[str], promise: str) -> Path:
    data = lines(tmp_path / "survey.csv", "respondent,q1,q2,q3,income", *rows)
    schema = lines(
        tmp_path / "survey.toml",
        'kind = "ratings"\nlayout = "wide"\nscale = [1, 5]\nid = ["respondent"]\nsensitive = ["income"]',
    )
    shoal.publish(data, schema=str(schema), models=[promise], method="none", out=str(tmp_path / "release"))
    return tmp_path / "release"


SURVEY = ["a,1,2,,5", "b,2,2,,5", "c,1,3,,1", "d,5,5,5,", "e,4,5,5,2", "f,5,4,4,2"]


def test_a_respondent_sees_how_many_fit_and_what_they_say(tmp_path: Path) -> None:
    release = published_survey(tmp_path, SURVEY, "k-epsilon:k=2,epsilon=1")
    me = lines(tmp_path / "me.csv", "item,rating", "q1,1", "q2,2", "q3,", "income,3", "shoe size,4")
    found = shoal.lookup(release, me)
    assert (found.kind, found.records, found.people, found.k) == ("ratings", 6, 6, 2)
    assert (found.named, found.compared, found.absent) == (5, 3, 1)
    exact, within = found.fits
    assert (exact.tolerance, exact.records, exact.people) == (0, 1, 1)
    assert (within.tolerance, within.records) == (1, 3)
    (income,) = within.sensitive
    assert income.name == "income"
    assert list(income.among.items()) == [("5", 2), ("1", 1)]
    assert income.overall == {"5": 2, "2": 2, "1": 1, None: 1}
    assert income.largest_share == 2 / 3
    assert income.largest_share_overall == 2 / 6
    published = json.loads(json.dumps(found.to_json()))
    assert published["fits"][1]["sensitive"][0]["overall"] == {"5": 2, "2": 2, "1": 1, "": 1}
    assert "at least 1 others" in published["promises"][0]


def test_what_is_not_named_is_not_asked_and_an_empty_rating_means_none(tmp_path: Path) -> None:
    release = published_survey(tmp_path, SURVEY, "k-epsilon:k=2,epsilon=1")
    assert shoal.lookup(release, lines(tmp_path / "a.csv", "item,rating", "q2,5")).fits[0].records == 2
    assert shoal.lookup(release, lines(tmp_path / "b.csv", "item,rating", "q2,2", "q3,")).fits[0].records == 2
    assert shoal.lookup(release, lines(tmp_path / "c.csv", "item,rating", "q2,5", "q3,")).fits[0].records == 0
    nothing = shoal.lookup(release, lines(tmp_path / "d.csv", "item,rating", "q9,5"))
    assert (nothing.compared, nothing.absent, nothing.fits[0].records) == (0, 1, 6)


def test_a_tolerance_of_ones_own_is_looked_at_too(tmp_path: Path) -> None:
    release = published_survey(tmp_path, SURVEY, "k-epsilon:k=2,epsilon=1")
    me = lines(tmp_path / "me.csv", "item,rating", "q1,3")
    assert [(fit.tolerance, fit.records) for fit in shoal.lookup(release, me, tolerance="1.5").fits] == [
        (0, 0),
        (1, 2),
        (1.5, 2),
    ]
    assert [fit.records for fit in shoal.lookup(release, me, tolerance=5).fits] == [0, 2, 6]
    assert len(shoal.lookup(release, me, tolerance=Fraction(0)).fits) == 2
    for bad in ("-1", "much", "1e9", "1/0", float("nan")):
        with pytest.raises(WordingError, match="at least 0"):
            shoal.lookup(release, me, tolerance=bad)


def test_profiles_are_counted_with_the_people_behind_them(tmp_path: Path) -> None:
    data = ["user,item,rating"] + [f"u{u},film {i},{1 + (u + i) % 5}" for u in range(12) for i in range(6)]
    lines(tmp_path / "data.csv", *data)
    release = tmp_path / "release"
    shoal.publish(tmp_path / "data.csv", models=["k-anonymity:k=4"], method="predictive", out=str(release), seed=1)
    found = shoal.lookup(release, lines(tmp_path / "me.csv", "film,stars", "film 0,3"), tolerance=4)
    assert (found.people, found.k) == (12, 4)
    assert found.records < 12
    assert (found.fits[-1].records, found.fits[-1].people) == (found.records, 12)
    assert found.fits[0].sensitive == ()


PEOPLE = [f"{i},{20 + i % 3},{'France' if i % 2 else 'Kenya'},{'flu' if i < 6 else 'gout'}" for i in range(12)]


def published_table(tmp_path: Path, people: Sequence[str] = PEOPLE) -> tuple[Path, Path]:
    data = lines(tmp_path / "people.csv", "name,age,country,illness", *people)
    schema = lines(
        tmp_path / "people.toml",
        'kind = "table"\n[columns.name]\nrole = "identifier"\n[columns.age]\nrole = "quasi-identifier"',
        '[columns.country]\nrole = "quasi-identifier"\nhierarchy = "country.csv"',
        '[columns.illness]\nrole = "sensitive"',
    )
    lines(tmp_path / "country.csv", "France,Europe,World", "Kenya,Africa,World", "Spain,Europe,World")
    release = tmp_path / "release"
    shoal.publish(data, schema=str(schema), models=["k-anonymity:k=3"], method="mondrian", out=str(release), seed=1)
    return release, schema


def test_everybody_of_a_table_is_among_at_least_k(tmp_path: Path) -> None:
    release, schema = published_table(tmp_path)
    for i, person in enumerate(PEOPLE):
        _, age, country, _ = person.split(",")
        me = lines(tmp_path / "me.csv", "age,country,shoe", f"{age},{country},38")
        found = shoal.lookup(release, me, schema=schema)
        assert (found.named, found.compared, found.absent, found.k) == (3, 2, 1, 3)
        (fit,) = found.fits
        assert fit.people == fit.records >= 3, i
        assert fit.unclear == 0
        assert sum(fit.sensitive[0].among.values()) == fit.records
        assert fit.sensitive[0].overall == {"flu": 6, "gout": 6}


def test_a_word_that_may_be_of_a_hierarchy_is_unclear_until_a_schema_explains_it(tmp_path: Path) -> None:
    people = [
        "1,20,France,flu",
        "2,20,Spain,flu",
        "3,20,France,gout",
        "4,60,Kenya,flu",
        "5,60,Kenya,flu",
        "6,60,Kenya,gout",
    ]
    release, schema = published_table(tmp_path, people)
    me = lines(tmp_path / "me.csv", "age,country", "20,Spain")
    (blind,), (explained,) = shoal.lookup(release, me).fits, shoal.lookup(release, me, schema=schema).fits
    assert (blind.records, blind.unclear) == (0, 3)
    assert blind.sensitive[0].among == {}
    assert (explained.records, explained.unclear) == (3, 0)
    assert explained.sensitive[0].among == {"flu": 2, "gout": 1}
    label = lines(tmp_path / "label.csv", "age,country", "20,Europe")
    assert shoal.lookup(release, label).fits[0].records == 3, "who knows the label may write it"


def test_columns_that_are_not_for_others_to_know_are_not_compared(tmp_path: Path) -> None:
    release, _ = published_table(tmp_path)
    found = shoal.lookup(release, lines(tmp_path / "me.csv", "illness,name", "flu,1"))
    assert (found.named, found.compared, found.absent) == (2, 0, 1)
    assert found.fits[0].records == 12


def test_shares_of_nothing_are_nothing() -> None:
    (shares,) = sensitive_shares(survey([[1], [2]], 5, [4, None]), np.zeros(2, bool))
    assert shares.among == {}
    assert shares.largest_share == 0
    assert repr(shares).startswith("<"), "a repr tells no value"


def test_sensitive_ratings_are_told_as_they_are_given() -> None:
    half = Scale.of("0.5", "5", "0.5")
    items = Vocabulary(pl.Series(["secret"]))
    secret = RatingMatrix.from_dense(items, np.array([[9], [-1], [0]], np.int32))
    data = Ratings(Vocabulary.numbered(3), RatingMatrix.empty(3), secret, half)
    (shares,) = sensitive_shares(data, np.array([True, True, False]))
    assert shares.among == {None: 1, "5.0": 1}
    assert shares.overall == {None: 1, "0.5": 1, "5.0": 1}


@pytest.mark.parametrize(
    ("texts", "error", "says"),
    [
        (("q1,Xylophone", "q2,3"), SchemaError, "first line be: item,rating"),
        (("item,rating", "q1,Xylophone"), DataError, "One of your ratings is not on the scale of the release"),
        (("item,rating", "q1,77"), DataError, "from 1 to 5 in steps of 1"),
        (("item,rating", "q1,2.5"), DataError, "from 1 to 5 in steps of 1"),
        (("item,rating", "Xylophone,1", "Xylophone,2"), DataError, "1 line of me.csv repeats an item"),
        (("item,rating", ",1", ",2"), DataError, "2 lines of me.csv have no item"),
        (("item,rating",), DataError, "no records"),
        (("item,rating", "Xylophone,1,2"), DataError, "fields"),
    ],
)
def test_faults_of_ones_own_ratings_are_told_without_them(tmp_path: Path, texts, error, says) -> None:
    release = published_survey(tmp_path, SURVEY, "k-epsilon:k=2,epsilon=1")
    with pytest.raises(error) as refused:
        shoal.lookup(release, lines(tmp_path / "me.csv", *texts))
    assert says in str(refused.value)
    assert SECRET not in str(refused.value)
    assert "77" not in str(refused.value)


@pytest.mark.parametrize("texts", [("age",), ("age", "1", "2"), ("age,age", "1,2")])
def test_a_table_asks_for_one_line(tmp_path: Path, texts) -> None:
    release, _ = published_table(tmp_path)
    with pytest.raises(InputError):
        shoal.lookup(release, lines(tmp_path / "me.csv", *texts))


def test_faults_of_ones_own_values_are_told_without_them(tmp_path: Path) -> None:
    release, schema = published_table(tmp_path)
    me = lines(tmp_path / "me.csv", "age,country", f"20,{SECRET}")
    with pytest.raises(InputError, match="'country' does not list your value") as refused:
        shoal.lookup(release, me, schema=schema)
    assert SECRET not in str(refused.value)
    with pytest.raises(DataError, match="'age' is not a number") as refused:
        shoal.lookup(release, lines(tmp_path / "me.csv", "age,country", f"{SECRET},Kenya"))
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(("age", "unlike"), [("20", ()), ("22", ()), ("19", ("age",)), ("1000", ("age",))])
def test_a_value_that_no_record_has_is_told_before_anything_is_claimed(tmp_path: Path, age, unlike) -> None:
    release, schema = published_table(tmp_path)
    found = shoal.lookup(release, lines(tmp_path / "me.csv", "age", age), schema=schema)
    assert found.unlike_any == unlike
    assert bool(found.fits[0].records) is not bool(unlike)
    told = (" ".join(doubts_in_words(found)), how_to_read(found))
    assert (("your value of: age" in told[0]), ("If you wrote everything right" in told[1])) == (bool(unlike),) * 2


@settings(max_examples=40)
@given(tables(min_records=4, max_records=8, others=False))
def test_nobody_whose_record_says_something_is_told_to_have_mistyped(table: Microdata) -> None:
    made = Mondrian().recode(table, [KAnonymity(2)], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    for row in range(len(table)):
        own = Microdata(tuple(column.take(np.array([row])) for column in table.quasi_identifiers))
        refuse_unreadable(made, own)
        unlike = columns_unlike_any(made, own, explained=table.names)
        assert {made[name].values.cast(pl.String)[row] for name in unlike} <= {"*"}


def test_where_nothing_is_compared_nothing_is_claimed(tmp_path: Path) -> None:
    release = published_survey(tmp_path, SURVEY, "k-epsilon:k=2,epsilon=1")
    found = shoal.lookup(release, lines(tmp_path / "me.csv", "item,rating", f"{SECRET},5", "q9,1"))
    assert found.absent_names == (SECRET, "q9")
    assert SECRET not in repr(found)
    assert doubts_in_words(found) == [
        "Not in the release, and not compared: 2 of the 2 items that you name. Check how they are written."
    ]
    assert "no answer for you" in how_to_read(found)


def test_settings_that_do_not_belong_to_the_release_are_refused(tmp_path: Path) -> None:
    table, schema = published_table(tmp_path)
    me = lines(tmp_path / "me.csv", "age", "20")
    with pytest.raises(WordingError, match="tolerance"):
        shoal.lookup(table, me, tolerance=1)
    ratings_schema = tmp_path / "other"
    ratings_schema.mkdir()
    survey_release = published_survey(ratings_schema, SURVEY, "k-epsilon:k=2,epsilon=1")
    with pytest.raises(WordingError, match="schema"):
        shoal.lookup(survey_release, me, schema=schema)
    with pytest.raises(SchemaError, match="not one of a table"):
        shoal.lookup(table, me, schema=ratings_schema / "survey.toml")
    with pytest.raises(FileError):
        shoal.lookup(tmp_path / "nothing", me)


def test_of_sets_whoever_has_all_the_items_fits_and_there_is_no_tolerance(tmp_path: Path) -> None:
    held = ["ann,a", "ann,b", "bob,a", "bob,b", "cid,a", "dan,a"]
    (tmp_path / "b.csv").write_text("\n".join(["user,item", *held]) + "\n")
    shoal.publish(tmp_path / "b.csv", models="km-anonymity:k=2,m=2", method="none", out=tmp_path / "out")
    me = tmp_path / "me.csv"
    for items, records in ((["a"], 4), (["a", "b"], 2), (["c"], 4)):
        me.write_text("\n".join(["item", *items]) + "\n")
        (fit,) = shoal.lookup(tmp_path / "out", me).fits
        assert (fit.records, fit.tolerance) == (records, None)
    with pytest.raises(WordingError, match="holds sets"):
        shoal.lookup(tmp_path / "out", me, tolerance=1)
    me.write_text("a\nb\n")
    with pytest.raises(SchemaError, match="first line be: item\\."):
        shoal.lookup(tmp_path / "out", me)
