"""The kernels that let rows follow others, against comparing rows of dictionaries."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.kernels.groups.follow_rows import follow, nearest_leader

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]

WIDTH, VALUES = 3, 5
ROW = st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1))
PRICES = st.tuples(st.sampled_from([0.0, 0.5, 3.0]), st.sampled_from([0.0, 0.75, 2.0]))


def compressed(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in sorted(row.items())]
    arrays = indptr, np.array([c for c, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)
    for array in arrays:
        array.flags.writeable = False  # as they are in the library
    return arrays


def price(one: Row, other: Row, invent: float, drop: float) -> float:
    moved = sum(abs(one[c] - other[c]) for c in one.keys() & other.keys())
    return moved + drop * len(one.keys() - other.keys()) + invent * len(other.keys() - one.keys())


def price_of_coming_near(one: Row, other: Row, radius: int, invent: float, drop: float) -> float:
    moved = sum(max(abs(one[c] - other[c]) - radius, 0) for c in one.keys() & other.keys())
    return moved + drop * len(one.keys() - other.keys()) + invent * len(other.keys() - one.keys())


def near(one: Row, other: Row, radius: int) -> bool:
    return one.keys() == other.keys() and all(abs(one[c] - other[c]) <= radius for c in one)


@COMPILED
@given(
    followers=st.lists(ROW, max_size=4),
    leaders=st.lists(ROW, min_size=1, max_size=6),
    radius=st.integers(0, 2),
    prices=PRICES,
)
def test_the_nearest_leader_is_the_first_of_the_cheapest(run: Runner, followers, leaders, radius: int, prices) -> None:
    rows = leaders + followers
    at = np.arange(len(leaders), len(rows))
    places = np.array([place % (len(leaders) + 1) for place, _ in enumerate(followers)], np.int64)
    chosen, costs = run(nearest_leader)(*compressed(rows), at, np.arange(len(leaders)), places, 9, radius, *prices)
    expected = [
        min((price_of_coming_near(row, leader, radius, *prices), i) for i, leader in enumerate(leaders))
        for row in followers
    ]
    assert list(zip(costs.tolist(), chosen.tolist(), strict=True)) == expected


@COMPILED
def test_only_leaders_around_the_place_of_a_row_are_tried(run: Runner) -> None:
    rows: list[Row] = [{0: 4}, {0: 0}, {0: 1}, {0: 2}, {0: 3}, {0: 4}]
    leaders, at = np.array([1, 2, 3, 4, 5]), np.zeros(6, np.int64)
    places = np.arange(6)
    chosen, costs = run(nearest_leader)(*compressed(rows), at, leaders, places, 2, 0, 3.0, 2.0)
    assert chosen.tolist() == [1, 1, 2, 3, 4, 4]
    assert costs.tolist() == [3, 3, 2, 1, 0, 0]


@st.composite
def followers_and_leaders(draw: st.DrawFn) -> tuple[list[Row], list[Row], int]:
    """Leaders of one or two patterns, close enough together that most have company."""
    centers = draw(st.lists(ROW, min_size=1, max_size=2))
    radius = draw(st.integers(0, 2))
    crowded = [center for center in centers for _ in range(draw(st.integers(2, 4)))]
    leaders = [
        {c: min(max(v + draw(st.integers(-1, 1)), 0), VALUES - 1) for c, v in center.items()} for center in crowded
    ]
    return draw(st.lists(ROW, min_size=1, max_size=3)), leaders, radius


@COMPILED
@given(given=followers_and_leaders(), company=st.integers(1, 3), prices=PRICES)
def test_who_follows_has_company_and_pays_no_more_than_it_must(run: Runner, given, company: int, prices) -> None:
    followers, leaders, radius = given
    enough = [i for i, one in enumerate(leaders) if sum(near(one, other, radius) for other in leaders) >= company]
    assume(enough)
    chosen = [min(enough, key=lambda i: price(row, leaders[i], *prices)) for row in followers]
    rows = leaders + followers
    at = np.arange(len(leaders), len(rows))
    codes, begins, costs = run(follow)(
        *compressed(rows), at, np.array(chosen), np.arange(len(leaders)), company, 99, radius, VALUES, *prices
    )
    assert codes.dtype == np.uint8
    for i, (before, leader) in enumerate(zip(followers, chosen, strict=True)):
        values = codes[begins[i] : begins[i + 1]].tolist()
        after = dict(zip(sorted(leaders[leader]), values, strict=True))
        assert all(0 <= value < VALUES for value in values)
        assert near(after, leaders[leader], radius)
        assert all(after[c] == leaders[leader][c] for c in after.keys() - before.keys()), "the leader's are invented"
        assert sum(near(after, other, radius) for other in leaders) >= company
        assert costs[i] == price(before, after, *prices)
        assert costs[i] <= price(before, leaders[leader], *prices), "to become equal is never cheaper"
        expected = cheapest_beside(before, leaders, leader, company, radius, *prices)
        assert costs[i] == expected


def cheapest_beside(
    before: Row, leaders: list[Row], leader: int, company: int, radius: int, invent: float, drop: float
) -> float:
    """Move a row beside its leader and those of its company that are nearest to the row, the first of equals."""
    others = [i for i, one in enumerate(leaders) if i != leader and near(one, leaders[leader], radius)]
    others.sort(key=lambda i: price_of_coming_near(before, leaders[i], radius, invent, drop))
    beside = [leaders[i] for i in [leader, *others[: company - 1]]]
    cost = drop * len(before.keys() - leaders[leader].keys()) + invent * len(leaders[leader].keys() - before.keys())
    for c in before.keys() & leaders[leader].keys():
        allowed = [v for v in range(VALUES) if all(abs(v - other[c]) <= radius for other in beside)]
        cost += min(abs(before[c] - v) for v in allowed)
    return cost


@COMPILED
def test_a_row_stops_as_soon_as_it_has_company(run: Runner) -> None:
    rows: list[Row] = [{0: 1}, {0: 2}, {0: 2}, {0: 4, 1: 3}]
    codes, begins, costs = run(follow)(
        *compressed(rows), np.array([3]), np.array([1]), np.arange(3), 2, 99, 1, VALUES, 3.0, 2.0
    )
    assert (codes.tolist(), begins.tolist(), costs.tolist()) == ([3], [0, 1], [3.0])


@COMPILED
def test_a_row_looks_no_further_than_its_window(run: Runner) -> None:
    rows: list[Row] = [{0: 1}, {0: 2}, {0: 0}, {0: 2}, {0: 4}]
    for looks, value in ((0, 2), (1, 2), (2, 3)):
        codes, _, _ = run(follow)(
            *compressed(rows), np.array([4]), np.array([1]), np.arange(4), 2, looks, 1, VALUES, 3.0, 2.0
        )
        assert codes.tolist() == [value]
