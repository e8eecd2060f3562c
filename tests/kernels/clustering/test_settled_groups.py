"""The kernel that makes groups of points tighter, against sums of squares worked out anew."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.clustering.settled_groups import settle_groups

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Point = tuple[int, int]
Groups = list[list[int]]


def squares(points: list[Point], groups: Groups) -> float:
    """Half the squared distances between any two of a group, by its size: no mean is needed."""
    return sum(
        sum((a - c) ** 2 + (b - d) ** 2 for a, b in some for c, d in some) / (2 * len(some))
        for some in ([points[i] for i in group] for group in groups)
    )


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[Point], Groups, list[int], int]:
    """Points in groups, the number of groups in each block, and the least size of a group."""
    least = draw(st.integers(2, 4))
    blocks = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    sizes = [draw(st.integers(least, 2 * least - 1)) for _ in range(sum(blocks))]
    place = st.integers(-20, 20)
    points = draw(st.lists(st.tuples(place, place), min_size=sum(sizes), max_size=sum(sizes)))
    order = draw(st.permutations(range(len(points))))
    return points, [order[a:b] for a, b in itertools.pairwise(np.cumsum([0, *sizes]).tolist())], blocks, least


def settled(
    run: Runner, points: list[Point], groups: Groups, blocks: list[int], least: int, passes: int
) -> tuple[Groups, list[float]]:
    members = np.zeros((len(groups), 2 * least - 1), np.int64)
    for line, group in zip(members, groups, strict=True):
        line[: len(group)] = group
    sizes = np.array([len(group) for group in groups])
    turned = np.arange(len(groups))[::-1].copy()  # blocks need not be in the order of the groups
    begins = np.cumsum([0, *blocks])
    rows = np.array(points, np.float32)
    saved = run(settle_groups)(rows, members, sizes, turned, begins, least, passes)
    return [line[:size].tolist() for line, size in zip(members, sizes, strict=True)], saved.tolist()


@COMPILED
@settings(max_examples=60)
@given(given=grouped(), passes=st.integers(0, 4))
def test_groups_stay_groups_and_get_tighter_by_what_is_said(run: Runner, given, passes: int) -> None:
    points, groups, blocks, least = given
    after, saved = settled(run, points, groups, blocks, least, passes)
    assert all(least <= len(group) <= 2 * least - 1 for group in after)
    for b, (first, last) in enumerate(itertools.pairwise(np.cumsum([0, *blocks]).tolist())):
        own = [len(groups) - 1 - place for place in range(first, last)]
        old, new = ([some[g] for g in own] for some in (groups, after))
        assert sorted(itertools.chain(*old)) == sorted(itertools.chain(*new)), "points stay in their block"
        assert saved[b] == pytest.approx(squares(points, old) - squares(points, new), abs=1e-6)
        assert saved[b] >= 0
        if not passes:
            assert old == new


def neighbors(groups: Groups, least: int):
    """All groups that one move or one swap away can be had."""
    for g, h in itertools.permutations(range(len(groups)), 2):
        for x in groups[g]:
            if len(groups[g]) > least and len(groups[h]) < 2 * least - 1:
                yield {g: [i for i in groups[g] if i != x], h: [*groups[h], x]}
            for y in groups[h] if g < h else []:
                yield {g: [y if i == x else i for i in groups[g]], h: [x if i == y else i for i in groups[h]]}


@COMPILED
@settings(max_examples=60)
@given(given=grouped())
def test_in_the_end_no_single_move_or_swap_makes_them_tighter(run: Runner, given) -> None:
    points, groups, _, least = given
    after, _ = settled(run, points, groups, [len(groups)], least, 1000)
    for changed in neighbors(after, least):
        before = squares(points, [after[g] for g in changed])
        assert squares(points, list(changed.values())) >= before - 1e-4 * (1 + before)


@COMPILED
def test_points_are_swapped_where_none_can_be_moved(run: Runner) -> None:
    after, saved = settled(run, [(0, 0), (9, 2), (0, 0), (9, 2)], [[0, 1], [2, 3]], [2], 2, 3)
    assert sorted(sorted(group) for group in after) == [[0, 2], [1, 3]]
    assert saved == [85.0]


@COMPILED
def test_a_point_is_moved_where_groups_may_differ_in_size(run: Runner) -> None:
    after, saved = settled(run, [(0, 0), (0, 0), (8, 0), (8, 0), (8, 0)], [[0, 1, 2], [3, 4]], [2], 2, 3)
    assert sorted(sorted(group) for group in after) == [[0, 1], [2, 3, 4]]
    assert saved == [pytest.approx(128 / 3)]


@given(given=grouped())
def test_compiled_and_plain_come_out_alike(given) -> None:
    points, groups, blocks, least = given
    ways = [settled(run, points, groups, blocks, least, 1) for run in (lambda k: k, lambda k: k.py_func)]
    assert ways[0][0] == ways[1][0]
    assert ways[0][1] == pytest.approx(ways[1][1])


def least_after_a_change(points: np.ndarray, groups: Groups, least: int) -> float:
    """The least sum of squares after one move or swap: squared lengths, less those of sums by the size."""

    def tightness(sums: np.ndarray, size: int) -> np.ndarray:
        return (sums**2).sum(axis=-1) / size

    whole, found = float((points**2).sum()), []
    sums = [points[group].sum(axis=0) for group in groups]
    parts = [float(tightness(total, len(group))) for total, group in zip(sums, groups, strict=True)]
    for g, h in itertools.permutations(range(len(groups)), 2):
        a, b, mine, theirs = len(groups[g]), len(groups[h]), points[groups[g]], points[groups[h]]
        rest = sum(parts) - parts[g] - parts[h]
        change = theirs[None] - mine[:, None]
        found.append((tightness(sums[g] + change, a) + tightness(sums[h] - change, b)).max() + rest)
        if a > least and b < 2 * least - 1:
            found.append((tightness(sums[g] - mine, a - 1) + tightness(sums[h] + mine, b + 1)).max() + rest)
    return whole - max(found)


@COMPILED
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), least=st.integers(20, 60), more=st.integers(0, 15))
def test_large_groups_are_measured_less_often_and_settle_all_the_same(run: Runner, seed, least: int, more: int) -> None:
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(4 * least + more, 2))
    order = chance.permutation(len(points)).tolist()
    groups = [order[i * least : (i + 1) * least] for i in range(4)]
    groups[-1] += order[4 * least :]
    exact = points.astype(np.float32).astype(np.float64)
    after, saved = settled(run, exact.tolist(), groups, [4], least, 1000)
    assert sorted(itertools.chain(*after)) == list(range(len(points)))
    assert all(least <= len(group) < 2 * least for group in after)

    def total(some: Groups) -> float:
        return sum(float(((exact[group] - exact[group].mean(axis=0)) ** 2).sum()) for group in some)

    assert sum(saved) == pytest.approx(total(groups) - total(after))
    assert least_after_a_change(exact, after, least) >= total(after) * (1 - 1e-6)
