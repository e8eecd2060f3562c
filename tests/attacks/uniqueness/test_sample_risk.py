"""The risk of a sample: its formula, its classes, people with several records, and households."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import hyp2f1

from shoal.attacks import Exposure, SampleRisk
from shoal.attacks.uniqueness.individual_risk import household_risks, individual_risks
from shoal.data import Column, Microdata, Role
from shoal.errors import WordingError
from shoal.randomness import Randomness
from tests.sample_oracle import expected_inverse, individual_risk, sample_risks


def risk(f: int, weight: float) -> float:
    return float(individual_risks(np.array([f]), np.array([weight]))[0])


def test_the_formula_is_scipys_where_scipy_is_accurate() -> None:
    f = np.array([1, 2, 3, 5, 10, 20, 31, 32, 50, 100])
    p = np.array([1e-5, 1e-4, 0.001, 0.01, 0.1, 0.2499, 0.25, 0.2501, 0.5, 0.9, 0.999, 0.999999])
    f, p = (each.ravel() for each in np.meshgrid(f, p))
    weights = f / p
    p = f / weights
    with np.errstate(all="ignore"):  # where scipy overflows there is nothing to compare with
        expected = p**f / f * hyp2f1(f, f, f + 1, 1 - p)
    rounded_off = f * np.finfo(np.float64).eps / p  # what the rounding of 1 − p alone does to it
    usable = np.isfinite(expected) & (expected > 0) & (rounded_off < 1e-11)
    assert np.count_nonzero(usable) > 80
    np.testing.assert_allclose(individual_risks(f, weights)[usable], expected[usable], rtol=1e-10)


@given(st.integers(1, 90), st.fractions(Fraction(1, 10**6), 10**9, max_denominator=10**6))
def test_the_formula_is_exact_for_every_chance(f: int, more: Fraction) -> None:
    weight = float(f + more)
    assert math.isclose(risk(f, weight), individual_risk(f, Fraction(weight)), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("f", "p"), [(1, Fraction(1, 2)), (2, Fraction(1, 3)), (4, Fraction(2, 5)), (7, Fraction(9, 10))]
)
def test_it_is_the_expected_inverse_of_a_negative_binomial(f: int, p: Fraction) -> None:
    expected = float(expected_inverse(f, p, until=150))
    assert math.isclose(risk(f, float(f / p)), expected, rel_tol=1e-12)


def test_a_single_record_has_the_risk_of_the_logarithm() -> None:
    p = 1 / 50
    assert math.isclose(risk(1, 50), -p * math.log(p) / (1 - p), rel_tol=1e-14)


@given(st.integers(1, 10**7), st.floats(1e-9, 1e12))
def test_a_risk_is_between_those_of_everybody_and_of_nobody_else(f: int, more: float) -> None:
    found = risk(f, f + more)
    assert 1 / (f + more) * (1 - 1e-12) <= found <= 1 / f  # Jensen: E(1/F) ≥ 1/E(F)
    assert risk(f, 2 * (f + more)) < found, "the larger the population, the smaller the risk"


@given(st.integers(1, 1000), st.floats(1e-3, 1))
def test_weights_that_add_up_to_no_more_than_the_people_leave_no_others(f: int, share: float) -> None:
    assert risk(f, f * share) == 1 / f


def test_a_household_is_found_if_one_of_its_people_is() -> None:
    found = household_risks(np.array([0.5, 0.5, 0.1, 1.0, 0.2]), np.array([7, 7, 2, 9, 9]))
    np.testing.assert_allclose(found, [0.1, 0.75, 1.0])


def sample(ages: list[int], weights: list[float], persons: list[int] | None = None) -> Microdata:
    columns = (
        Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)),
        Column.encode("weight", Role.WEIGHT, pl.Series(weights)),
    )
    return Microdata(columns, persons=None if persons is None else np.array(persons, np.int64))


@given(st.data())
def test_the_rate_is_the_mean_risk_of_people(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    ages = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.sampled_from([0.25, 1.0, 3.0, 250.5]), min_size=n, max_size=n))
    persons = data.draw(st.none() | st.lists(st.integers(0, 5), min_size=n, max_size=n))
    if persons is not None and len(set(persons)) == n:
        persons = None
    found = SampleRisk().run(Exposure.of_itself(sample(ages, weights, persons)), Randomness(1))
    of_person: dict[int, float] = {}
    for person, each in zip(persons or range(n), sample_risks(ages, weights, persons), strict=True):
        of_person[person] = max(each, of_person.get(person, 0))
    assert math.isclose(found.main, sum(of_person.values()) / len(of_person), rel_tol=1e-12)
    assert math.isclose(found.details["expected_people_found"], sum(of_person.values()), rel_tol=1e-12)
    above = sum(each > 0.09 for each in of_person.values()) / len(of_person)
    assert found.details["share_of_people_above_threshold"] == above


def test_households_count_each_person_once() -> None:
    table = sample([1, 1, 2, 3], [10, 10, 4, 2], [0, 0, 1, 2])
    table = replace(table, columns=(*table.columns, Column.encode("hid", Role.HOUSEHOLD, pl.Series([5, 5, 5, 6]))))
    found = SampleRisk().run(Exposure.of_itself(table), Randomness(1)).details
    alone = [individual_risk(1, Fraction(weight)) for weight in (10, 4, 2)]
    first = 1 - (1 - alone[0]) * (1 - alone[1])
    assert math.isclose(found["expected_households_found"], first + alone[2])
    assert math.isclose(found["largest_household_risk"], max(first, alone[2]))
    assert math.isclose(found["mean_household_risk"], (first + alone[2]) / 2)


def test_a_release_is_attacked_by_its_own_classes_and_the_weights_of_the_originals() -> None:
    truth = sample([1, 2, 3, 4], [5, 5, 8, 8])
    seen = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["[1, 2]", "[1, 2]", "4"])),))
    exposure = Exposure(truth, seen, np.array([1, 0, -1, 2]))
    found = SampleRisk().run(exposure, Randomness(1))
    risks = [individual_risk(2, Fraction(10))] * 2 + [individual_risk(1, Fraction(8))]
    assert math.isclose(found.main, sum(risks) / 3)


def test_a_table_without_weights_is_no_sample() -> None:
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2])),))
    reason = SampleRisk().misfit(Exposure.of_itself(table))
    assert reason is not None
    assert "no weights" in reason


def test_a_threshold_is_a_probability() -> None:
    with pytest.raises(WordingError, match="from 0 to 1"):
        SampleRisk(Fraction(3, 2))


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from([1.0, 3.0, 250.5])), min_size=1, max_size=9))
def test_classes_of_weights_that_are_published_can_be_named(people: list[tuple[int, float]]) -> None:
    ages, weights = zip(*people, strict=True)
    named = Column.encode("wgt_class", Role.STRATUM, pl.Series(weights))
    table = Microdata((Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(ages)), named))
    found = SampleRisk(weights="wgt_class").run(Exposure.of_itself(table), Randomness(1))
    risks = sample_risks(list(people), list(weights))
    assert math.isclose(found.main, sum(risks) / len(risks), rel_tol=1e-12)
    assert math.isclose(found.details["estimated_population"], sum(weights))


@pytest.mark.parametrize("values", [[1, -2], [1, 0], [1, None], ["a", "b"]])
def test_only_positive_numbers_are_weights(values: list) -> None:
    columns = (("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2])), ("wgt", Role.STRATUM, pl.Series(values)))
    table = Microdata(tuple(Column.encode(*column) for column in columns))
    for name in ("wgt", "weight"):
        reason = SampleRisk(weights=name).misfit(Exposure.of_itself(table))
        assert reason is not None
        assert f"No column '{name}' of positive numbers" in reason
