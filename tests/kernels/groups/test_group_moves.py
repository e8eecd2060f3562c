"""Changes of partitions, against lists of lists."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.group_moves import apply_changes, nearest_groups, proposed_changes
from shoal.kernels.groups.partition import partition_of, stretch_cost, stretch_table

LEVELS = [[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0] * 6]
"""Six positions, generalized on four levels."""
AT = [0.0, 0.1, 0.3, 0.35, 0.8, 1.0]
N = len(AT)


def plain_cost(attribute: int, low: int, high: int) -> float:
    """The first attribute is generalized by levels, the second costs the distance of the ends."""
    if attribute == 1:
        return AT[high] - AT[low]
    for nodes in LEVELS:
        alike = [place for place in range(N) if nodes[place] == nodes[low]]
        if len({nodes[place] for place in range(low, high + 1)}) == 1:
            return (len(alike) - 1) / (N - 1)
    raise AssertionError


def ruler(*, tabulated: bool) -> tuple:
    neighbors = [next(i for i, nodes in enumerate(LEVELS) if nodes[at] == nodes[at + 1]) for at in range(N - 1)]
    peaks, costs = np.zeros((2, 3, N), np.int32), np.zeros((2, len(LEVELS), N))
    for power in range(3):
        for at in range(N - 1):
            peaks[0, power, at] = max(neighbors[at : at + 2**power])
    for level, nodes in enumerate(LEVELS):
        costs[0, level] = [(nodes.count(node) - 1) / (N - 1) for node in nodes]
    at = np.array([[0.0] * N, AT])
    none = np.zeros(2, np.int64)
    bare = peaks, costs, at, np.array([False, True]), np.zeros(0), none, none, np.array([2.0])
    if not tabulated:
        return bare
    table = np.concatenate([stretch_table(bare, attribute, N) for attribute in range(2)])
    return (*bare[:4], table, np.array([0, N * N]), np.array([N, N]), bare[7])


@pytest.mark.parametrize("tabulated", [False, True])
def test_a_stretch_costs_what_its_lowest_common_level_or_its_length_does(tabulated):
    for attribute in range(2):
        for low in range(N):
            for high in range(low, N):
                expected = pytest.approx(plain_cost(attribute, low, high))
                assert stretch_cost(ruler(tabulated=tabulated), attribute, low, high) == expected
                assert stretch_cost.py_func(ruler(tabulated=tabulated), attribute, low, high) == expected
        table = stretch_table.py_func(ruler(tabulated=False), attribute, N)
        assert np.array_equal(table, stretch_table(ruler(tabulated=False), attribute, N))


class Grouped(NamedTuple):
    """Rows in groups of at least ``fewest``, and the last groups empty."""

    positions: np.ndarray
    groups: np.ndarray
    n_groups: int
    fewest: int

    def cost(self, groups) -> float:
        """What all rows cost, those that are left out included."""
        total = 2.0 * sum(int(group) < 0 for group in groups)
        for group in set(groups.tolist()) - {-1}:
            members = self.positions[groups == group]
            ends = zip(members.min(axis=0).tolist(), members.max(axis=0).tolist(), strict=True)
            total += len(members) * sum(plain_cost(a, low, high) for a, (low, high) in enumerate(ends))
        return total


@st.composite
def grouped(draw: st.DrawFn) -> Grouped:
    fewest = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(fewest, fewest + 3), min_size=1, max_size=4))
    position = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1))
    positions = draw(st.lists(position, min_size=sum(sizes), max_size=sum(sizes)))
    groups = draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist()))
    return Grouped(np.array(positions, np.int32), np.array(groups, np.int64), len(sizes) + 2, fewest)


def everything_near(drawn: Grouped) -> np.ndarray:
    return np.tile(np.arange(drawn.n_groups, dtype=np.int32), (len(drawn.groups), 1))


def started(drawn: Grouped, *, tabulated: bool, compiled: bool) -> tuple:
    start = partition_of if compiled else partition_of.py_func
    return start(drawn.groups, drawn.n_groups, drawn.positions, ruler(tabulated=tabulated))


@given(drawn=grouped(), tabulated=st.booleans())
def test_a_partition_knows_members_reach_and_price(drawn, tabulated):
    for compiled in (True, False):
        group_of, heads, nexts, lasts, sizes, lows, highs, prices = started(
            drawn, tabulated=tabulated, compiled=compiled
        )
        assert group_of.tolist() == drawn.groups.tolist()
        for group in range(drawn.n_groups):
            rows, row = [], int(heads[group])
            while row >= 0:
                assert lasts[row] == (rows[-1] if rows else -1)
                rows.append(row)
                row = int(nexts[row])
            members = np.flatnonzero(drawn.groups == group)
            assert sorted(rows) == members.tolist()
            assert sizes[group] == len(members)
            if len(members):
                assert lows[group].tolist() == drawn.positions[members].min(axis=0).tolist()
                assert highs[group].tolist() == drawn.positions[members].max(axis=0).tolist()
                alone = np.where(drawn.groups == group, 0, np.arange(len(drawn.groups)) + 1)
                assert len(members) * prices[group] == pytest.approx(drawn.cost(alone))


@given(drawn=grouped(), tabulated=st.booleans(), width=st.integers(1, 6))
def test_near_groups_are_those_to_which_a_row_adds_least(drawn, tabulated, width):
    for compiled in (True, False):
        partition = started(drawn, tabulated=tabulated, compiled=compiled)
        rows = np.arange(len(drawn.groups))
        near = np.full((len(rows), 2), -1, np.int32)
        look = nearest_groups if compiled else nearest_groups.py_func
        look(partition, drawn.positions, ruler(tabulated=tabulated), rows, width, near)
        for row in rows.tolist():
            own = int(drawn.groups[row])
            most = partition[4][own] * partition[7][own]
            first = min(max(own - width // 2, 0), max(drawn.n_groups - width, 0))
            adds_of = {}
            for group in range(first, min(first + width, drawn.n_groups)):
                if group == own or not partition[4][group]:
                    continue
                reach = zip(partition[5][group], partition[6][group], drawn.positions[row], strict=True)
                ends = [(min(lo, x), max(hi, x)) for lo, hi, x in reach]
                price = sum(plain_cost(a, int(lo), int(hi)) for a, (lo, hi) in enumerate(ends))
                adds_of[group] = (partition[4][group] + 1) * price - partition[4][group] * partition[7][group]
            least = sorted(each for each in adds_of.values() if each < most - 1e-9)[:2]
            found = [adds_of[int(group)] for group in near[row] if group >= 0]
            assert found[: len(least)] == pytest.approx(least)


@given(drawn=grouped(), tabulated=st.booleans(), spare=st.integers(0, 2))
def test_every_proposed_change_saves_something_for_itself_and_leaves_groups_large_enough(drawn, tabulated, spare):
    made = []
    for compiled in (True, False):
        partition = started(drawn, tabulated=tabulated, compiled=compiled)
        order = np.arange(len(drawn.groups))
        news = np.zeros(len(order), np.int64), np.ones(drawn.n_groups, np.int64), 1
        propose = proposed_changes if compiled else proposed_changes.py_func
        measure = ruler(tabulated=tabulated)
        rows, groups, begins = propose(
            partition, drawn.positions, measure, order, everything_near(drawn), drawn.fewest, spare, news
        )
        made.append((rows.tolist(), groups.tolist(), begins.tolist()))
        assert np.count_nonzero(groups < 0) <= spare
        touched: set[int] = set()
        for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
            after = drawn.groups.copy()
            after[rows[begin:end]] = groups[begin:end]
            assert drawn.cost(after) < drawn.cost(drawn.groups)
            own = {*drawn.groups[rows[begin:end]].tolist(), *groups[begin:end].tolist()} - {-1}
            assert not own & touched
            touched |= own
            sizes = np.bincount(after[after >= 0], minlength=drawn.n_groups)
            assert all(size == 0 or size >= drawn.fewest for size in sizes)
        after = drawn.groups.copy()
        after[rows] = groups
        changed = np.zeros(drawn.n_groups, np.bool_)
        change = apply_changes if compiled else apply_changes.py_func
        change(partition, drawn.positions, measure, rows, groups, changed)
        assert partition[0].tolist() == after.tolist()
        assert np.flatnonzero(changed).tolist() == sorted(touched)
        left_out = 2.0 * np.count_nonzero(after < 0)
        assert partition[4] @ partition[7] + left_out == pytest.approx(drawn.cost(after))
    assert made[0] == made[1]


@pytest.mark.parametrize("compiled", [True, False])
def test_records_of_full_groups_are_exchanged(compiled):
    """Neither group can spare one, and each has a record that belongs to the other."""
    positions = np.array([[0, 0], [0, 0], [5, 0], [5, 0], [5, 0], [0, 0]], np.int32)
    drawn = Grouped(positions, np.array([0, 0, 0, 1, 1, 1]), 3, 3)
    partition = started(drawn, tabulated=True, compiled=compiled)
    news = np.zeros(6, np.int64), np.ones(3, np.int64), 1
    propose = proposed_changes if compiled else proposed_changes.py_func
    rows, groups, _ = propose(
        partition, positions, ruler(tabulated=True), np.arange(6), everything_near(drawn), 3, 0, news
    )
    after = drawn.groups.copy()
    after[rows] = groups
    assert drawn.cost(after) == 0
