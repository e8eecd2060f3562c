"""Accuracy of naive Bayes and a decision tree, before and after."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import utility_oracle
from comparisons import compared, rated
from shoal.errors import InputError, WordingError
from shoal.utility import MEASURES, Comparison, Prediction
from shoal.utility.prediction.accuracy import prediction_task

NAMES = [f"{model} accuracy{when}" for model in ("naive Bayes", "decision tree") for when in (" before", "")]


def noise(seed: int, n: int = 90, items: int = 4, lowest: int = -1) -> list[list[int]]:
    return np.random.default_rng(seed).integers(lowest, 5, (n, items)).tolist()


@pytest.mark.parametrize("secret", [True, False])
def test_naive_bayes_guesses_as_a_plain_one(secret):
    before, after = noise(1), noise(2)
    secrets = [[row[0] % 3] for row in noise(3, lowest=0)] if secret else None
    comparison = compared(rated(before, secrets), rated(after, secrets))
    splits = prediction_task(comparison).splits
    target, places = _target(before, secrets)
    for name, rows in (("naive Bayes accuracy before", before), ("naive Bayes accuracy", after)):
        targets = [row[target] for row in rows] if secrets is None else [row[0] for row in secrets]
        usable = [i for i in range(90) if secrets is not None or before[i][target] >= 0 or after[i][target] >= 0]
        shares = []
        for parts in splits:
            learned, asked = ([usable[i] for i in part if targets[usable[i]] >= 0] for part in parts)
            features = [[rows[i][place] for place in places] for i in range(90)]
            guesses = utility_oracle.naive_bayes(
                [features[i] for i in learned],
                [targets[i] for i in learned],
                [features[i] for i in asked],
                [6] * len(places),
            )
            shares.append(np.mean([guess == targets[i] for guess, i in zip(guesses, asked, strict=True)]))
        assert MEASURES[name](comparison) == pytest.approx(np.mean(shares))


def _target(before: list[list[int]], secrets) -> tuple[int, list[int]]:
    """The item rated most often, and the others by how often they are rated."""
    rated_by = [sum(row[place] >= 0 for row in before) for place in range(4)]
    order = sorted(range(4), key=lambda place: -rated_by[place])
    return (-1, order) if secrets is not None else (order[0], order[1:])


@pytest.mark.parametrize("name", NAMES)
def test_a_rating_that_follows_from_another_is_guessed_and_noise_is_not(name):
    """The secret is 1 where the first item is rated 4 or 5; after, that item tells nothing any more."""
    before = noise(5, n=600, lowest=0)
    secrets = [[int(row[0] > 2)] for row in before]
    after = [[0, *row[1:]] for row in before]
    found = MEASURES[name](compared(rated(before, secrets), rated(after, secrets)))
    assert found == 1 if name.endswith("before") else 0.4 < found < 0.75


@pytest.mark.parametrize("name", NAMES)
def test_that_an_item_is_not_rated_may_tell_something(name):
    """The secret is 1 where the first item is null: null is a value, for both models."""
    before = [[-1 if i % 3 == 0 else i % 5, i % 4] for i in range(300)]
    secrets = [[int(i % 3 == 0)] for i in range(300)]
    ratings = rated(before, secrets)
    assert MEASURES[name](compared(ratings, ratings)) == 1


def test_what_is_published_as_it_is_is_guessed_as_well_as_before():
    ratings = rated(noise(7), noise(8, items=2, lowest=0))
    values = [MEASURES[name](compared(ratings, ratings)) for name in NAMES]
    assert values[0] == values[1]
    assert values[2] == values[3]


def test_two_thirds_are_learned_from_and_nobody_is_both():
    task = prediction_task(compared(rated(noise(1, lowest=0)), rated(noise(2, lowest=0))))
    assert len(task.splits) == 5
    for learned, asked in task.splits:
        assert len(learned) == 60
        assert sorted([*learned, *asked]) == list(range(90))


def predicting(ratings, **settings) -> Comparison:
    return dataclasses.replace(compared(ratings, ratings), prediction=Prediction(**settings))


@settings(max_examples=25)
@given(
    trials=st.integers(1, 6),
    records=st.integers(20, 120),
    training=st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
)
def test_trials_records_and_the_share_for_training_are_settings(trials, records, training):
    comparison = predicting(rated(noise(1, lowest=0)), trials=trials, records=records, training=training)
    task = prediction_task(comparison)
    assert len(task.splits) == trials
    for learned, asked in task.splits:
        n = min(records, 90)
        assert (len(learned), len(asked)) == (int(n * training), n - int(n * training))
        assert len({*learned.tolist(), *asked.tolist()}) == n


def test_every_trial_draws_its_own_records():
    task = prediction_task(predicting(rated(noise(1, n=300, lowest=0)), trials=8, records=30))
    drawn = [frozenset([*learned.tolist(), *asked.tolist()]) for learned, asked in task.splits]
    assert len(set(drawn)) == 8
    assert len(task.targets[0]) == len(frozenset().union(*drawn)) > 100


@pytest.mark.parametrize("name", ["item 0", "item 3", "secret 1"])
def test_any_item_can_be_predicted(name):
    seen, secrets = noise(1, n=200), noise(2, n=200, items=2)
    task = prediction_task(predicting(rated(seen, secrets), target=name, trials=1))
    kind, place = name.split()
    column = [row[int(place)] for row in (seen if kind == "item" else secrets)]
    known = [row for row in range(200) if column[row] >= 0]
    assert task.targets[0].tolist() == [column[row] for row in known]
    others = [i for i in range(4) if name != f"item {i}"]
    rated_by = {i: -sum(row[i] >= 0 for row in seen) for i in others}
    order = sorted(others, key=lambda i: rated_by[i])
    assert task.features[0].tolist() == [[seen[row][i] + 1 for i in order] for row in known]


def test_an_item_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="no item"):
        prediction_task(predicting(rated(noise(1)), target="item 9"))


def test_so_many_items_are_predicted_from():
    """Of four, the target aside, the two rated most often."""
    rows = [[0, 1, i % 2 or -1, i % 5] for i in range(60)]
    task = prediction_task(predicting(rated(rows), target="item 3", features=2))
    assert set(map(tuple, task.features[0].tolist())) == {(1, 2)}


@pytest.mark.parametrize("wrong", [{"trials": 0}, {"records": 1}, {"training": 1}, {"features": 0}])
def test_trials_of_nothing_are_refused(wrong):
    with pytest.raises(WordingError, match=next(iter(wrong))):
        Prediction(**wrong)


def test_a_secret_that_never_differs_is_not_what_is_predicted():
    """The first sensitive item is always 1 and the second is not: the second is predicted."""
    ratings = rated(noise(1), [[0, i % 2] for i in range(90)])
    assert set(prediction_task(compared(ratings, ratings)).targets[0].tolist()) == {0, 1}


def test_the_seed_decides_the_splits():
    ratings = rated(noise(1, lowest=0))
    tasks = [
        prediction_task(Comparison(ratings, np.arange(90), ratings, np.array([90]), seed=seed)) for seed in (0, 0, 1)
    ]
    first, second, other = (task.splits[0][0].tolist() for task in tasks)
    assert first == second != other
