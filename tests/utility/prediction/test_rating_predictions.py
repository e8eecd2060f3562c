"""Accuracy of naive Bayes and a decision tree, before and after."""

import numpy as np
import pytest

import utility_oracle
from comparisons import compared, rated
from shoal.utility import MEASURES, Comparison
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
