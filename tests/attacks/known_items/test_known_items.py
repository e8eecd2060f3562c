"""What attackers know of whom, and whose knowledge controls have."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from attack_releases import ratings_of
from shoal.attacks import Exposure
from shoal.attacks.exposure import control_targets
from shoal.attacks.known_items.background_knowledge import draw_known_items, rows_with_enough_ratings
from shoal.testing import ratings


def popular(profiles, top):
    """The items that most have rated, the first of equals first."""
    raters = [sum(row[item] is not None for row in profiles) for item in range(len(profiles[0]))]
    return sorted(range(len(raters)), key=lambda item: (-raters[item], item))[:top]


@given(
    ratings(max_items=6, max_sensitive=1), st.integers(1, 4), st.integers(0, 7), st.integers(0, 2**32 - 1), st.data()
)
def test_known_are_different_ratings_of_the_target_outside_the_most_rated(data, known, top, seed, choice):
    matrix, profiles = data.observable, oracles.profiles(data)
    targets = choice.draw(st.lists(st.sampled_from(range(len(data))), unique=True).map(sorted))
    drawn = draw_known_items(matrix, np.array(targets, np.int64), known, top, np.random.default_rng(seed))
    left = [
        {item for item, rating in enumerate(row) if rating is not None} - set(popular(profiles, top))
        for row in profiles
    ]
    enough = [row for row in targets if len(left[row]) >= known]
    assert drawn.targets.tolist() == enough
    assert rows_with_enough_ratings(matrix, np.array(targets, np.int64), known, top).tolist() == enough
    assert drawn.entries.shape == (len(enough), known)
    for row, entries in zip(enough, drawn.entries.tolist(), strict=True):
        items = matrix.indices[entries].tolist()
        assert all(matrix.indptr[row] <= entry < matrix.indptr[row + 1] for entry in entries)
        assert items == sorted(set(items))
        assert set(items) <= left[row]


def test_every_set_of_items_is_as_likely():
    matrix = ratings_of([(1, 2, 3, 4, None), (None, 5, 5, 5, 5)]).observable
    generator, times = np.random.default_rng(3), 6_000
    drawn = [draw_known_items(matrix, np.array([0, 1]), 2, 0, generator).entries for _ in range(times)]
    for target in range(2):
        counts = Counter(tuple(entries[target].tolist()) for entries in drawn)
        first = 4 * target
        assert set(counts) == set(itertools.combinations(range(first, first + 4), 2))
        assert all(abs(count - times / 6) < 5 * np.sqrt(times * 5 / 36) for count in counts.values())


@given(st.integers(2, 50), st.integers(0, 2**32 - 1))
def test_someone_else_is_never_oneself_and_everybody_stands_in_once(n, seed):
    targets = np.arange(n) * 3
    others = control_targets(targets, np.random.default_rng(seed))
    assert sorted(others.tolist()) == targets.tolist()
    assert not (others == targets).any()


def test_where_there_is_nobody_else_one_stands_in_for_oneself():
    assert control_targets(np.array([7]), np.random.default_rng(1)).tolist() == [7]


@given(st.sets(st.integers(0, 19), min_size=1), st.none() | st.integers(1, 25), st.integers(0, 2**32 - 1))
def test_targets_are_drawn_among_those_asked_about_in_order(among, limit, seed):
    exposure = Exposure.of_itself(ratings_of([(1,)] * 20))
    rows = np.array(sorted(among))
    chosen = exposure.targets(limit, np.random.default_rng(seed), rows).tolist()
    assert chosen == sorted(set(chosen))
    assert set(chosen) <= among
    assert len(chosen) == min(limit or 99, len(among))


@pytest.mark.parametrize("limit", [None, 5])
def test_targets_are_those_published_unless_others_are_named(limit):
    data = ratings_of([(1,)] * 3)
    exposure = Exposure(data, data, np.array([-1, 2, 0]))
    assert exposure.targets(limit, np.random.default_rng(1)).tolist() == [1, 2]
