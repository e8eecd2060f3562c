"""The kernels that put rows together with the nearest ones, against plain lists."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.nearest_groups import nearest_groups, row_costs

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Rows = list[list[int | None]]


@st.composite
def sparse_rows(draw: st.DrawFn, least: int = 1, most: int = 12) -> Rows:
    width = draw(st.integers(1, 4))
    row = st.lists(st.none() | st.integers(0, 4), min_size=width, max_size=width)
    return draw(st.lists(row, min_size=least, max_size=most))


def compressed(rows: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    given_in = [[column for column, value in enumerate(row) if value is not None] for row in rows]
    indptr = np.cumsum([0, *map(len, given_in)]).astype(np.int64)
    indices = np.array([column for columns in given_in for column in columns], np.int32)
    return indptr, indices, np.array([v for row in rows for v in row if v is not None], np.uint8), len(rows[0])


def cost(one: list[int | None], other: list[int | None], radius: int, gap: float) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        if a is not None and b is not None:
            total += max(abs(a - b) - radius, 0)
        elif a is not None or b is not None:
            total += gap
    return total


@COMPILED
@given(rows=sparse_rows(), radius=st.integers(0, 4), gap=st.sampled_from([0.0, 0.5, 2.0]))
def test_the_cost_of_two_rows_is_what_moving_and_filling_costs(run: Runner, rows, radius, gap) -> None:
    everyone = np.arange(len(rows))
    for row in range(len(rows)):
        found = run(row_costs)(*compressed(rows), row, everyone, radius, gap)
        assert found.tolist() == [cost(rows[row], other, radius, gap) for other in rows]


def grouped(rows: Rows, order: list[int], size: int, radius: int, gap: float) -> list[int]:
    """The definition, by sorting everybody anew for every group."""
    free, labels, made = list(range(len(order))), [-1] * len(order), 0
    while free:
        first = free[0]
        ranked = sorted(free[1:], key=lambda place: cost(rows[order[first]], rows[order[place]], radius, gap))
        group = free if len(free) < 2 * size else [first, *ranked[: size - 1]]
        for place in group:
            labels[place] = made
        free = [place for place in free if labels[place] < 0]
        made += 1
    return labels


@COMPILED
@given(
    rows=sparse_rows(least=3),
    size=st.integers(2, 3),
    radius=st.integers(0, 2),
    gap=st.sampled_from([0.5, 2.0]),
    data=st.data(),
)
def test_the_first_free_row_takes_the_nearest(run: Runner, rows, size, radius, gap, data) -> None:
    order = data.draw(st.permutations(range(len(rows))))
    labels, made = run(nearest_groups)(*compressed(rows), np.array(order), size, radius, gap)
    assert labels.tolist() == grouped(rows, order, size, radius, gap)
    assert made == max(labels) + 1
    assert all(size <= count < 2 * size for count in np.bincount(labels))
