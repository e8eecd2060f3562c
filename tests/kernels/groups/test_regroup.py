"""The kernel that moves rows between groups, against costs worked out anew on rows of dictionaries."""

import itertools
import statistics
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.groups.regroup import regroup

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]
Groups = list[list[int]]

WIDTH, VALUES = 3, 5
ROW = st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1))
PRICES = st.tuples(st.integers(0, 2), st.sampled_from([0.0, 0.5, 3.0]), st.sampled_from([0.0, 0.75, 2.0]))


def compressed(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in sorted(row.items())]
    arrays = indptr, np.array([c for c, _ in entries], np.int32), np.array([code for _, code in entries], np.uint8)
    for array in arrays:
        array.flags.writeable = False  # as they are in the library
    return arrays


def group_price(rows: list[Row], radius: int, invent: float, drop: float) -> float:
    total = 0.0
    for column in range(WIDTH):
        values = [row[column] for row in rows if column in row]
        starts = range(max(VALUES - radius, 1))
        moved = min(sum(max(start - v, v - start - radius, 0) for v in values) for start in starts)
        total += min(moved + invent * (len(rows) - len(values)), drop * len(values))
    return total


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[Row], Groups, list[int], int]:
    """Rows in groups, the number of groups in each block, and the least size of a group."""
    least = draw(st.integers(2, 3))
    blocks = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    sizes = [draw(st.integers(least, 2 * least - 1)) for _ in range(sum(blocks))]
    pool = draw(st.lists(ROW, min_size=2, max_size=8))
    rows = [draw(st.sampled_from(pool) | ROW) for _ in range(sum(sizes))]
    order = draw(st.permutations(range(len(rows))))
    borders = np.cumsum([0, *sizes]).tolist()
    return rows, [order[a:b] for a, b in itertools.pairwise(borders)], blocks, least


def lack(secrets: list[int | None], target: float) -> float:
    """The share that the variance of the values that are there falls short of the target."""
    values = [value for value in secrets if value is not None]
    variance = statistics.pvariance(values) if values else 0
    return max(1 - variance / target, 0)


@dataclass(frozen=True)
class Asked:
    """One sensitive value for each row, the variance that is asked of every group, and what it costs to lack it."""

    secrets: list[int | None]
    target: float
    price: float

    @property
    def arguments(self) -> tuple[np.ndarray, np.ndarray, float]:
        amounts = [(1, s is not None, s or 0, (s or 0) ** 2) for s in self.secrets]
        return np.array(amounts, np.int64), np.array([(0.0, self.target, 0.0, 5.0, 1.0)]), self.price

    def cost(self, group: list[int]) -> float:
        return self.price * lack([self.secrets[i] for i in group], self.target)


NOTHING = (np.zeros((0, 1), np.int64), np.zeros((0, 5)), 0.0)


def regrouped(
    run: Runner,
    rows: list[Row],
    groups: Groups,
    blocks: list[int],
    least: int,
    prices: tuple,
    passes: int,
    asked: Asked | None = None,
) -> tuple[Groups, list[float], list[float]]:
    members = np.zeros((len(groups), 2 * least - 1), np.int64)
    for line, group in zip(members, groups, strict=True):
        line[: len(group)] = group
    sizes = np.array([len(group) for group in groups])
    costs = np.array([group_price([rows[i] for i in group], *prices) for group in groups])
    turned = np.arange(len(groups))[::-1].copy()  # blocks need not be in the order of the groups
    begins = np.cumsum([0, *blocks])
    saved = run(regroup)(
        *compressed(rows),
        members,
        sizes,
        costs,
        turned,
        begins,
        least,
        (WIDTH, VALUES),
        *prices,
        *(NOTHING if asked is None else asked.arguments),
        passes,
    )
    after = [line[:size].tolist() for line, size in zip(members, sizes, strict=True)]
    return after, costs.tolist(), saved.tolist()


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), prices=PRICES, passes=st.integers(0, 4))
def test_groups_stay_groups_and_get_cheaper_by_what_is_said(run: Runner, given, prices, passes: int) -> None:
    rows, groups, blocks, least = given
    after, costs, saved = regrouped(run, rows, groups, blocks, least, prices, passes)
    assert all(least <= len(group) <= 2 * least - 1 for group in after)
    assert costs == [group_price([rows[i] for i in group], *prices) for group in after]
    begins = np.cumsum([0, *blocks]).tolist()
    for b, (first, last) in enumerate(itertools.pairwise(begins)):
        own = [len(groups) - 1 - place for place in range(first, last)]
        old, new = ([i for g in own for i in some[g]] for some in (groups, after))
        assert sorted(old) == sorted(new), "rows stay in their block"
        fall = sum(group_price([rows[i] for i in groups[g]], *prices) for g in own) - sum(costs[g] for g in own)
        assert saved[b] == fall
        assert saved[b] >= 0


