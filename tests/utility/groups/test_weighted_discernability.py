"""Pairs of records told alike, weighed by what is useful, against counting them pair by pair."""

import dataclasses
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from comparisons import rated, sizes
from published_tables import published_tables
from shoal.data import Column, Microdata, Role
from shoal.utility import MEASURES, Comparison, measured

WEIGHTED = MEASURES["weighted discernability"]


@settings(max_examples=60)
@given(comparison=published_tables(), data=st.data())
def test_pairs_are_weighed_as_one_by_one(comparison, data):
    names = [column.name for column in comparison.released.quasi_identifiers]
    priorities = {name: Fraction(data.draw(st.integers(0, 4)), 4) for name in names}
    weights = list(priorities.values()) if any(priorities.values()) else [Fraction(1)] * len(names)
    found = WEIGHTED(dataclasses.replace(comparison, priorities=priorities))
    whole, published = oracles.tuples(comparison.whole), oracles.tuples(comparison.released)
    assert found == pytest.approx(float(oracles.weighted_discernability(whole, comparison.origins, published, weights)))
    assert found <= MEASURES["discernability"](comparison)


def people(ages: list, lands: list) -> Microdata:
    columns = {"age": ages, "land": lands}
    return Microdata(tuple(Column.encode(n, Role.QUASI_IDENTIFIER, pl.Series(v)) for n, v in columns.items()))


def of_four(**priorities: Fraction) -> float:
    """Four people, the last withheld; the first two are told alike, and differ in their land alone."""
    whole = people([20, 20, 30, 40], ["A", "B", "B", "B"])
    released = people(["20", "20", "30"], ["*", "*", "B"])
    comparison = Comparison(whole, np.arange(3), released, sizes(released), priorities=priorities or None)
    return WEIGHTED(comparison)


def test_four_people_by_hand():
    assert of_four(age=Fraction(1)) == 0 + 3  # the withheld one is of another age than three others
    assert of_four(land=Fraction(1, 2)) == 2 + 1
    assert of_four(age=Fraction(1), land=Fraction(1, 2)) == pytest.approx((1 * 3 + 1 / 2 * 3) / (3 / 2))
    assert of_four() == pytest.approx((3 + 3) / 2)


@settings(max_examples=15)
@given(comparison=published_tables())
def test_what_is_published_as_it_is_costs_nothing(comparison):
    whole = comparison.whole
    assert WEIGHTED(Comparison(whole, np.arange(len(whole)), whole, sizes(whole))) == 0


def test_what_has_no_quasi_identifier_is_not_measured():
    table = Microdata((Column.encode("pay", Role.SENSITIVE, pl.Series([1, 2])),))
    for records, reason in ((table, "There is no quasi-identifier."), (rated([[0, 1]]), "Defined on tables only.")):
        found = measured(Comparison(records, np.arange(len(records)), records, np.ones(len(records))), [WEIGHTED])
        assert found.reasons == {"weighted discernability": reason}
