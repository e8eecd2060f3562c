"""Bins around centers: means of clusters, their nearest members, or users drawn; and none too small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.anonymizers.predictive.bins import Bins, Centers, merge_small, nearest_bins
from shoal.anonymizers.predictive.size_constrained_kmeans import Points
from shoal.kernels.clustering.settled_groups import nearest_centers


def drawn(n: int, seed: int, width: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, width)).astype(np.float32)


def found(points: np.ndarray, centers: Centers, wanted: int, sample: int, seed: int) -> np.ndarray:
    return Bins(None, sample, centers).find_centers(Points(points), wanted, np.random.default_rng(seed))


@given(n=st.integers(4, 60), wanted=st.integers(1, 4), sample=st.integers(1, 9), seed=st.integers(0, 2**32))
def test_virtual_centers_are_means_and_real_ones_their_nearest_members(
    n: int, wanted: int, sample: int, seed: int
) -> None:
    points = drawn(n, seed)
    chosen = points[np.random.default_rng(seed).choice(n, min(sample * wanted, n), replace=False)]
    labels = Points(points).clusters(chosen, max(len(chosen) // wanted, 1), np.random.default_rng(0))
    clusters = [chosen[labels == label].astype(np.float64) for label in range(labels.max() + 1)]
    means = [cluster.mean(axis=0) for cluster in clusters]
    assert found(points, "virtual", wanted, sample, seed) == pytest.approx(np.array(means), abs=1e-6)
    real = found(points, "real", wanted, sample, seed)
    assert len(real) == len(clusters)
    for center, cluster, mean in zip(real, clusters, means, strict=True):
        assert center.tolist() in cluster.tolist()
        apart = ((cluster - mean) ** 2).sum(axis=1)
        assert ((center - mean) ** 2).sum() == pytest.approx(apart.min(), abs=1e-6)


def test_drawn_centers_are_different_users() -> None:
    points = drawn(30, 1)
    centers = found(points, "drawn", 7, 16, 1)
    assert len(np.unique(centers, axis=0)) == 7
    assert all(center.tolist() in points.tolist() for center in centers)


@given(n=st.integers(1, 40), wanted=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_users_go_to_the_nearest_center(n: int, wanted: int, seed: int) -> None:
    points, centers = drawn(n, seed), drawn(wanted, seed + 1)
    apart = ((points[:, None].astype(np.float64) - centers) ** 2).sum(axis=2)
    bins = nearest_bins(Points(points), centers)
    assert apart[np.arange(n), bins] == pytest.approx(apart.min(axis=1), abs=1e-6)


def test_a_bin_goes_to_the_nearest_that_is_left() -> None:
    nearest = np.array([0, 0, 0, 1, 2, 2, 3, 3, 3])
    centers = np.array([[0.0], [4.0], [5.0], [9.0]], np.float32)
    assert merge_small(nearest, centers, 3, nearest_centers).tolist() == [0, 0, 0, 2, 2, 2, 3, 3, 3]
    assert merge_small(nearest, centers, 4, nearest_centers).tolist() == [3] * 9


@pytest.mark.parametrize(
    ("users", "size", "number", "wanted"),
    [(10_000, 5, None, 62), (10_000, 2, None, 100), (100, 5, None, 0), (10_000, 5, 7, 7), (20, 5, 7, 4)],
)
def test_there_are_as_many_bins_as_asked_for_and_no_more_than_groups(
    users: int, size: int, number: int | None, wanted: int
) -> None:
    assert Bins(number).wanted(users, size) == wanted
