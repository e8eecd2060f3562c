"""Groups of points: none too small, all of them tight, and the same again."""

import itertools
from collections.abc import Callable, Iterator

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shoal.anonymizers.predictive import size_constrained_kmeans as module
from shoal.anonymizers.predictive.bins import Bins, Centers, merge_small
from shoal.anonymizers.predictive.size_constrained_kmeans import size_constrained_kmeans
from shoal.errors import GuaranteeError
from shoal.kernels.compiled import parallel_from
from threads import THREADS


def mixture(n: int, width: int = 8, seed: int = 0, clusters: int = 12) -> np.ndarray:
    chance = np.random.default_rng(seed)
    scale = 1 / np.sqrt(np.arange(1, width + 1))
    middles = chance.normal(size=(clusters, width)) * scale
    return (middles[chance.integers(0, clusters, n)] + chance.normal(size=(n, width)) * scale).astype(np.float32)


def squares(points: np.ndarray, labels: np.ndarray) -> float:
    groups = (points[labels == label].astype(np.float64) for label in np.unique(labels))
    return sum(float(((group - group.mean(axis=0)) ** 2).sum()) for group in groups)


def labeled(points: np.ndarray, size: int, seed: int = 0) -> np.ndarray:
    return size_constrained_kmeans(points, size, np.random.default_rng(seed))


def assert_bounded(labels: np.ndarray, n: int, size: int) -> None:
    assert labels.shape == (n,)
    counts = np.bincount(labels)
    assert counts.min() >= size
    assert counts.max() < 2 * size
    assert counts.sum() == n


@given(
    size=st.integers(1, 7),
    more=st.integers(0, 60),
    width=st.integers(0, 3),
    kinds=st.integers(1, 50),
    seed=st.integers(0, 2**32),
)
@example(size=5, more=0, width=2, kinds=50, seed=0)  # as many points as a group needs
@example(size=7, more=6, width=2, kinds=50, seed=0)  # one group
@example(size=3, more=60, width=2, kinds=1, seed=0)  # all points equal
@example(size=2, more=60, width=0, kinds=1, seed=0)  # nothing tells them apart
def test_every_group_has_the_size_and_less_than_twice_that(
    size: int, more: int, width: int, kinds: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(kinds, width)).astype(np.float32)[chance.integers(0, kinds, size + more)]
    assert_bounded(labeled(points, size, seed), size + more, size)


@pytest.mark.parametrize("size", [2, 5, 50])
@pytest.mark.parametrize("kinds", [1, 3, 100, 6000])
def test_many_points_too_however_often_they_repeat(size: int, kinds: int) -> None:
    points = mixture(kinds)[np.random.default_rng(1).integers(0, kinds, 6001)]
    assert_bounded(labeled(points, size), 6001, size)


def test_bins_too_small_for_a_group_join_others(monkeypatch) -> None:
    """Some points are so far out that a center between them is the nearest one of a handful."""
    small = []

    def watched(nearest: np.ndarray, centers: np.ndarray, size: int, closest: Callable) -> np.ndarray:
        counts = np.bincount(nearest)
        small.append(np.count_nonzero((counts > 0) & (counts < size)))
        return merge_small(nearest, centers, size, closest)

    monkeypatch.setattr(module, "merge_small", watched)
    for seed in range(8):
        chance = np.random.default_rng(seed)
        points = chance.normal(size=(3000, 1)) * np.exp(5 * chance.normal(size=(3000, 1)))
        assert_bounded(labeled(points.astype(np.float32), 12, seed), 3000, 12)
    assert sum(small) > 0


@pytest.mark.parametrize("centers", ["virtual", "real", "drawn"])
@pytest.mark.parametrize(("number", "sample"), [(1, 1), (7, 1), (40, 3), (5000, 16)])
def test_every_kind_and_number_of_bins_leads_to_tight_groups(centers: Centers, number: int, sample: int) -> None:
    points = mixture(3000)
    labels = size_constrained_kmeans(points, 5, np.random.default_rng(0), Bins(number, sample, centers))
    assert_bounded(labels, 3000, 5)
    assert squares(points, labels) < 1.1 * squares(points, labeled(points, 5))


