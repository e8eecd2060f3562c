"""Training and test records anonymized apart: a model of one release, tested on another."""

import dataclasses

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import utility_oracle
from comparisons import compared, profiled, rated
from shoal.data import Column, Hierarchy, Microdata, Ratings, Role, Scale, Vocabulary
from shoal.utility import MEASURES, Comparison, Prediction, measured
from shoal.utility.prediction.accuracy import prediction_task

NAMES = [f"{model} accuracy{when}" for model in ("naive Bayes", "decision tree") for when in (" before", "")]
QI, SECRET = Role.QUASI_IDENTIFIER, Role.SENSITIVE


def noise(seed: int, n: int, items: int = 4, lowest: int = -1) -> list[list[int]]:
    return np.random.default_rng(seed).integers(lowest, 5, (n, items)).tolist()


def apart(one: Comparison, other: Comparison, **settings) -> Comparison:
    return dataclasses.replace(one, tested_on=other, prediction=Prediction(**settings))


def reason(comparison: Comparison) -> str:
    return measured(comparison, [MEASURES["naive Bayes accuracy"]]).reasons["naive Bayes accuracy"]


@settings(max_examples=10)
@given(seed=st.integers(0, 99), withheld=st.integers(0, 3), place=st.integers(0, 3))
def test_naive_bayes_learns_from_one_release_and_is_asked_about_the_other(seed, withheld, place):
    """All records of both, by a plain naive Bayes; withheld ones are neither learned from nor asked about."""
    (train, told), (test, asked) = ((noise(seed + i, n), noise(seed + i + 50, n)) for i, n in ((0, 60), (1, 45)))
    one = compared(rated(train), rated(told), withheld=withheld)
    other = compared(rated(test), rated(asked), withheld=withheld)
    comparison = apart(one, other, target=f"item {place}")
    places = [i for i in range(4) if i != place]
    for name, (learned, questions) in (
        ("naive Bayes accuracy before", (train, test)),
        ("naive Bayes accuracy", (told, asked)),
    ):
        known, tested = ([row for row in rows if row[place] >= 0] for rows in (learned, questions))
        features = [[[row[i] for i in places] for row in rows] for rows in (known, tested)]
        guesses = utility_oracle.naive_bayes(features[0], [row[place] for row in known], features[1], [6] * 3)
        expected = np.mean([guess == row[place] for guess, row in zip(guesses, tested, strict=True)])
        assert MEASURES[name](comparison) == pytest.approx(expected)


def test_items_are_matched_by_their_names_and_not_by_their_places():
    """The test release lists items in another order, and has one of its own."""
    train, test = noise(1, 80), noise(2, 70)
    one = compared(rated(train), rated(train))
    names = ["item 3", "item 1", "item 9", "item 0", "item 2"]
    order = [int(name.split()[1]) for name in names]
    rows = [[-1 if place == 9 else row[place] for place in order] for row in test]
    turned = _named(rated(rows), names)
    same, moved = (apart(one, compared(each, each), target="item 2") for each in (rated(test), turned))
    for name in NAMES:
        assert MEASURES[name](same) == MEASURES[name](moved)


def _named(ratings: Ratings, names: list[str]) -> Ratings:
    matrix = dataclasses.replace(ratings.observable, items=Vocabulary(pl.Series(names)))
    return dataclasses.replace(ratings, observable=matrix)


@pytest.mark.parametrize("name", NAMES)
def test_what_holds_in_one_release_alone_does_not_help_in_the_other(name):
    """The secret follows from the item in training, and is its opposite in the test: nobody is guessed."""
    rows = noise(3, 200, items=1, lowest=0)
    one, other = (rated(rows, [[int((row[0] > 2) == same)] for row in rows]) for same in (True, False))
    assert MEASURES[name](apart(compared(one, one), compared(one, one))) == 1
    assert MEASURES[name](apart(compared(one, one), compared(other, other))) == 0


def test_trials_draw_from_both_and_one_is_enough_where_all_take_part():
    one, other = (compared(rated(noise(i, n, lowest=0)), rated(noise(i, n, lowest=0))) for i, n in ((1, 60), (2, 50)))
    (learned, asked) = prediction_task(apart(one, other, trials=4)).splits[0]
    assert sorted(learned.tolist()) == list(range(60))
    assert sorted(asked.tolist()) == list(range(60, 110))
    assert len(prediction_task(apart(one, other, trials=4)).splits) == 1
    task = prediction_task(apart(one, other, trials=4, records=55))
    assert [tuple(map(len, split)) for split in task.splits] == [(55, 50)] * 4


