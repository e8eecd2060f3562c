"""The kernel that halves sets of rows, against looking for a line between the halves."""

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.bisection import halve

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Point = tuple[int, int]

POINTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12)


def compressed(points: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows without what is 0, as the values of ratings are."""
    indptr = np.cumsum([0, *(sum(v != 0 for v in point) for point in points)]).astype(np.int64)
    entries = [(c, v) for point in points for c, v in enumerate(point) if v]
    arrays = indptr, np.array([c for c, _ in entries], np.int32)
    for array in arrays:
        array.flags.writeable = False  # as they are in the library
    return *arrays, np.array([v for _, v in entries], np.float32)


def halved(run: Runner, points: list, begins: list[int], middles: list[int], weights=(1.0, 1.0)) -> list[int]:
    order = np.arange(len(points))
    run(halve)(*compressed(points), np.array(weights), order, np.array(begins), np.array(middles))
    return order.tolist()


def parted_by_a_line(low: list[Point], high: list[Point]) -> bool:
    """Whether some direction puts no point of the first above one of the second; turn it from pair to pair."""
    both = low + high
    steep = [(b[0] - a[0], b[1] - a[1]) for a in both for b in both if a != b]
    across = [(-y, x) for x, y in steep]
    between = [(Fraction(a + c), Fraction(b + d)) for a, b in across for c, d in across]
    for x, y in [*across, *between, (1, 0), (0, 1)]:
        if (x or y) and max(x * a + y * b for a, b in low) <= min(x * a + y * b for a, b in high):
            return True
    return False


@COMPILED
@given(points=POINTS, data=st.data())
def test_every_set_is_sorted_within_itself_and_parted_by_a_line(run: Runner, points: list[Point], data) -> None:
    border = data.draw(st.integers(1, len(points)))
    begins = [0, border, len(points)] if border < len(points) else [0, border]
    ends = list(itertools.pairwise(begins))
    middles = [data.draw(st.integers(first, last)) for first, last in ends]
    order = halved(run, points, begins, middles)
    for (first, last), middle in zip(ends, middles, strict=True):
        assert sorted(order[first:last]) == list(range(first, last)), "rows stay in their set"
        low, high = ([points[i] for i in order[a:b]] for a, b in ((first, middle), (middle, last)))
        if low and high:
            assert parted_by_a_line(low, high)
        else:
            assert order[first:last] == list(range(first, last)), "a set without a middle is left alone"


@given(points=POINTS)
def test_compiled_and_plain_agree(points: list[Point]) -> None:
    begins, middles = [0, len(points)], [len(points) // 2]
    ways = [halved(run, points, begins, middles) for run in (lambda kernel: kernel, lambda kernel: kernel.py_func)]
    assert [points[i] for i in ways[0]] == [points[i] for i in ways[1]]
    assert halved(lambda kernel: kernel, points, begins, middles) == ways[0]


@COMPILED
@given(
    places=st.lists(st.integers(1, 20), min_size=2, max_size=12),
    step=st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any),
    data=st.data(),
)
def test_points_on_a_line_are_parted_into_lower_and_upper(run: Runner, places: list[int], step: Point, data) -> None:
    points = [(place * step[0], place * step[1]) for place in places]
    middle = data.draw(st.integers(1, len(points) - 1))
    order = halved(run, points, [0, len(points)], [middle])
    sorted_places = [places[i] for i in order]
    assert sorted_places in (sorted(places), sorted(places, reverse=True))


@COMPILED
@given(points=POINTS, column=st.integers(0, 1))
def test_a_column_without_weight_does_not_count(run: Runner, points: list[Point], column: int) -> None:
    weights = (1.0, 0.0) if column == 0 else (0.0, 1.0)
    order = halved(run, points, [0, len(points)], [len(points) // 2], weights)
    values = [points[i][column] for i in order]
    assert len(points) < 2 or values in (sorted(values), sorted(values, reverse=True))


@COMPILED
def test_it_is_across_the_direction_in_which_they_differ_most(run: Runner) -> None:
    points = [(x, y, 1) for y in (1, 2) for x in (1, 40, 3, 42, 5, 44, 7, 46)]
    order = halved(run, points, [0, 16], [8], (1.0, 1.0, 1.0))
    sides = [{points[i][0] > 20 for i in part} for part in (order[:8], order[8:])]
    assert sides in ([{False}, {True}], [{True}, {False}])


@COMPILED
def test_where_the_middle_of_them_lies_does_not_count(run: Runner) -> None:
    points = [(x, 100 + x % 2) for x in (5, 2, 8, 1, 7, 4, 3, 6)]
    order = halved(run, points, [0, 8], [4])
    assert {points[i][0] for i in order[:4]} in ({1, 2, 3, 4}, {5, 6, 7, 8})


def test_of_many_rows_some_are_looked_at_and_all_are_sorted() -> None:
    places = np.random.default_rng(1).permutation(20_000) + 1
    order = halved(lambda kernel: kernel, [(int(p), 0) for p in places], [0, 20_000], [10_000])
    sorted_places = places[order].tolist()
    assert sorted_places in (sorted(places.tolist()), sorted(places.tolist(), reverse=True))