def test_fewer_points_than_a_group_needs_are_refused() -> None:
    with pytest.raises(GuaranteeError, match="There are 4 users, and a group needs at least 5"):
        labeled(mixture(4), 5)
    with pytest.raises(ValueError, match="at least one"):
        labeled(mixture(4), 0)


@pytest.mark.parametrize("size", [3, 20])
def test_the_same_seed_gives_the_same_groups_on_any_number_of_threads(size: int) -> None:
    points = mixture(4000)
    numba.set_num_threads(min(THREADS, 2))
    with parallel_from(0):
        side_by_side = labeled(points, size)
        assert labeled(points, size).tolist() == side_by_side.tolist()
    numba.set_num_threads(1)
    assert labeled(points, size).tolist() == side_by_side.tolist()
    assert labeled(points, size, seed=1).tolist() != side_by_side.tolist()


def around_the_farthest(points: np.ndarray, size: int) -> np.ndarray:
    """MDAV, a method of microaggregation that is often taken to compare with."""
    labels, made, start = np.full(len(points), -1), 0, -1
    while len(free := np.flatnonzero(labels < 0)) >= 2 * size:
        second = start >= 0
        if not second:
            start = free[((points[free] - points[free].mean(axis=0)) ** 2).sum(axis=1).argmax()]
        apart = ((points[free] - points[start]) ** 2).sum(axis=1)
        labels[free[np.argsort(apart, kind="stable")[:size]]] = made
        made += 1
        start = -1 if second else free[apart.argmax()]
    labels[labels < 0] = made
    return labels


@pytest.mark.parametrize("size", [5, 50])
@pytest.mark.parametrize("n", [300, 3000])
def test_groups_are_tighter_than_those_around_the_farthest_points(n: int, size: int) -> None:
    points = mixture(n)
    ours, theirs, chance = (
        squares(points, labels)
        for labels in (
            labeled(points, size),
            around_the_farthest(points, size),
            np.random.default_rng(0).permutation(n) % (n // size),
        )
    )
    assert ours < 0.95 * theirs
    assert ours < 0.7 * chance


def splits(rows: list[int], size: int) -> Iterator[list[list[int]]]:
    """All ways to split into groups of at least the size."""
    if not rows:
        yield []
    for more in range(size - 1, len(rows)):
        for others in itertools.combinations(rows[1:], more):
            left = [row for row in rows[1:] if row not in others]
            yield from ([[rows[0], *others], *rest] for rest in splits(left, size))


@pytest.mark.parametrize("size", [2, 3])
def test_few_points_come_close_to_the_best_of_all_splits(size: int) -> None:
    ours, best = 0.0, 0.0
    for seed in range(25):
        points = mixture(8, 2, seed)
        made = {tuple(some): squares(points[some], np.zeros(len(some))) for some in subsets(8, size)}
        ours += squares(points, labeled(points, size))
        best += min(sum(made[tuple(group)] for group in split) for split in splits(list(range(8)), size))
    assert best - 1e-6 <= ours <= 1.05 * best


def subsets(n: int, size: int) -> list[list[int]]:
    return [list(some) for count in range(size, n + 1) for some in itertools.combinations(range(n), count)]


@settings(max_examples=20)
@given(size=st.integers(2, 6), seed=st.integers(0, 2**32))
def test_refining_never_makes_groups_looser(size: int, seed: int) -> None:
    points = mixture(150 * size, 4, seed)
    members = np.random.default_rng(seed).permutation(len(points)).reshape(-1, size)
    members = np.column_stack([members, np.zeros((150, size - 1), np.int64)])
    sizes = np.full(150, size)
    sums = [module._sum_of_squares(points, members, sizes)]
    for seed_of_blocks in range(3):
        module._settle(points, members, sizes, size, np.random.default_rng(seed_of_blocks))
        sums.append(module._sum_of_squares(points, members, sizes))
        assert sorted(module._listed(members, sizes)) == list(range(len(points)))
    assert sums == sorted(sums, reverse=True)
    assert sums[1] < 0.9 * sums[0]