def test_profiles_stand_for_all_of_their_people():
    """Five profiles for forty people: each person learns and is asked, with the profile of the group."""
    rows = noise(5, 40, items=3, lowest=0)
    groups = [row[0] for row in rows]
    one = profiled(rated(rows), list(range(40)), [[g, g, 4 - g] for g in range(5)], groups, 1)
    task = prediction_task(apart(one, one, target="item 2"))
    assert task.targets[1].tolist() == [4 - g for g in groups] * 2
    assert MEASURES["naive Bayes accuracy"](apart(one, one, target="item 2")) == 1


def table(*columns: tuple[str, Role, list]) -> Microdata:
    return Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns))


def test_columns_and_labels_are_matched_by_their_names():
    """Lands as numbers in one table and as words in the other, in another order of columns, are the same lands."""
    n = 90
    lands, ages, ill = (np.random.default_rng(i).integers(0, 3, n).tolist() for i in (1, 2, 3))
    one = table(("land", QI, lands), ("age", QI, ages), ("disease", SECRET, [f"ill {i}" for i in ill]))
    words = [str(land) for land in lands]
    other = table(("disease", SECRET, [f"ill {i}" for i in ill]), ("age", QI, ages), ("land", QI, words))
    for name in NAMES:
        found = [MEASURES[name](apart(compared(one, one), compared(each, each))) for each in (one, other)]
        assert found[0] == found[1]


def test_labels_that_only_test_records_have_say_nothing_to_naive_bayes_and_their_middles_to_a_tree():
    """Training ages are in tens, and test ages in fives and of one lone ten; the young are more, and well."""
    ages = [[i % 40 for i in range(n)] for n in (70, 60)]
    ill = [[age // 20 for age in some] for some in ages]
    labels = [[f"[{a // w * w}, {a // w * w + w - 1}]" for a in some] for some, w in zip(ages, (10, 5), strict=True)]
    labels[1] = [told if age < 30 else "[30, 39]" for told, age in zip(labels[1], ages[1], strict=True)]
    one, other = (
        compared(
            table(("age", QI, ages[i]), ("disease", SECRET, ill[i])),
            table(("age", QI, labels[i]), ("disease", SECRET, ill[i])),
        )
        for i in range(2)
    )
    expected = np.mean([truth == (age >= 30) for age, truth in zip(ages[1], ill[1], strict=True)])
    assert MEASURES["naive Bayes accuracy"](apart(one, other)) == pytest.approx(expected) != 1
    assert MEASURES["decision tree accuracy"](apart(one, other)) == 1


def test_a_hierarchy_is_read_where_it_covers_the_values_of_both():
    ages = [[20, 25, 30, 35] * 20, [21, 26, 31, 36] * 20]
    widths = [10.0]
    whole = Vocabulary(pl.Series(sorted({*ages[0], *ages[1]})))
    declared = Hierarchy.from_intervals(whole, widths)
    for covers in (True, False):
        pairs = []
        for some in ages:
            column = Column.encode("age", QI, pl.Series(some))
            own = declared.rebased(column.vocabulary) if covers else Hierarchy.from_intervals(column.vocabulary, widths)
            secret = Column.encode("ill", SECRET, pl.Series([age // 10 for age in some]))
            labels = Column.encode("age", QI, pl.Series([f"[{age // 10 * 10}, {age // 10 * 10 + 10})" for age in some]))
            pairs.append(compared(Microdata((column.with_hierarchy(own), secret)), Microdata((labels, secret))))
        assert [MEASURES[name](apart(*pairs)) for name in NAMES[1::2]] == [1, 1]


def test_reasons_say_why_two_releases_do_not_fit():
    ratings, others = rated(noise(1, 50)), rated(noise(1, 50), scale=Scale.of(0, 4))
    one, people = compared(ratings, ratings), table(("age", QI, [1, 2] * 25), ("ill", SECRET, ["a", "b"] * 25))
    assert "different scales" in reason(apart(one, compared(others, others)))
    assert "ratings cannot be tested on a table" in reason(apart(one, compared(people, people)))
    more = table(("age", QI, [1, 2] * 25), ("ill", SECRET, ["a", "b"] * 25), ("shoe", QI, [1, 2] * 25))
    assert "different columns" in reason(apart(compared(people, people), compared(more, more)))
    secrets = _named(rated([[0]] * 50, noise(2, 50, items=1)), ["item 8"])
    hidden = dataclasses.replace(secrets.sensitive, items=Vocabulary(pl.Series(["item 0"])))
    both = dataclasses.replace(secrets, sensitive=hidden)
    assert "sensitive in one" in reason(apart(one, compared(both, both)))
    few = rated(noise(3, 15, lowest=0))
    assert "among training or test records" in reason(apart(one, compared(few, few)))
