"""Kernels of greedy clustering, compiled and as plain Python, against costs worked out from the values themselves."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.clustering.cluster_costs import cheapest_merges, disperse, reach_cost
from shoal.kernels.clustering.greedy_clusters import extend_cluster, farthest_cell, grow_clusters

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
NUMBERS = [np.nan, 0.0, 1.0, 3.0, 8.0]
"""The values 0 to 4; the first is missing."""
LEVELS = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]]
"""The labels of the values 5 to 8: the first two have one in common below the root."""
RULER = (
    np.array([*NUMBERS, *[np.nan] * 4]),
    np.array([[0] * 5 + level for level in LEVELS], np.int32),
    np.array([8.0, 1.0]),
    np.array([0, 2]),
    np.array([0, 5, 9]),
)
Record = tuple[int, int, int]
"""A number, a category and what is sensitive."""
RECORDS = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 8), st.integers(0, 3)), min_size=1, max_size=14)


def cost(records: list[Record]) -> float:
    held = {NUMBERS[number] for number, _, _ in records}
    apart = 0.0 if len(held) == 1 else 1.0 if any(np.isnan(list(held))) else (max(held) - min(held)) / 8
    words = {word - 5 for _, word, _ in records}
    return apart + next(level for level in range(3) if len({LEVELS[level][word] for word in words}) == 1) / 2


def layout(records: list[Record]) -> tuple[np.ndarray, ...]:
    """Sorted records, whose places are their numbers."""
    assert records == sorted(records)
    kinds = sorted({record[:2] for record in records})
    cells = sorted(set(records))
    return (
        np.array(kinds, np.int64),
        np.searchsorted([kinds.index(cell[:2]) for cell in cells], np.arange(len(kinds) + 1)),
        np.arange(len(records)),
        np.array([*(records.index(cell) for cell in cells), len(records)]),
        np.array([[cell[2]] for cell in cells], np.int64),
        np.bincount([record[2] for record in records], minlength=4),
    )


def grown(run: Runner, records: list[Record], least: int, fewest: int, sparing: bool):
    made = layout(records)
    taken = np.zeros(len(made[4]), np.int64)
    cells, ends, seed = run(grow_clusters)(made, RULER, taken, np.array([least]), fewest, sparing, 0, len(records))
    return made, taken, cells, ends, seed


@COMPILED
@settings(max_examples=40, deadline=None)
@given(records=RECORDS, least=st.integers(0, 3), fewest=st.integers(1, 4), sparing=st.booleans())
def test_every_cluster_that_ends_has_enough_records_and_things(run, records, least, fewest, sparing) -> None:
    records = sorted(records)
    made, taken, cells, ends, seed = grown(run, records, least, fewest, sparing)
    for begin, end in itertools.pairwise([0, *ends]):
        assert end - begin >= fewest
        assert len({made[4][cell, 0] for cell in cells[begin:end]}) >= least
    assert np.bincount(cells, minlength=len(taken)).tolist() == taken.tolist()
    assert (taken <= np.diff(made[3])).all(), "no record is taken twice"
    assert seed == -1, "growth goes on to the end"


@COMPILED
@settings(max_examples=40, deadline=None)
@given(records=RECORDS, fewest=st.integers(1, 4))
def test_each_record_that_fills_a_cluster_costs_it_least(run, records, fewest) -> None:
    records = sorted(records)
    made, _, cells, ends, _ = grown(run, records, 0, fewest, sparing=False)
    kinds = sorted(set(records))
    left, cluster = list(records), []
    for n, cell in enumerate(cells):
        if n in {0, *ends.tolist()}:
            seed_costs = [cost([*cluster, record]) for record in left] if cluster else [0.0]
            assert not cluster or cost([*cluster, kinds[cell]]) == max(seed_costs), "the farthest is the next seed"
            cluster = []
        else:
            assert cost([*cluster, kinds[cell]]) == min(cost([*cluster, record]) for record in left)
        cluster.append(kinds[cell])
        left.remove(kinds[cell])
    assert len(made[5]) == 4


@COMPILED
@settings(max_examples=40, deadline=None)
@given(records=RECORDS, data=st.data(), wanted=st.integers(0, 6))
def test_a_cluster_is_extended_by_what_it_has_least_of(run, records, data, wanted) -> None:
    records = sorted(records)
    made = layout(records)
    kinds = sorted(set(records))
    members = data.draw(st.lists(st.sampled_from(range(len(kinds))), min_size=1, max_size=3, unique=True))
    taken = np.zeros(len(kinds), np.int64)
    taken[members] = 1
    far = run(farthest_cell)(made, RULER, taken.copy(), np.array(members))
    cells = run(extend_cluster)(made, RULER, taken, np.array(members), wanted)
    cluster, left = [kinds[cell] for cell in members], list(records)
    for cell in members:
        left.remove(kinds[cell])
    assert (far < 0) == (not left)
    if left:
        assert cost([*cluster, kinds[far]]) == max(cost([*cluster, record]) for record in left)
    assert len(cells) == min(wanted, len(left))
    for cell in cells:

        def first(record: Record) -> tuple[float, float]:
            held = sum(other[2] == record[2] for other in cluster)
            return held / sum(other[2] == record[2] for other in records), cost([*cluster, record])

        assert first(kinds[cell]) == min(map(first, left))
        cluster.append(kinds[cell])
        left.remove(kinds[cell])


@st.composite
def clusters(draw: st.DrawFn) -> list[list[Record]]:
    return draw(st.lists(st.lists(RECORDS.map(lambda some: some[0]), min_size=1, max_size=3), min_size=1, max_size=5))


def extents(groups: list[list[Record]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    values = [np.array(group)[:, :2] for group in groups]
    lows, highs = ([how(each, axis=0) for each in values] for how in (np.min, np.max))
    return np.array(lows), np.array(highs), np.array([len(group) for group in groups])


@COMPILED
@settings(max_examples=40, deadline=None)
@given(groups=clusters(), left=RECORDS)
def test_what_is_left_joins_where_the_total_grows_least(run, groups, left) -> None:
    joined = run(disperse)(RULER, np.array(left, np.int64)[:, :2], *extents(groups))
    groups = [list(group) for group in groups]
    for record, place in zip(left, joined.tolist(), strict=True):
        growths = [(len(g) + 1) * cost([*g, record]) - len(g) * cost(g) for g in groups]
        assert growths[place] == min(growths)
        assert place == growths.index(min(growths)), "the first of several"
        groups[place].append(record)


@COMPILED
@settings(max_examples=40, deadline=None)
@given(groups=clusters())
def test_a_cluster_is_merged_where_the_total_grows_least(run, groups) -> None:
    chosen = np.arange(len(groups))
    merged = run(cheapest_merges)(RULER, *extents(groups), chosen)
    for place, other in enumerate(merged.tolist()):
        if len(groups) == 1:
            assert other == -1
            continue
        own = groups[place]
        totals = {
            g: len(own + groups[g]) * cost(own + groups[g]) - len(groups[g]) * cost(groups[g]) for g in chosen.tolist()
        }
        del totals[place]
        assert other != place
        assert totals[other] == pytest.approx(min(totals.values()))


@COMPILED
@given(one=RECORDS.map(lambda some: some[0]), other=RECORDS.map(lambda some: some[0]))
def test_the_reach_from_one_value_to_another_costs_what_both_have_in_common(run, one, other) -> None:
    costs = [run(reach_cost)(RULER, a, min(one[a], other[a]), max(one[a], other[a])) for a in range(2)]
    assert sum(costs) == cost([one, other])