def cheapest_move(rows: list[Row], groups: Groups, least: int, prices: tuple) -> float:
    """The least total cost after moving one row, where sizes allow it."""

    def total(some: Groups) -> float:
        return sum(group_price([rows[i] for i in group], *prices) for group in some)

    best = total(groups)
    for g, group in enumerate(groups):
        for h in range(len(groups)):
            if g == h or len(group) == least or len(groups[h]) == 2 * least - 1:
                continue
            for row in group:
                moved = [list(some) for some in groups]
                moved[g].remove(row)
                moved[h].append(row)
                best = min(best, total(moved))
    return best


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), prices=PRICES)
def test_in_the_end_no_single_move_makes_it_cheaper(run: Runner, given, prices) -> None:
    rows, groups, _, least = given
    after, costs, _ = regrouped(run, rows, groups, [len(groups)], least, prices, 1000)
    assert cheapest_move(rows, after, least, prices) == sum(costs)


@COMPILED
def test_rows_are_swapped_where_none_can_be_moved(run: Runner) -> None:
    rows: list[Row] = [{0: 0}, {0: 4, 1: 2}, {0: 0}, {0: 4, 1: 2}]
    after, costs, saved = regrouped(run, rows, [[0, 1], [2, 3]], [2], 2, (0, 3.0, 2.0), 3)
    assert sorted(sorted(group) for group in after) == [[0, 2], [1, 3]]
    assert (costs, saved) == ([0.0, 0.0], [12.0])


SECRETS = st.lists(st.sampled_from([0, 1, 4, 4, None]), min_size=60, max_size=60)


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), prices=PRICES, secrets=SECRETS, target=st.sampled_from([0.25, 1.0, 4.0]))
def test_what_groups_lack_of_spread_counts_like_any_cost(run: Runner, given, prices, secrets, target) -> None:
    rows, groups, _, least = given
    asked = Asked(secrets[: len(rows)], target, 5.0)
    after, costs, saved = regrouped(run, rows, groups, [len(groups)], least, prices, 1000, asked)

    def total(some: Groups) -> float:
        return sum(group_price([rows[i] for i in group], *prices) + asked.cost(group) for group in some)

    assert sum(costs) == pytest.approx(total(after))
    assert saved[0] == pytest.approx(total(groups) - total(after), abs=1e-6)
    for g, h in itertools.permutations(range(len(after)), 2):
        if len(after[g]) > least and len(after[h]) < 2 * least - 1:
            for row in after[g]:
                moved = [[i for i in group if i != row] for group in after]
                moved[h].append(row)
                assert total(moved) >= total(after) - 1e-6, "no single move makes it cheaper"


@COMPILED
def test_rows_are_swapped_for_the_sake_of_spread(run: Runner) -> None:
    """Rows are alike; only who is with whom decides whether sensitive values spread."""
    asked = Asked([0, 0, 4, 4], 4.0, 1.0)
    after, costs, saved = regrouped(run, [{0: 1}] * 4, [[0, 1], [2, 3]], [2], 2, (0, 3.0, 2.0), 3, asked)
    assert sorted(sum(asked.secrets[i] or 0 for i in group) for group in after) == [4, 4]
    assert (costs, saved) == ([0.0, 0.0], [2.0])


@given(given=grouped(), prices=PRICES, secrets=SECRETS)
def test_compiled_and_plain_agree(given, prices, secrets) -> None:
    rows, groups, blocks, least = given
    ways = [
        regrouped(run, rows, groups, blocks, least, prices, 3, Asked(secrets[: len(rows)], 1.0, 5.0))
        for run in (lambda kernel: kernel, lambda kernel: kernel.py_func)
    ]
    assert ways[0] == ways[1]
