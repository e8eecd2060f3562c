"""The proximity graph before and after against joining people pair by pair."""

import importlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import utility_oracle
from comparisons import compared, rated, ratings_before_and_after
from shoal.data import Ratings, Scale
from shoal.utility import MEASURES

AFTER, BEFORE = MEASURES["clustering coefficient"], MEASURES["clustering coefficient before"]
EPSILONS = [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(30)]


@settings(max_examples=60)
@given(pair=ratings_before_and_after(max_items=3), epsilon=st.sampled_from(EPSILONS), withheld=st.integers(0, 3))
def test_coefficients_are_what_counting_triangles_gives(pair, epsilon, withheld):
    comparison = compared(*pair, withheld=withheld, epsilon=epsilon)
    for measure, records in ((BEFORE, comparison.whole), (AFTER, comparison.published)):
        assert isinstance(records, Ratings)
        expected = utility_oracle.clustering_coefficient(oracles.profiles(records), epsilon, oracles.farthest(records))
        assert measure(comparison) == pytest.approx(expected)


def test_a_path_has_none_and_a_triangle_has_all():
    """1–2–3 on a line, ε = 1: only the middle one has two neighbors, and they are not joined."""
    comparison = compared(rated([[0], [1], [2]]), rated([[0], [1], [1]]), epsilon=Fraction(1))
    assert BEFORE(comparison) == 0
    assert AFTER(comparison) == 1


def test_samples_come_close_to_counting_all(monkeypatch):
    """600 people, of whom 400 and of their neighbors 60 pairs are looked at."""
    chance = np.random.default_rng(1)
    ratings = rated(np.where(chance.random((600, 3)) < 0.1, -1, chance.integers(0, 5, (600, 3))).tolist())
    comparison = compared(ratings, ratings, epsilon=Fraction(1))
    exact = AFTER(comparison)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_EXACT", 0)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_VERTICES", 400)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_PAIRS", 60)
    assert AFTER(comparison) == pytest.approx(exact, abs=0.02)
    assert 0.1 < exact < 0.9


def test_where_everybody_and_every_pair_is_looked_at_a_sample_is_exact(monkeypatch):
    chance = np.random.default_rng(2)
    ratings = rated(np.where(chance.random((120, 3)) < 0.1, -1, chance.integers(0, 5, (120, 3))).tolist())
    comparison = compared(ratings, ratings, epsilon=Fraction(1))
    exact = AFTER(comparison)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_EXACT", 0)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_VERTICES", 120)
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_PAIRS", 10_000)
    assert AFTER(comparison) == pytest.approx(exact)


def test_epsilon_is_in_rating_points_not_in_steps():
    """Half stars: within 1 are those two steps apart."""
    ratings = rated([[0], [2], [1]], scale=Scale.of("0.5", 5, "0.5"))
    assert AFTER(compared(ratings, ratings, epsilon=Fraction(1))) == 1
    assert AFTER(compared(ratings, ratings, epsilon=Fraction(1, 2))) == 0
