"""Points of users, against the padded ratings themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers.predictive.points import padded_points


def distances(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float64)
    return np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))


@given(
    n_users=st.integers(1, 9),
    n_items=st.integers(1, 9),
    width=st.integers(1, 6),
    rank=st.integers(0, 6),
    seed=st.integers(0, 2**32),
)
def test_points_are_as_far_apart_as_padded_rows(n_users: int, n_items: int, width: int, rank: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    users = chance.normal(3, 1, (n_users, width)).astype(np.float32)
    items = (chance.normal(size=(n_items, rank)) @ chance.normal(size=(rank, width))).astype(np.float32)
    points = padded_points(users, items)
    assert points.dtype == np.float32
    assert points.flags.c_contiguous
    assert len(points) == n_users
    assert points.shape[1] <= width
    padded = users.astype(np.float64) @ items.T.astype(np.float64)
    assert distances(points) == pytest.approx(distances(padded), rel=1e-5, abs=1e-5)


def test_a_factor_all_users_have_in_common_costs_no_precision() -> None:
    """A bias of items is such a factor, and may be far larger than what tells users apart."""
    chance = np.random.default_rng(4)
    users = np.column_stack([np.ones(20), chance.normal(size=20)]).astype(np.float32)
    items = np.column_stack([np.full(50, 1000.0), chance.normal(size=50)]).astype(np.float32)
    padded = np.outer(users[:, 1], items[:, 1])
    assert distances(padded_points(users, items)) == pytest.approx(distances(padded), rel=1e-5)


def test_factors_that_depend_on_each_other_make_no_new_directions() -> None:
    users = np.arange(12, dtype=np.float32).reshape(4, 3)
    items = np.array([[1, 2, 0], [2, 4, 0], [3, 6, 0]], np.float32)
    assert padded_points(users, items).shape == (4, 1)


def test_the_direction_that_counts_most_comes_first() -> None:
    users = np.eye(3, dtype=np.float32)
    items = np.diag([1.0, 9.0, 3.0]).astype(np.float32)
    assert np.abs(padded_points(users, items)).max(axis=0) == pytest.approx([6, 2, 2 / 3])


def test_without_items_or_users_there_is_nothing_to_tell_apart() -> None:
    assert padded_points(np.ones((3, 2), np.float32), np.zeros((0, 2), np.float32)).shape == (3, 0)
    assert padded_points(np.ones((0, 2), np.float32), np.ones((4, 2), np.float32)).shape[0] == 0
