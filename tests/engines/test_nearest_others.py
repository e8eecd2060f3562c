"""The nearest other beyond ε is the one that plain comparing finds, whichever way it is searched for."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import risk_oracle
from shoal.data import RatingMatrix, Scale, Vocabulary
from shoal.engines import nearest_others as module
from shoal.engines.nearest_others import nearest_others
from shoal.testing.strategies import ratings

EPSILONS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5), Fraction(21)])


@pytest.fixture(params=["by items", "by bits", "as it thinks best"])
def way(request, monkeypatch) -> None:
    """Make searches go one way, in blocks of few records."""
    if request.param == "as it thinks best":
        return
    monkeypatch.setattr(module, "_CELLS_A_STEP", 10**9 if request.param == "by bits" else 0.001)
    monkeypatch.setattr(module, "_ROWS_A_BLOCK", 3)
    monkeypatch.setattr(module, "_BITS_A_BLOCK", 100)
    monkeypatch.setattr(module, "_AT_A_TIME", 2)


@pytest.mark.usefixtures("way")
@settings(max_examples=30)
@given(given=ratings(min_records=1), epsilon=EPSILONS, data=st.data())
def test_it_is_the_one_that_comparing_everybody_finds(given, epsilon, data):
    rows, r = oracles.profiles(given), oracles.farthest(given)
    asked = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True))
    room = data.draw(st.integers(1, 5))
    radius = given.scale.steps_within(epsilon)
    found = nearest_others(given.observable, given.scale, np.array(asked, np.int64), radius, items=room)
    assert len(found) == len(asked)
    assert found.compared.tolist() == [len(rows) - 1] * len(asked)
    for at, record in enumerate(asked):
        other = risk_oracle.nearest(rows, record, epsilon, r)
        issues = [] if other is None else risk_oracle.separating(rows[record], rows[other], epsilon, r)
        assert found.rows[at] == (-1 if other is None else other)
        assert found.separating[at] == len(issues)
        assert found.items[at].tolist() == (issues + [-1] * room)[:room]


@pytest.mark.usefixtures("way")
@settings(max_examples=30)
@given(given=ratings(min_records=2, max_records=15), most=st.integers(0, 200))
def test_where_it_would_take_too_long_an_even_selection_is_compared(given, most):
    rows, r = oracles.profiles(given), oracles.farthest(given)
    everybody = np.arange(len(rows))
    found = nearest_others(given.observable, given.scale, everybody, 0, most=most)
    chosen = {int(other) for other in found.rows if other >= 0}
    n_chosen = found.compared.max()
    assert found.compared.min() >= n_chosen - 1
    assert len(chosen) <= n_chosen + 1
    if n_chosen == len(rows) - 1:
        return
    selected = np.unique(np.linspace(0, len(rows) - 1, n_chosen).astype(int)).tolist()
    for record in range(len(rows)):
        other = risk_oracle.nearest(rows, record, 0, r, selected)
        assert found.rows[record] == (-1 if other is None else other)
        assert found.compared[record] == len(selected) - (record in selected)


def test_more_steps_are_never_taken_than_allowed_by_far(monkeypatch):
    """A thousand records on ten issues are ten million ratings to compare; a tenth of that is a tenth of the others."""
    monkeypatch.setattr(module, "_MOST_POINTS", 0)
    codes = np.random.default_rng(1).integers(0, 5, (1000, 10))
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(10), codes)
    found = nearest_others(matrix, Scale.of(1, 5), np.arange(1000), 1, most=1_100_000)
    assert set(found.compared.tolist()) == {99, 100}


def test_a_scale_of_many_points_needs_no_bitmaps():
    codes = np.array([[0, 60_000], [1, 60_000], [40_000, 7]])
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(2), codes, np.uint16)
    found = nearest_others(matrix, Scale.of(1, 65_000), np.arange(3), 1)
    assert found.rows.tolist() == [2, 2, 1]
    assert found.items.tolist() == [[1, 0, -1, -1, -1], [1, 0, -1, -1, -1], [1, 0, -1, -1, -1]]


def test_nothing_is_told_of_records_in_its_repr():
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(2), np.array([[0, 3], [1, 3]]))
    assert repr(nearest_others(matrix, Scale.of(1, 5), np.arange(2), 0)) == "NearestOthers(of 2 records)"
