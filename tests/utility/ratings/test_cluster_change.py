"""k-means before and after against a plain one."""

import importlib

import numpy as np
import pytest
from scipy.sparse import csr_array

import utility_oracle
from comparisons import compared, rated
from shoal.data import Scale
from shoal.utility import MEASURES
from shoal.utility.ratings.clustering import lloyd

CHANGE = MEASURES["cluster membership change"]


@pytest.mark.parametrize("seed", range(12))
def test_clusters_are_those_of_a_plain_k_means(seed):
    chance = np.random.default_rng(seed)
    points = np.where(chance.random((40, 5)) < 0.3, 0, chance.normal(size=(40, 5)))
    centers = points[chance.choice(40, 2 + seed % 5, replace=False)]
    assert lloyd(csr_array(points), centers).tolist() == utility_oracle.lloyd(points.tolist(), centers.tolist())


def test_a_center_without_points_stays_where_it_is():
    points, centers = [[0.0], [1.0], [9.0]], [[0.5], [100.0], [9.0]]
    assert lloyd(csr_array(points), np.array(centers)).tolist() == [0, 0, 2]


def eight_kinds() -> list[list[int]]:
    """Five people each of eight kinds, far from each other."""
    return [[20 * (kind % 2), 20 * (kind // 2 % 2), 20 * (kind // 4)] for kind in range(8) for _ in range(5)]


def test_who_is_published_as_another_kind_changes_cluster():
    """Whatever the eight different centers are, each kind is a cluster; three of forty are told as another kind."""
    scale = Scale.of(0, 20)
    after = eight_kinds()
    after[0], after[1], after[39] = after[10], after[10], after[0]
    assert CHANGE(compared(rated(eight_kinds(), scale=scale), rated(after, scale=scale))) == 3 / 40


def test_nobody_changes_cluster_where_nothing_changed():
    before = rated(np.random.default_rng(3).integers(-1, 5, (300, 12)).tolist())
    assert CHANGE(compared(before, before)) == 0


def test_null_stands_at_the_mean_of_its_item():
    """Ratings 21, 1 and 11, of mean 11: who is told as null goes to, or stays with, the 11."""
    scale = Scale.of(1, 21)
    before = rated([[20], [20], [0], [0], [10]], scale=scale)
    for row, changed in ((0, 1), (2, 1), (4, 0)):
        after = [[20], [20], [0], [0], [10]]
        after[row] = [-1]
        assert CHANGE(compared(before, rated(after, scale=scale))) == changed / 5


def test_large_data_are_sampled(monkeypatch):
    monkeypatch.setattr(importlib.import_module("shoal.utility.ratings.clustering"), "_MOST_RATINGS", 60)
    before = rated(np.random.default_rng(3).integers(0, 5, (300, 12)).tolist())
    after = rated(np.random.default_rng(4).integers(0, 5, (300, 12)).tolist())
    assert CHANGE(compared(before, after)) in {count / 5 for count in range(6)}
