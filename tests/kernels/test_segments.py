"""The kernels on segments of an ordering, against lists of lists."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.kernels.groups import segments as kernels


class Cut(NamedTuple):
    """An ordering in segments, and a code a row."""

    order: np.ndarray
    begins: np.ndarray
    chosen: np.ndarray
    codes: np.ndarray

    def rows(self, segment: int) -> list[int]:
        return self.order[self.begins[segment] : self.begins[segment + 1]].tolist()

    def codes_of(self, segment: int) -> list[int]:
        return [int(self.codes[row]) for row in self.rows(segment)]


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    n = sum(sizes)
    order = draw(st.permutations(range(n)))
    codes = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    chosen = draw(st.lists(st.integers(0, len(sizes) - 1), unique=True))
    return Cut(np.array(order, np.int64), np.cumsum([0, *sizes]), np.array(chosen, np.int64), np.array(codes, np.int32))


def wide(cut: Cut) -> Cut:
    """The same with only those segments chosen that hold two different codes."""
    return cut._replace(chosen=np.array([s for s in cut.chosen if len(set(cut.codes_of(s))) > 1], np.int64))


MAPS = np.array([[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]], np.int32)
BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


@BOTH
@given(cut=cuts())
def test_ranges_are_the_smallest_and_largest_codes(run, cut):
    low, high = run(kernels.segment_ranges)(cut.order, cut.begins, cut.chosen, cut.codes)
    assert low.tolist() == [min(cut.codes_of(s)) for s in cut.chosen]
    assert high.tolist() == [max(cut.codes_of(s)) for s in cut.chosen]


@BOTH
@given(cut=cuts())
def test_common_levels_are_the_lowest_that_tell_all_alike(run, cut):
    levels = run(kernels.common_levels)(cut.order, cut.begins, cut.chosen, cut.codes, MAPS)
    expected = [
        next(level for level in range(4) if len({MAPS[level, code] for code in cut.codes_of(s)}) == 1)
        for s in cut.chosen
    ]
    assert levels.tolist() == expected


@given(cut=cuts())
def test_common_levels_are_the_same_with_threads(cut):
    alone = kernels.common_levels(cut.order, cut.begins, cut.chosen, cut.codes, MAPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_WORTH_THREADS", 0)
        assert (
            kernels.common_levels.py_func(cut.order, cut.begins, cut.chosen, cut.codes, MAPS).tolist() == alone.tolist()
        )
    many = np.concatenate([cut.order, np.zeros(200_000, np.int64)])
    assert kernels.common_levels(many, cut.begins, cut.chosen, cut.codes, MAPS).tolist() == alone.tolist()


@BOTH
@given(cut=cuts())
def test_a_strict_cut_parts_no_equals_and_balances_best(run, cut):
    cut = wide(cut)
    part = np.full(len(cut.order), -1, np.int64)
    run(kernels.cut_at_middle)(cut.order, cut.begins, cut.chosen, cut.codes, False, part)
    for s in cut.chosen:
        parts, codes = part[cut.begins[s] : cut.begins[s + 1]].tolist(), cut.codes_of(s)
        low = [code for code, side in zip(codes, parts, strict=True) if side == 0]
        high = [code for code, side in zip(codes, parts, strict=True) if side == 1]
        assert low
        assert high
        assert max(low) < min(high)
        imbalances = [
            abs(sum(code < border for code in codes) - sum(code >= border for code in codes))
            for border in sorted(set(codes))[1:]
        ]
        assert abs(len(low) - len(high)) == min(imbalances)


@BOTH
@given(cut=cuts())
def test_a_relaxed_cut_halves_and_keeps_the_order_of_codes(run, cut):
    cut = wide(cut)
    part = np.full(len(cut.order), -1, np.int64)
    run(kernels.cut_at_middle)(cut.order, cut.begins, cut.chosen, cut.codes, True, part)
    for s in cut.chosen:
        parts, codes = part[cut.begins[s] : cut.begins[s + 1]].tolist(), cut.codes_of(s)
        low = sorted(code for code, side in zip(codes, parts, strict=True) if side == 0)
        high = sorted(code for code, side in zip(codes, parts, strict=True) if side == 1)
        assert len(low) == len(codes) // 2
        assert low + high == sorted(codes)


@given(cut=cuts())
def test_places_outside_the_chosen_segments_are_not_touched(cut):
    cut = wide(cut)
    part = np.full(len(cut.order), -1, np.int64)
    kernels.cut_at_middle(cut.order, cut.begins, cut.chosen, cut.codes, False, part)
    for s in set(range(len(cut.begins) - 1)) - set(cut.chosen.tolist()):
        assert (part[cut.begins[s] : cut.begins[s + 1]] == -1).all()


@BOTH
@given(cut=cuts(), level=st.integers(0, 2))
def test_a_cut_by_level_numbers_the_branches_that_occur(run, cut, level):
    part = np.full(len(cut.order), -1, np.int64)
    levels = np.full(len(cut.chosen), level, np.int64)
    run(kernels.cut_by_level)(cut.order, cut.begins, cut.chosen, cut.codes, MAPS, levels, part)
    for s in cut.chosen:
        branches = [int(MAPS[level, code]) for code in cut.codes_of(s)]
        expected = [sorted(set(branches)).index(branch) for branch in branches]
        assert part[cut.begins[s] : cut.begins[s + 1]].tolist() == expected


@BOTH
@given(cut=cuts(), data=st.data())
def test_parts_are_counted_listed_and_put_in_order(run, cut, data):
    """Every segment that is not chosen stays whole; the others become as many as they have parts, in order."""
    part = np.zeros(len(cut.order), np.int64)
    for s in cut.chosen:
        size = int(cut.begins[s + 1] - cut.begins[s])
        drawn = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        assume(set(drawn) == set(range(max(drawn) + 1)))
        part[cut.begins[s] : cut.begins[s + 1]] = drawn
    sizes = run(kernels.part_sizes)(cut.begins, cut.chosen, part)
    assert sizes.tolist() == [max(part[cut.begins[s] : cut.begins[s + 1]]) + 1 for s in cut.chosen]

    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows, labels = run(kernels.segment_rows)(cut.order, cut.begins, cut.chosen, part, offsets)
    assert rows.tolist() == [row for s in cut.chosen for row in cut.rows(s)]
    assert labels.tolist() == [
        int(offsets[i] + part[place])
        for i, s in enumerate(cut.chosen)
        for place in range(cut.begins[s], cut.begins[s + 1])
    ]

    parts = np.ones(len(cut.begins) - 1, np.int64)
    parts[cut.chosen] = sizes
    order, begins = run(kernels.reordered)(cut.order, cut.begins, parts, part)
    made = [order[begin:end].tolist() for begin, end in itertools.pairwise(begins)]
    expected = []
    for s in range(len(parts)):
        places = range(cut.begins[s], cut.begins[s + 1])
        expected += [[int(cut.order[p]) for p in places if part[p] == side] for side in range(parts[s])]
    assert made == expected
