"""The kernel that exchanges people between groups, against losses worked out anew from ratings and trees of labels."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.groups.exchange import exchange

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Row = dict[int, int]
Groups = list[list[int]]

WIDTH, VALUES, PLACES = 2, 4, 4
TREE = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]]
"""Places 0 and 1 have one label on the first level, and all one on the second."""
LOSSES = [[0.0] * 4, [1.5, 1.5, 0.0, 0.0], [4.0] * 4]
SLOPE = 0.75
ROW = st.dictionaries(st.integers(0, WIDTH - 1), st.integers(0, VALUES - 1))
PERSON = st.tuples(ROW, st.tuples(st.integers(0, PLACES - 1), st.integers(0, PLACES - 1)))
PRICES = st.tuples(st.integers(0, 2), st.sampled_from([0.0, 0.5, 3.0]), st.sampled_from([0.0, 0.75, 2.0]))
Person = tuple[Row, tuple[int, int]]


def price(people: list[Person], radius: int, invent: float, drop: float) -> float:
    """What a group costs: of the two columns of the table, the first is labeled by ranges and the second by a tree."""
    total = 0.0
    for column in range(WIDTH):
        values = [row[column] for row, _ in people if column in row]
        moved = min(sum(max(start - v, v - start - radius, 0) for v in values) for start in range(VALUES - radius))
        total += min(moved + invent * (len(people) - len(values)), drop * len(values))
    ranged, placed = zip(*(places for _, places in people), strict=True)
    level = next(level for level, labels in enumerate(TREE) if len({labels[place] for place in placed}) == 1)
    return total + len(people) * (SLOPE * (max(ranged) - min(ranged)) + LOSSES[level][placed[0]])


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[Person], Groups, list[int]]:
    """People in groups of different sizes, and the number of groups in each block."""
    blocks = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2))
    sizes = [draw(st.integers(1, 3)) for _ in range(sum(blocks))]
    pool = draw(st.lists(PERSON, min_size=2, max_size=6))
    people = [draw(st.sampled_from(pool) | PERSON) for _ in range(sum(sizes))]
    order = draw(st.permutations(range(len(people))))
    borders = np.cumsum([0, *sizes]).tolist()
    return people, [order[a:b] for a, b in itertools.pairwise(borders)], blocks


def exchanged(
    run: Runner, people: list[Person], groups: Groups, blocks: list[int], prices: tuple, passes: int
) -> tuple[Groups, list[float]]:
    members = np.zeros((len(groups), max(map(len, groups))), np.int64)
    for line, group in zip(members, groups, strict=True):
        line[: len(group)] = group
    sizes = np.array([len(group) for group in groups])
    rows = [sorted(row.items()) for row, _ in people]
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    entries = [entry for row in rows for entry in row]
    ratings = indptr, np.array([c for c, _ in entries], np.int32), np.array([v for _, v in entries], np.uint8)
    places = np.array([own for _, own in people], np.int32)
    nodes, losses = np.zeros((2, 3, PLACES), np.int32), np.zeros((2, 3, PLACES))
    nodes[1], losses[1] = TREE, LOSSES
    labels = places, np.array([SLOPE, -1.0]), nodes, losses
    begins = np.cumsum([0, *blocks])
    costs = run(exchange)(*ratings, members, sizes, begins, (WIDTH, VALUES), *prices, *labels, passes)
    return [line[:size].tolist() for line, size in zip(members, sizes, strict=True)], costs.tolist()


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), prices=PRICES, passes=st.integers(0, 3))
def test_people_stay_in_their_blocks_and_groups_get_no_dearer(run: Runner, given, prices, passes: int) -> None:
    people, groups, blocks = given
    after, costs = exchanged(run, people, groups, blocks, prices, passes)
    assert [*map(len, after)] == [*map(len, groups)]
    assert costs == pytest.approx([price([people[i] for i in group], *prices) for group in after])
    borders = np.cumsum([0, *blocks]).tolist()
    for first, last in itertools.pairwise(borders):
        old, new = (sorted(itertools.chain(*some[first:last])) for some in (groups, after))
        assert old == new
        before = sum(price([people[i] for i in group], *prices) for group in groups[first:last])
        assert sum(costs[first:last]) <= before + 1e-6


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), prices=PRICES)
def test_in_the_end_no_exchange_of_two_makes_groups_cheaper(run: Runner, given, prices) -> None:
    people, groups, _ = given
    after, costs = exchanged(run, people, groups, [len(groups)], prices, 1000)
    for g, h in itertools.combinations(range(len(after)), 2):
        for i, j in itertools.product(after[g], after[h]):
            one, other = ([*(x for x in after[a] if x != gone), new] for a, gone, new in ((g, i, j), (h, j, i)))
            changed = sum(price([people[x] for x in group], *prices) for group in (one, other))
            assert changed >= costs[g] + costs[h] - 1e-6


@COMPILED
def test_labels_count_where_ratings_do_not_differ(run: Runner) -> None:
    people: list[Person] = [({}, (0, 0)), ({}, (3, 2)), ({}, (0, 1)), ({}, (3, 2))]
    after, costs = exchanged(run, people, [[0, 1], [2, 3]], [2], (0, 3.0, 2.0), 3)
    assert sorted(sorted(group) for group in after) == [[0, 2], [1, 3]]
    assert sorted(costs) == [0.0, 3.0]
