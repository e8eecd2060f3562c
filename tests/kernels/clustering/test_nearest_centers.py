"""The kernel that finds nearest centers, against looking at all of them in whole numbers."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.settled_groups import nearest_centers

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]

POINT = st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))


def found(run: Runner, points: list[tuple], centers: list[tuple]) -> list[int]:
    rows = (np.array(some, np.float32).reshape(len(some), -1) for some in (points, centers))
    return run(nearest_centers)(*rows).tolist()


def squared(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


@COMPILED
@given(points=st.lists(POINT, min_size=1, max_size=12), centers=st.lists(POINT, min_size=1, max_size=9))
def test_it_is_the_first_of_the_nearest(run: Runner, points: list[tuple], centers: list[tuple]) -> None:
    expected = [min(range(len(centers)), key=lambda c: squared(point, centers[c])) for point in points]
    assert found(run, points, centers) == expected


def test_many_points_come_in_blocks() -> None:
    points = [(place,) for place in range(2500)]
    assert found(lambda kernel: kernel, points, [(0,), (1000,), (2400,)]) == [0] * 501 + [1] * 1200 + [2] * 799
