"""The kernels that say what it costs to make groups of rows alike, against trying every interval on dictionaries."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.group_costs import best_interval, column_cost, gather, group_costs, set_cost

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]

WIDTH, VALUES = 4, 5
ROWS = st.lists(st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1)), min_size=1, max_size=9)
PRICES = st.tuples(
    st.integers(0, VALUES), st.sampled_from([0.0, 0.5, 3.0, 1e6]), st.sampled_from([0.0, 0.75, 2.0, 1e6])
)


def compressed(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in sorted(row.items())]
    arrays = indptr, np.array([c for c, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)
    for array in arrays:
        array.flags.writeable = False  # as they are in the library
    return arrays


def room() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros((WIDTH, VALUES), np.int32), np.zeros(WIDTH, np.int32), np.empty(WIDTH, np.int32)


def moving(values: list[int], start: int, radius: int) -> int:
    return sum(max(start - value, value - start - radius, 0) for value in values)


def keeping(values: list[int], radius: int) -> tuple[int, int]:
    """The least cost of moving values into an interval, and its lowest start."""
    return min((moving(values, start, radius), start) for start in range(max(VALUES - radius, 1)))


def column_price(rows: list[Row], column: int, radius: int, invent: float, drop: float) -> float:
    values = [row[column] for row in rows if column in row]
    return min(keeping(values, radius)[0] + invent * (len(rows) - len(values)), drop * len(values)) if values else 0


def group_price(rows: list[Row], radius: int, invent: float, drop: float) -> float:
    return sum(column_price(rows, column, radius, invent, drop) for column in range(WIDTH))


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[Row], list[list[int]]]:
    """Rows, and all of them put into groups in any order."""
    rows = draw(ROWS)
    order = draw(st.permutations(range(len(rows))))
    begins = draw(st.sets(st.integers(1, max(len(rows) - 1, 1)), max_size=4).map(sorted))
    borders = [0, *(begin for begin in begins if begin < len(rows)), len(rows)]
    return rows, [order[a:b] for a, b in itertools.pairwise(borders)]


def listed(groups: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.cumsum([0, *(len(group) for group in groups)]).astype(np.int64)
    return np.array([row for group in groups for row in group], np.int64), begins


@COMPILED
@given(values=st.lists(st.integers(0, VALUES - 1), max_size=9), radius=st.integers(0, VALUES))
def test_the_best_interval_is_the_lowest_of_the_cheapest(run: Runner, values: list[int], radius: int) -> None:
    counts = np.bincount(values, minlength=VALUES).astype(np.int32)
    start, cost = run(best_interval)(counts, radius)
    assert (cost, start) == keeping(values, radius)


@COMPILED
@given(values=st.lists(st.integers(0, VALUES - 1), max_size=6), missing=st.integers(0, 4), prices=PRICES)
def test_a_column_is_kept_or_dropped_at_the_least_cost(run: Runner, values: list[int], missing: int, prices) -> None:
    radius, invent, drop = prices
    counts = np.bincount(values, minlength=VALUES).astype(np.int32)
    cost, start = run(column_cost)(counts, len(values), len(values) + missing, radius, invent, drop)
    moved, lowest = keeping(values, radius)
    keep, give_up = moved + invent * missing, drop * len(values)
    assert cost == min(keep, give_up)
    assert start == (lowest if keep <= give_up else -1)


@COMPILED
@given(rows=ROWS, data=st.data(), prices=PRICES)
def test_a_set_of_rows_is_counted_and_its_costs_are_those_of_its_columns(run: Runner, rows, data, prices) -> None:
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=1))
    some = [rows[i] for i in chosen]
    members, (counts, number, touched) = np.array(chosen, np.int64), room()
    found = run(gather)(*compressed(rows), members, counts, number, touched)
    assert sorted(touched[:found]) == sorted({column for row in some for column in row})
    assert number.tolist() == [sum(column in row for row in some) for column in range(WIDTH)]
    assert counts.tolist() == [
        [sum(row.get(column) == value for row in some) for value in range(VALUES)] for column in range(WIDTH)
    ]
    clean = room()
    assert run(set_cost)(*compressed(rows), members, *prices, *clean) == group_price(some, *prices)
    assert not clean[0].any(), "room is left as it was found"
    assert not clean[1].any()


@COMPILED
@given(given=grouped(), prices=PRICES)
def test_costs_of_groups(run: Runner, given, prices) -> None:
    rows, groups = given
    costs = run(group_costs)(*compressed(rows), *listed(groups), (WIDTH, VALUES), *prices)
    assert costs.tolist() == [group_price([rows[i] for i in group], *prices) for group in groups]


def test_costs_of_more_groups_than_are_worked_on_at_once() -> None:
    rows = [{i % WIDTH: i % VALUES} for i in range(300)]
    groups = [[i, i + 1] for i in range(0, 300, 2)]
    costs = group_costs(*compressed(rows), *listed(groups), (WIDTH, VALUES), 1, 3.0, 2.0)
    assert costs.tolist() == [group_price([rows[i] for i in group], 1, 3.0, 2.0) for group in groups]
