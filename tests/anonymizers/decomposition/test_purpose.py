"""What data are asked for, and how useful each attribute is for it."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.anonymizers.decomposition.purpose import Purpose, chained_priorities, independency_matrix, learned_priorities
from shoal.data import Column, Microdata, Role
from shoal.datasets.papers import thesis_tables
from shoal.errors import InputError, WordingError
from shoal.evidence import binned_column

PEOPLE = thesis_tables.thesis_4_1a()
DISTANCES = st.integers(2, 5).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.lists(st.integers(0, 9), min_size=n * n, max_size=n * n))
)


def distances(n: int, numbers: list[int]) -> np.ndarray:
    matrix = np.array(numbers, float).reshape(n, n)
    return matrix + matrix.T


def test_the_independency_matrix_of_chapter_4_is_the_printed_one():
    matrix = independency_matrix([column.codes for column in PEOPLE.quasi_identifiers])
    expected = [[0, 0.5, 0.36684], [0.5, 0, 0.13316], [0.36684, 0.13316, 0]]
    assert matrix == pytest.approx(np.array(expected), abs=5e-6)
    assert not independency_matrix([np.array([0, 1]), np.array([1, 0])]).any(), "nothing is divided by nothing"


@pytest.mark.parametrize(("least", "other", "priority"), [("Postcode", 1, 0.21031), ("Age", 2, 0.26632)])
def test_priorities_of_chapter_4_are_these(least, other, priority):
    found = Purpose(most="Gender", least=least).of(PEOPLE)
    assert float(found[other]) == pytest.approx(priority, abs=5e-6)
    assert sorted(found)[::2] == [0, 1]


@given(drawn=DISTANCES)
def test_chained_priorities_solve_the_recurrence(drawn):
    """Definition 4.3, multiplied out, so that it says something where distances are nothing, too."""
    order, numbers = drawn
    matrix = distances(len(order), numbers)
    found = chained_priorities(matrix, order)
    steps = [Fraction(float(matrix[pair])) for pair in pairwise(order)]
    assert (found[order[0]], found[order[-1]]) == (1, 0)
    for i in range(1, len(order) - 1):
        before, mine, after = (found[order[i + move]] for move in (-1, 0, 1))
        assert mine * (steps[i - 1] + steps[i]) == steps[i] * before + steps[i - 1] * after
    assert all(more >= less for more, less in pairwise(found[i] for i in order))


def test_where_all_tell_the_same_priorities_fall_evenly():
    assert chained_priorities(np.zeros((3, 3)), [2, 0, 1]) == (Fraction(1, 2), 0, 1)
    assert chained_priorities(np.zeros((1, 1)), [0]) == (1,)
    assert chained_priorities(np.zeros((0, 0)), []) == ()


def test_the_priority_of_an_attribute_depends_on_where_it_stands():
    matrix = distances(4, [0, 1, 2, 0, 0, 0, 1, 5, 0, 0, 0, 1, 0, 0, 0, 0])
    one, other = (chained_priorities(matrix, order) for order in ([0, 1, 2, 3], [0, 2, 1, 3]))
    assert one != other


@given(rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12))
def test_priorities_are_learned_by_what_attributes_tell_of_the_target(rows):
    one, other, target = ([row[i] for row in rows] for i in range(3))
    gains = [oracles.information(target) - oracles.unknown(target, column) for column in (one, other)]
    found = learned_priorities([np.array(one), np.array(other)], np.array(target))
    if max(gains) < 1e-9:
        assert max(found) == 0 or max(gains) > 0
        return
    assert [float(priority) for priority in found] == pytest.approx([gain / max(gains) for gain in gains], abs=1e-9)
    assert max(found) == 1


def test_a_purpose_learns_from_a_column_of_any_role():
    table = thesis_tables.thesis_5_2()
    assert max(Purpose(target="Problem").of(table)) in (0, 1)
    assert Purpose(target="Gender").of(table)[0] == 1


def test_priorities_can_be_said_and_what_is_not_named_is_of_no_use():
    assert Purpose().of(PEOPLE) == (1, 1, 1)
    assert Purpose(priorities="Age:1; Postcode:0.25").of(PEOPLE) == (0, 1, Fraction(1, 4))


def test_numbers_of_many_values_are_put_into_bins():
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([*range(20), None]))
    assert binned_column(ages, 4).tolist() == [*(number // 5 for number in range(20)), 4]
    assert binned_column(ages, 21) is ages.codes
    words = Column.encode("word", Role.QUASI_IDENTIFIER, pl.Series([f"{number:02}" for number in range(20)]))
    assert binned_column(words, 4) is words.codes
    table = Microdata((ages, Column.encode("old", Role.SENSITIVE, pl.Series([number > 9 for number in range(21)]))))
    assert Purpose(target="old", bins=2).of(table) == (1,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"most": "Age"},
        {"least": "Age"},
        {"most": "Age", "least": "Gender", "target": "Age"},
        {"priorities": "Age:1", "target": "Age"},
        {"priorities": "Age"},
        {"priorities": "Age:much"},
        {"priorities": "Age:1/0"},
        {"priorities": "Age:2"},
        {"priorities": "Age:-1"},
        {"bins": 1},
    ],
    ids=str,
)
def test_purposes_that_say_nothing_are_refused(wrong):
    with pytest.raises(WordingError):
        Purpose(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [{"priorities": "Shoe:1"}, {"most": "Shoe", "least": "Age"}, {"most": "Age", "least": "Age"}, {"target": "Shoe"}],
    ids=str,
)
def test_purposes_that_do_not_fit_a_table_are_refused(wrong):
    with pytest.raises(InputError):
        Purpose(**wrong).of(PEOPLE)
