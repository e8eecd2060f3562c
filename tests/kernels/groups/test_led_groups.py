"""The kernels that bring groups of rows near to leaders of theirs, against trying every interval on dictionaries."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.leader_groups import choose_leaders, costs_of_following, led_costs, led_ranges, led_rows

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]

WIDTH, VALUES = 3, 5
ROWS = st.lists(st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1)), min_size=1, max_size=8)
PRICES = st.tuples(st.sampled_from([0.0, 0.5, 3.0, 1e6]), st.sampled_from([0.0, 0.75, 2.0, 1e6]))


@st.composite
def led(draw: st.DrawFn) -> tuple[list[Row], list[list[int]], list[bool], int, list[int]]:
    """Rows put into groups in any order; some lead; a radius, and widths for leaders to try."""
    rows = draw(ROWS)
    order = draw(st.permutations(range(len(rows))))
    begins = draw(st.sets(st.integers(1, max(len(rows) - 1, 1)), max_size=3).map(sorted))
    borders = [0, *(begin for begin in begins if begin < len(rows)), len(rows)]
    leads = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    radius = draw(st.integers(0, VALUES))
    widths = draw(st.lists(st.integers(0, radius), min_size=1, max_size=3, unique=True))
    return rows, [order[a:b] for a, b in itertools.pairwise(borders)], leads, radius, widths


def compressed(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in sorted(row.items())]
    arrays = indptr, np.array([c for c, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)
    for array in arrays:
        array.flags.writeable = False  # as they are in the library
    return arrays


def listed(groups: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    begins = np.cumsum([0, *(len(group) for group in groups)]).astype(np.int64)
    return np.array([row for group in groups for row in group], np.int64), begins


def column_price(rows: list[Row], leads: list[bool], column: int, radius, widths, invent, drop) -> float:
    """Nobody keeps a value, or everybody has one in the interval of the leaders or in that of the others."""
    values = [(row[column], lead) for row, lead in zip(rows, leads, strict=True) if column in row]
    if not values:
        return 0
    moved = [
        sum(
            max(a - value, value - a - w, 0) if lead else max(a + w - radius - value, value - a - radius, 0)
            for value, lead in values
        )
        for w in widths
        for a in range(max(VALUES - w, 1))
    ]
    return min(min(moved) + invent * (len(rows) - len(values)), drop * len(values))


def group_price(given, group: list[int], prices) -> float:
    rows, _, leads, radius, widths = given
    some, leading = [rows[i] for i in group], [leads[i] for i in group]
    return sum(column_price(some, leading, column, radius, widths, *prices) for column in range(WIDTH))


def arguments(given, prices) -> tuple:
    rows, groups, leads, radius, widths = given
    return (*compressed(rows), *listed(groups), np.array(leads), (WIDTH, VALUES), radius, np.array(widths), *prices)


def cost_between(before: Row, after: Row, invent: float, drop: float) -> float:
    moved = sum(abs(before[c] - after[c]) for c in before.keys() & after.keys())
    return moved + drop * len(before.keys() - after.keys()) + invent * len(after.keys() - before.keys())


@COMPILED
@given(given=led(), prices=PRICES)
def test_groups_cost_as_little_as_they_can(run: Runner, given, prices) -> None:
    costs = run(led_costs)(*arguments(given, prices))
    for group in given[1]:
        assert sum(costs[i] for i in group) == group_price(given, group, prices)


@COMPILED
@given(given=led(), prices=PRICES)
def test_rows_are_near_their_leaders_and_cost_what_was_said(run: Runner, given, prices) -> None:
    rows, groups, leads, radius, _ = given
    indptr, indices, codes = run(led_rows)(*arguments(given, prices))
    assert (indptr.dtype, indices.dtype, codes.dtype) == (np.int64, np.int32, np.uint8)
    parts = [slice(int(a), int(b)) for a, b in itertools.pairwise(indptr)]
    assert all(indices[part].tolist() == sorted(set(indices[part].tolist())) for part in parts)
    after = [dict(zip(indices[part].tolist(), codes[part].tolist(), strict=True)) for part in parts]
    for group in groups:
        assert len({tuple(after[i]) for i in group}) == 1, "one pattern"
        for i, j in itertools.product(group, group):
            if leads[i]:
                assert all(abs(after[i][column] - after[j][column]) <= radius for column in after[i])
        for column in after[group[0]]:
            assert any(column in rows[i] for i in group), "nobody is given what nobody had"
    costs = led_costs(*arguments(given, prices))
    for row, made, cost in zip(rows, after, costs, strict=True):
        assert all(0 <= value < VALUES for value in made.values())
        assert cost_between(row, made, *prices) == cost


@COMPILED
@given(given=led(), prices=PRICES)
def test_without_leaders_and_with_one_width_all_of_a_group_are_near_each_other(run: Runner, given, prices) -> None:
    rows, groups, _, radius, _ = given
    alike = rows, groups, [False] * len(rows), radius, [radius]
    indptr, indices, codes = run(led_rows)(*arguments(alike, prices))
    for group in groups:
        for column in set(indices[indptr[group[0]] : indptr[group[0] + 1]].tolist()):
            values = [
                int(codes[place])
                for i in group
                for place in range(int(indptr[i]), int(indptr[i + 1]))
                if indices[place] == column
            ]
            assert max(values) - min(values) <= radius


@COMPILED
@given(given=led(), prices=PRICES)
def test_what_it_costs_to_follow_any_group(run: Runner, given, prices) -> None:
    rows, groups, leads, _, _ = given
    lows, highs = run(led_ranges)(*arguments(given, prices))
    costs = run(costs_of_following)(*compressed(rows), lows, highs, *prices)
    own = led_costs(*arguments(given, prices))
    for g, group in enumerate(groups):
        kept = [column for column in range(WIDTH) if lows[column, g] >= 0]
        for i, row in enumerate(rows):
            nearest = {
                column: min(max(row.get(column, lows[column, g]), lows[column, g]), highs[column, g]) for column in kept
            }
            assert costs[i, g] == pytest.approx(cost_between(row, nearest, *prices))
            if i in group and not leads[i]:
                assert costs[i, g] == pytest.approx(own[i])


@COMPILED
@given(given=led(), prices=PRICES, n_leaders=st.integers(0, 3))
def test_so_many_lead_and_no_group_gets_dearer_by_it(run: Runner, given, prices, n_leaders: int) -> None:
    rows, groups, _, radius, _ = given
    widths = [radius, 0]
    how = ((WIDTH, VALUES), radius, np.array(widths), *prices)
    leads = run(choose_leaders)(*compressed(rows), *listed(groups), *how, n_leaders)
    for group in groups:
        assert int(leads[group].sum()) == min(n_leaders, len(group))
        if n_leaders:
            with_leaders = group_price((rows, groups, leads.tolist(), radius, widths), group, prices)
            assert with_leaders <= group_price((rows, groups, [True] * len(rows), radius, [radius]), group, prices)


def test_those_lead_for_whom_it_makes_least_difference() -> None:
    rows = [{0: 2}, {0: 0}, {0: 2}, {0: 4}, {0: 2}]
    how = ((WIDTH, VALUES), 2, np.array([2, 0]), 3.0, 2.0)
    leads = choose_leaders(*compressed(rows), *listed([[0, 1, 2, 3, 4]]), *how, 2)
    assert leads.tolist() == [True, False, True, False, False]
    costs = led_costs(*compressed(rows), *listed([[0, 1, 2, 3, 4]]), leads, *how)
    assert costs.tolist() == [0, 0, 0, 0, 0], "with leaders at 2, all of 0 to 4 are near enough"


def test_more_groups_than_are_worked_on_at_once() -> None:
    rows: list[Row] = [{i % WIDTH: i % VALUES} for i in range(300)]
    groups = [[i, i + 1] for i in range(0, 300, 2)]
    given = rows, groups, [i % 2 == 0 for i in range(300)], 1, [1, 0]
    costs = led_costs(*arguments(given, (3.0, 2.0)))
    assert [costs[i] + costs[j] for i, j in groups] == [group_price(given, group, (3.0, 2.0)) for group in groups]


@COMPILED
def test_an_invented_value_is_the_middle_one_moved_like_any_other(run: Runner) -> None:
    def invented(values: list[int], radius: int) -> int:
        rows = [*({0: value} for value in values), {}]
        whole = listed([list(range(len(rows)))])
        nobody = np.zeros(len(rows), bool)
        parts = run(led_rows)(*compressed(rows), *whole, nobody, (WIDTH, VALUES), radius, np.array([radius]), 0.0, 9.0)
        return int(parts[2][-1])

    assert invented([0, 3, 4], 4) == 3
    assert invented([1, 2], 4) == 1, "the lower of two"
    assert invented([0, 0, 0, 4, 4, 4, 4, 3, 3], 1) == 3
    assert invented([0, 0, 0, 1, 4, 4, 4], 0) == 1
