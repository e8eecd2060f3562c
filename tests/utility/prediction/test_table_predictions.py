"""Accuracy of naive Bayes and a decision tree on tables, before and after."""

import numpy as np
import polars as pl
import pytest

import utility_oracle
from comparisons import compared
from shoal.data import Column, Microdata, Role
from shoal.utility import MEASURES, Comparison, Prediction, measured
from shoal.utility.prediction.accuracy import prediction_task

NAMES = [f"{model} accuracy{when}" for model in ("naive Bayes", "decision tree") for when in (" before", "")]
QI, SECRET, PLAIN = Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE


def table(*columns: tuple[str, Role, list]) -> Microdata:
    return Microdata(tuple(Column.encode(name, role, pl.Series(values)) for name, role, values in columns))


def noise(seed: int, n: int, most: int) -> list[int]:
    return np.random.default_rng(seed).integers(0, most, n).tolist()


def accuracies(before: Microdata, after: Microdata, target: str | None = None) -> dict[str, float]:
    comparison = Comparison(
        before, np.arange(len(before)), after, np.array([len(after)]), prediction=Prediction(target)
    )
    return dict(measured(comparison, [MEASURES[name] for name in NAMES]).values)


def test_naive_bayes_guesses_as_a_plain_one():
    """Ages are told in tens, and lands as they are; the disease is to be predicted."""
    n = 90
    ages, lands, diseases = noise(1, n, 40), [f"land {i}" for i in noise(2, n, 3)], [f"ill {i}" for i in noise(3, n, 3)]
    tens = [f"[{age // 10}0, {age // 10}9]" for age in ages]
    before = table(("age", QI, ages), ("land", QI, lands), ("disease", SECRET, diseases))
    after = table(("age", QI, tens), ("land", QI, lands), ("disease", SECRET, diseases))
    splits = prediction_task(compared(before, after)).splits
    for when, published in ((" before", ages), ("", tens)):
        shares = []
        for learned, asked in splits:
            guesses = _guesses([list(zip(published, lands, strict=True)), diseases], learned, asked)
            shares.append(np.mean([guess == diseases[i] for guess, i in zip(guesses, asked, strict=True)]))
        found = accuracies(before, after)[f"naive Bayes accuracy{when}"]
        assert found == pytest.approx(np.mean(shares))


def _guesses(columns: list, learned, asked) -> list:
    features, targets = columns
    sizes = [len(set(feature)) for feature in zip(*features, strict=True)]
    return utility_oracle.naive_bayes(
        [features[i] for i in learned], [targets[i] for i in learned], [features[i] for i in asked], sizes
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_follows_from_a_column_is_guessed_and_is_not_any_more_when_that_is_not_told(name):
    n = 600
    ages, others = noise(5, n, 60), noise(6, n, 4)
    ill = ["ill" if age > 29 else "well" for age in ages]
    before = table(("age", QI, ages), ("other", QI, others), ("disease", SECRET, ill))
    after = table(("age", QI, ["*"] * n), ("other", QI, others), ("disease", SECRET, ill))
    found = accuracies(before, after)[name]
    assert found > 0.97 if name.endswith("before") else 0.4 < found < 0.65


def test_a_tree_cuts_labels_in_the_order_of_what_they_cover():
    """As text, [100, 119] would stand before [20, 39]; who is older than 59 is ill, and one cut tells."""
    n = 400
    ages = [20 * (i % 6) + i % 20 for i in range(n)]
    published = [f"[{age // 20 * 20}, {age // 20 * 20 + 19}]" for age in ages]
    ill = [str(age > 59) for age in ages]
    before = table(("age", QI, ages), ("disease", SECRET, ill))
    comparison = compared(before, table(("age", QI, published), ("disease", SECRET, ill)))
    features, target = prediction_task(comparison).features[1][:, 0], prediction_task(comparison).targets[1]
    assert features[target == 0].max() < features[target == 1].min()


def test_the_target_is_the_one_named_or_the_first_that_is_suited():
    n = 300
    columns = {
        "age": (QI, noise(1, n, 5)),
        "always": (SECRET, ["same"] * n),
        "pay": (SECRET, list(range(n))),
        "disease": (SECRET, [f"ill {i}" for i in noise(2, n, 3)]),
        "shoe": (PLAIN, noise(3, n, 4)),
    }
    whole = table(*((name, *column) for name, column in columns.items()))

    def n_targets(records: Microdata, target: str | None = None) -> int:
        comparison = Comparison(records, np.arange(n), records, np.array([n]), prediction=Prediction(target))
        return len(set(prediction_task(comparison).targets[0].tolist()))

    assert n_targets(whole) == 3
    assert n_targets(whole, "age") == 5
    assert n_targets(whole, "shoe") == 4
    assert n_targets(table(*((name, *columns[name]) for name in ("age", "pay", "shoe")))) == 4


def test_records_without_the_target_are_left_out():
    n = 90
    ages = noise(1, n, 5)
    ill = [None if i % 3 == 0 else f"ill {age % 2}" for i, age in enumerate(ages)]
    whole = table(("age", QI, ages), ("disease", SECRET, ill))
    task = prediction_task(compared(whole, whole))
    assert len(task.targets[0]) == 60
    assert set(task.targets[0].tolist()) == {1, 2}


def reason(columns: list[tuple[str, Role, list]], target: str | None = None) -> str:
    whole = table(*columns)
    comparison = Comparison(whole, np.arange(len(whole)), whole, np.array([len(whole)]), prediction=Prediction(target))
    return measured(comparison, [MEASURES["naive Bayes accuracy"]]).reasons["naive Bayes accuracy"]


def test_reasons_say_what_is_missing():
    ages = ("age", QI, noise(1, 60, 5))
    assert "No sensitive or insensitive column" in reason([ages])
    assert "No sensitive or insensitive column" in reason([("age", QI, [1] * 101), ("pay", SECRET, list(range(101)))])
    assert "no other column" in reason([ages], "age")
    assert "too many different values" in reason([ages, ("pay", SECRET, list(range(60)))])
    assert "fewer than 20" in reason([("age", QI, [1, 2] * 5), ("ill", SECRET, ["a", "b"] * 5)])
