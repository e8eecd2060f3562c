"""The kernel that halves sets of points, against looking for a line between the halves."""

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.bisection import halve_points

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Point = tuple[int, int]

POINTS = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=12)


def halved(run: Runner, points: list, begins: list[int], middles: list[int]) -> list[int]:
    order = np.arange(len(points))
    rows = np.array(points, np.float32).reshape(len(points), -1)
    run(halve_points)(rows, order, np.array(begins), np.array(middles))
    return order.tolist()


def parted_by_a_line(low: list[Point], high: list[Point]) -> bool:
    """Whether some direction puts no point of the first above one of the second; turn it from pair to pair."""
    both = low + high
    across = [(a[1] - b[1], b[0] - a[0]) for a in both for b in both if a != b]
    between = [(Fraction(a + c), Fraction(b + d)) for a, b in across for c, d in across]
    return any(
        (x or y) and max(x * a + y * b for a, b in low) <= min(x * a + y * b for a, b in high)
        for x, y in [*across, *between, (1, 0), (0, 1)]
    )


@COMPILED
@given(points=POINTS, data=st.data())
def test_every_set_is_sorted_within_itself_and_parted_by_a_line(run: Runner, points: list[Point], data) -> None:
    border = data.draw(st.integers(1, len(points)))
    begins = [0, border, len(points)] if border < len(points) else [0, border]
    ends = list(itertools.pairwise(begins))
    middles = [data.draw(st.integers(first, last)) for first, last in ends]
    order = halved(run, points, begins, middles)
    for (first, last), middle in zip(ends, middles, strict=True):
        assert sorted(order[first:last]) == list(range(first, last)), "points stay in their set"
        low, high = ([points[i] for i in order[a:b]] for a, b in ((first, middle), (middle, last)))
        if low and high:
            assert parted_by_a_line(low, high)
        else:
            assert order[first:last] == list(range(first, last)), "a set without a middle is left alone"


@COMPILED
@given(
    places=st.lists(st.integers(-20, 20), min_size=2, max_size=12),
    step=st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any),
    data=st.data(),
)
def test_points_on_a_line_are_parted_into_lower_and_upper(run: Runner, places: list[int], step: Point, data) -> None:
    points = [(50 + place * step[0], place * step[1]) for place in places]
    middle = data.draw(st.integers(1, len(points) - 1))
    order = halved(run, points, [0, len(points)], [middle])
    sorted_places = [places[i] for i in order]
    assert sorted_places in (sorted(places), sorted(places, reverse=True))


@COMPILED
def test_it_is_across_the_direction_in_which_they_differ_most(run: Runner) -> None:
    points = [(x, 1000 + y, 100) for y in (1, 4) for x in (1, 40, 3, 42, 5, 44, 7, 46)]
    order = halved(run, points, [0, 16], [8])
    sides = [{points[i][0] > 20 for i in part} for part in (order[:8], order[8:])]
    assert sides in ([{False}, {True}], [{True}, {False}])


def test_of_many_points_some_are_looked_at_and_all_are_sorted() -> None:
    places = np.random.default_rng(1).permutation(20_000)
    order = halved(lambda kernel: kernel, [(int(p), 0) for p in places], [0, 20_000], [10_000])
    sorted_places = places[order].tolist()
    assert sorted_places in (sorted(places.tolist()), sorted(places.tolist(), reverse=True))
