"""What may be withheld of a table, counted in records and in people."""

from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers import Allowance
from shoal.data import Column, Microdata, Role


def table(persons: list[int] | None, n: int) -> Microdata:
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([30] * n))
    return Microdata((ages,), persons=None if persons is None else np.array(persons))


def test_without_people_records_are_counted():
    assert Allowance.of_records(table(None, 10), 3) == Allowance(3, 3)
    assert Allowance(3, 3).covers(np.arange(10) < 3, None)
    assert not Allowance(3, 3).covers(np.arange(10) < 4, None)


@given(persons=st.lists(st.integers(0, 6), min_size=1, max_size=30), share=st.fractions(0, Fraction(99, 100)))
def test_it_is_never_more_than_the_share_allows_and_at_most_one_person_less(persons, share):
    n, people = len(persons), len(set(persons))
    allowed = Allowance.of_records(table(persons, n), int(share * n))
    assert allowed.records <= share * n
    assert allowed.people <= share * people < allowed.people + 2


@given(persons=st.lists(st.integers(0, 6), min_size=1, max_size=30), spare=st.integers(0, 9), data=st.data())
def test_what_is_covered_is_within_both_bounds(persons, spare, data):
    n = len(persons)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    losing = {person for person, gone in zip(persons, mask, strict=True) if gone}
    within = mask.sum() <= spare and len(losing) * n <= spare * len(set(persons))
    assert Allowance.of_records(table(persons, n), spare).covers(mask, np.array(persons)) == within
