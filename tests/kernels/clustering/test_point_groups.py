"""Kernels that group points: the tree of those left, MDAV, V-MDAV and annealing, against looking at all points."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.clustering.annealed_groups import annealed_groups
from shoal.kernels.clustering.bisection import halved_groups
from shoal.kernels.clustering.deletable_kdtree import (
    deletable_kdtree,
    farthest_left,
    nearest_left,
    sort_where_widest,
    take_away,
)
from shoal.kernels.clustering.mdav import mdav_groups, variable_groups

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]

POINT = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
CROWD = st.lists(POINT, min_size=1, max_size=60)


def as_array(points: list[tuple]) -> np.ndarray:
    return np.array(points, np.float64).reshape(len(points), -1)


def squared(one, other) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


@COMPILED
@given(points=CROWD, data=st.data())
def test_a_stretch_is_sorted_where_it_is_widest(run: Runner, points, data) -> None:
    begin = data.draw(st.integers(0, len(points) - 1))
    end = data.draw(st.integers(begin + 1, len(points)))
    numbers = data.draw(st.permutations(range(len(points))))
    given_order = np.array(numbers)
    run(sort_where_widest)(as_array(points), given_order, begin, end)
    some = numbers[begin:end]
    spans = [max(points[i][axis] for i in some) - min(points[i][axis] for i in some) for axis in (0, 1)]
    axis = spans.index(max(spans))
    assert given_order.tolist() == [*numbers[:begin], *sorted(some, key=lambda i: points[i][axis]), *numbers[end:]]


@COMPILED
@given(points=CROWD, asked=POINT, wanted=st.integers(1, 6), data=st.data())
def test_the_tree_finds_the_nearest_and_the_farthest_of_those_left(run: Runner, points, asked, wanted, data) -> None:
    tree = run(deletable_kdtree)(as_array(points))
    gone = data.draw(st.lists(st.sampled_from(range(len(points))), unique=True))
    for number in gone:
        run(take_away)(tree, number)
    left = [number for number in range(len(points)) if number not in gone]
    at = np.array(asked, np.float64)
    found, distances = np.empty(wanted, np.int64), np.empty(wanted)
    n_found = run(nearest_left)(tree, at, found, distances)
    by_distance = sorted(left, key=lambda number: (squared(points[number], asked), number))
    assert found[:n_found].tolist() == by_distance[:wanted]
    assert distances[:n_found].tolist() == [squared(points[number], asked) for number in by_distance[:wanted]]
    farthest = min(left, key=lambda number: (-squared(points[number], asked), number), default=-1)
    assert run(farthest_left)(tree, at) == farthest


def plain_mdav(points: list[tuple], k: int) -> list[set[int]]:
    """MDAV as it is written down, with the mean kept up to date by what is taken away."""
    left, groups = list(range(len(points))), []
    total = [float(sum(axis)) for axis in zip(*points, strict=True)]
    while len(left) >= 2 * k:
        mean = [axis / len(left) for axis in total]
        first = max(left, key=lambda i: (squared(points[i], mean), -i))
        for turn in range(2 if len(left) >= 3 * k else 1):
            middle = first if turn == 0 else max(left, key=lambda i: (squared(points[i], points[first]), -i))
            group = sorted(left, key=lambda i: (squared(points[i], points[middle]), i))[:k]
            for i in group:
                total = [axis - value for axis, value in zip(total, points[i], strict=True)]
            left = [i for i in left if i not in group]
            groups.append(set(group))
    return [*groups, set(left)] if left else groups


def as_groups(labels: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(labels == group).tolist()) for group in range(labels.max() + 1)]


@COMPILED
@given(points=CROWD, k=st.integers(1, 5))
def test_mdav_is_what_looking_at_all_points_gives(run: Runner, points, k) -> None:
    groups = as_groups(run(mdav_groups)(as_array(points), k))
    assert groups == plain_mdav(points, k)
    if len(points) >= k:
        assert all(k <= len(group) <= 2 * k - 1 for group in groups)


def test_mdav_with_thousands_of_equal_points() -> None:
    points = np.repeat(np.array([[0.0, 0.0], [5.0, 1.0], [9.0, 9.0]]), [2000, 1, 500], axis=0)
    sizes = Counter(mdav_groups(points, 3).tolist())
    assert set(sizes.values()) <= {3, 4, 5}
    assert sum(sizes.values()) == len(points)


def plain_halves(points: list[tuple], people: list[int], most: int) -> list[set[int]]:
    if len(people) <= most:
        return [set(people)]
    ways = [max(points[i][axis] for i in people) - min(points[i][axis] for i in people) for axis in (0, 1)]
    people = sorted(people, key=lambda i: points[i][ways.index(max(ways))])
    middle = len(people) // 2
    return plain_halves(points, people[:middle], most) + plain_halves(points, people[middle:], most)


@COMPILED
@given(points=CROWD, k=st.integers(1, 5))
def test_halved_groups_are_halves_of_halves(run: Runner, points, k) -> None:
    groups = as_groups(run(halved_groups)(as_array(points), 2 * k - 1))
    assert groups == plain_halves(points, list(range(len(points))), 2 * k - 1)
    if len(points) >= k:
        assert all(k <= len(group) <= 2 * k - 1 for group in groups)


def plain_variable_groups(points: list[tuple], k: int, gamma: float) -> list[set[int]]:
    left, groups = list(range(len(points))), []
    mean = [float(sum(axis)) / len(points) for axis in zip(*points, strict=True)]
    while len(left) >= k:
        seed = max(left, key=lambda i: (squared(points[i], mean), -i))
        group = sorted(left, key=lambda i: (squared(points[i], points[seed]), i))[:k]
        left = [i for i in left if i not in group]
        while len(group) < 2 * k - 1 and len(left) > 1:
            inside, joining = min((squared(points[i], points[j]), j) for i in group for j in left)
            outside = min(squared(points[joining], points[j]) for j in left if j != joining)
            if inside >= gamma * gamma * outside:
                break
            group.append(joining)
            left.remove(joining)
        groups.append(set(group))
    means = [[sum(points[i][axis] for i in sorted(group)) / len(group) for axis in (0, 1)] for group in groups]
    homes = {i: min(range(len(groups)), key=lambda g: (squared(points[i], means[g]), g), default=0) for i in left}
    if not groups:
        return [set(left)]
    for i, home in homes.items():
        groups[home].add(i)
    return groups


@COMPILED
@given(points=CROWD, k=st.integers(1, 4), gamma=st.sampled_from([0.0, 0.2, 1.1, 3.0]))
def test_variable_groups_are_what_looking_at_all_points_gives(run: Runner, points, k, gamma) -> None:
    assert as_groups(run(variable_groups)(as_array(points), k, gamma)) == plain_variable_groups(points, k, gamma)


def loss(points: np.ndarray, labels: np.ndarray) -> float:
    return sum(float(((some - some.mean(0)) ** 2).sum()) for some in (points[labels == g] for g in np.unique(labels)))


def annealed(run: Runner, points, labels, k, *, heat, key, rounds=30, values=None, least=()) -> np.ndarray:
    """Anneal all points in two blocks of whole groups."""
    values = np.zeros((len(points), 0), np.int32) if values is None else values
    block = (labels >= (labels.max() + 1) // 2).astype(np.int64)
    own = np.where(block == 1, labels - (labels.max() + 1) // 2, labels)
    members = np.argsort(block, kind="stable")
    begins = np.array([0, *np.cumsum(np.bincount(block, minlength=2))])
    begins = begins[[0, *(np.flatnonzero(np.diff(begins)) + 1)]]
    wanted = np.array(least, np.int64)
    run(annealed_groups)(points, members, begins, own, k, 4, rounds, heat, np.uint64(key), values, wanted)
    return own + 1000 * block


@COMPILED
@settings(max_examples=15)
@given(points=st.lists(POINT, min_size=8, max_size=40), k=st.integers(2, 4), key=st.integers(0, 99), data=st.data())
def test_annealing_keeps_everybody_in_groups_of_k_and_cold_it_never_loses(run: Runner, points, k, key, data) -> None:
    placed = as_array(points)
    labels = mdav_groups(placed, k)
    heat = data.draw(st.sampled_from([0.0, 0.5]))
    made = annealed(run, placed, labels, k, heat=heat, key=key)
    sizes = Counter(made.tolist())
    assert min(sizes.values()) >= k
    for block in (0, 1000):
        numbers = sorted(number for number in sizes if block <= number < block + 1000)
        assert numbers == list(range(block, block + len(numbers)))
    if heat == 0.0:
        assert loss(placed, made) <= loss(placed, labels) + 1e-9
    assert np.array_equal(made, annealed(run, placed, labels, k, heat=heat, key=key))


@COMPILED
@settings(max_examples=15)
@given(points=st.lists(POINT, min_size=9, max_size=30), data=st.data())
def test_cold_annealing_ends_where_no_move_and_no_exchange_gains(run: Runner, points, data) -> None:
    """Two groups in one block: there is nothing else to try."""
    placed = as_array(points)
    k = len(points) // 2 - data.draw(st.integers(0, 1))
    labels = (np.arange(len(points)) >= len(points) // 2).astype(np.int64)
    made = labels.copy()
    none = np.zeros((len(points), 0), np.int32)
    everybody = np.arange(len(points))
    begins = np.array([0, len(points)])
    run(annealed_groups)(placed, everybody, begins, made, k, 2, 0, 0.0, np.uint64(1), none, np.zeros(0, np.int64))
    reached = loss(placed, made)
    for i in range(len(points)):
        for j in range(i):
            other = made.copy()
            other[[i, j]] = made[[j, i]]
            assert loss(placed, other) >= reached - 1e-6
        moved = made.copy()
        moved[i] = 1 - made[i]
        if np.bincount(moved, minlength=2).min() >= k:
            assert loss(placed, moved) >= reached - 1e-6


def test_a_group_with_a_foot_in_three_places_is_taken_apart() -> None:
    """Each place has enough points that no other place is near any of its points."""
    draws = np.random.default_rng(1)
    place = np.repeat([0, 1, 2], 46)
    points = draws.normal(size=(138, 2)) + 1000.0 * np.stack([place == 1, place == 2], axis=1)
    labels = np.empty(138, np.int64)
    for number in range(3):  # the first of each are one group, the others of each are groups of their own
        labels[46 * number], labels[46 * number + 1 : 46 * number + 46] = 0, 1 + 15 * number + np.arange(45) // 3
    begins, none = np.array([0, 138]), np.zeros((138, 0), np.int32)
    annealed_groups(points, np.arange(138), begins, labels, 3, 6, 3000, 0.0, np.uint64(1), none, np.zeros(0, np.int64))
    assert all(len(set(place[labels == group].tolist())) == 1 for group in range(labels.max() + 1))


@COMPILED
@settings(max_examples=15)
@given(points=st.lists(POINT, min_size=12, max_size=40), key=st.integers(0, 99))
def test_annealing_keeps_values_distinct(run: Runner, points, key) -> None:
    placed = as_array(points)
    labels = mdav_groups(placed, 4)
    values = np.empty((len(points), 1), np.int32)
    for group in np.unique(labels):  # every group begins with two values
        values[labels == group, 0] = np.arange(np.count_nonzero(labels == group)) % 2
    made = annealed(run, placed, labels, 3, heat=0.5, key=key, values=values, least=[2])
    assert all(len(set(values[made == group, 0].tolist())) == 2 for group in np.unique(made))
