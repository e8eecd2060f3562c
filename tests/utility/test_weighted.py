"""Weighted measures: those of the records repeated by their weights, and counted person by person."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import label_oracle
from published_tables import plain, published_tables
from shoal.data import Column, Microdata, Role
from shoal.jobs.measure import measured_as
from shoal.utility import MEASURES, Comparison, measured

PAIRS = {
    "weighted attribute distribution distance": "attribute distribution distance",
    "weighted average query error": "average query error",
    "weighted mean shift": "mean shift",
}


def weighted(comparison: Comparison, weights: Sequence[float]) -> Comparison:
    whole = comparison.whole
    assert isinstance(whole, Microdata)
    column = Column.encode("weight", Role.WEIGHT, pl.Series(weights, dtype=pl.Float64))
    return replace(comparison, whole=replace(whole, columns=(*whole.columns, column)))


def repeated(comparison: Comparison, weights: list[int]) -> Comparison:
    """Every original so many times as it weighs, each published as it is."""
    rows = np.repeat(np.arange(len(weights)), weights)
    first = (np.cumsum(weights) - weights).tolist()
    origins, places = [], []
    for place, origin in enumerate(comparison.origins.tolist()):
        origins += range(first[origin], first[origin] + weights[origin])
        places += [place] * weights[origin]
    return replace(
        comparison,
        whole=comparison.whole.take(rows),
        origins=np.array(origins, np.int64),
        released=comparison.released.take(np.array(places, np.int64)),
    )


@settings(max_examples=60, deadline=None)
@given(comparison=published_tables(), data=st.data())
def test_a_weight_counts_as_so_many_records(comparison: Comparison, data: st.DataObject) -> None:
    n = len(comparison.whole)
    weights = [1, *data.draw(st.lists(st.integers(1, 4), min_size=n - 1, max_size=n - 1))]
    by_weight, by_record = weighted(comparison, weights), repeated(comparison, weights)
    for name, plain_name in PAIRS.items():
        found, expected = measured(by_weight, [MEASURES[name]]), measured(by_record, [MEASURES[plain_name]])
        assert found.values.get(name) == pytest.approx(expected.values.get(plain_name), abs=1e-9), name


@settings(max_examples=60, deadline=None)
@given(comparison=published_tables(), data=st.data())
def test_weighted_distributions_and_means_are_those_of_person_by_person(
    comparison: Comparison, data: st.DataObject
) -> None:
    n = len(comparison.whole)
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.25, 100.0]), min_size=n, max_size=n))
    columns = list(plain(comparison, Role.QUASI_IDENTIFIER, Role.SENSITIVE).values())
    found = measured(weighted(comparison, weights), [MEASURES[name] for name in PAIRS]).values
    distances = [_distance(column, weights) for column in columns]
    assert found["weighted attribute distribution distance"] == pytest.approx(sum(distances) / len(distances), abs=1e-9)
    shifts = [shift for shift in (_shift(column, weights) for column in columns) if shift is not None]
    expected = sum(shifts) / len(shifts) if shifts else None
    assert found.get("weighted mean shift") == pytest.approx(expected, abs=1e-6)


def _distance(column: label_oracle.PlainColumn, weights: list[float]) -> float:
    share = {value: Fraction(0) for value in column.domain}
    for value, weight in zip(column.originals, weights, strict=True):
        share[value] += Fraction(weight) / sum(map(Fraction, weights))
    published = sum(Fraction(weights[origin]) for origin in column.origins)
    for origin, label in zip(column.origins, column.labels, strict=True):
        values = label_oracle.meaning(column, label)[0]
        for value in values:
            share[value] -= Fraction(weights[origin]) / len(values) / published
    return float(sum(map(abs, share.values())) / 2)


def _shift(column: label_oracle.PlainColumn, weights: list[float]) -> float | None:
    if not all(value is None or (isinstance(value, int | float) and value is not True) for value in column.domain):
        return None
    if all(value is None or isinstance(value, bool) for value in column.domain):
        return None
    before = [
        (Fraction(value), Fraction(w)) for value, w in zip(column.originals, weights, strict=True) if value is not None
    ]
    after = []
    for origin, label in zip(column.origins, column.labels, strict=True):
        numbers = [Fraction(value) for value in label_oracle.meaning(column, label)[0] if value is not None]
        if numbers:
            after.append((sum(numbers) / len(numbers), Fraction(weights[origin])))
    if not after or len({value for value, _ in before}) < 2:
        return None
    mean, shown = (sum(v * w for v, w in each) / sum(w for _, w in each) for each in (before, after))
    variance = sum((v - mean) ** 2 * w for v, w in before) / sum(w for _, w in before)
    return float(abs(shown - mean)) / float(variance) ** 0.5


def test_records_without_weights_are_not_measured_by_weight() -> None:
    age = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2, 3]))
    table = Microdata((age,))
    comparison = Comparison(table, np.arange(3), table, np.ones(3, np.int64))
    found = measured(comparison, [MEASURES[name] for name in PAIRS])
    assert not found.values
    assert found.reasons == dict.fromkeys(PAIRS, "There are no weights.")
    told = measured_as(comparison, "none", everything=True)
    assert not PAIRS.keys() & (told.measures.keys() | told.reasons.keys()), "it is not a reason worth a line"
