"""Sets of records that could be lifted: each can be taken, is large enough, and no single record is forgotten."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.lift_candidates import lift_candidates

BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
VALUES = np.array([[0, 3], [1, 3], [2, 4]], np.int64)
WORTH = np.array([[0, 0.5, 1, 0, 1], [0.2, 0.3, 0.5, 0.5, 0.5]])


@st.composite
def cells(draw: st.DrawFn):
    """Groups of parts of cells: where each group begins, and of each cell its part, its kind and its records."""
    begins, parts, kinds, counts, n_parts = [0], [], [], [], 0
    for _ in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(0, 3))):
            for kind in sorted(draw(st.sets(st.integers(0, 2)))):
                parts.append(n_parts)
                kinds.append(kind)
                counts.append(draw(st.integers(1, 3)))
            n_parts += 1
        begins.append(len(parts))
    spare = draw(st.lists(st.integers(1, 4), min_size=n_parts, max_size=n_parts))
    needed = draw(st.lists(st.integers(1, 4), min_size=len(begins) - 1, max_size=len(begins) - 1))
    back = draw(
        st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=len(needed), max_size=len(needed))
    )
    found = tuple(np.array(each, np.int64) for each in (begins, parts, kinds, counts))
    return found, np.array(spare, np.int64), np.array(needed, np.int64), np.array(back, np.int64)


def sets_of(run, drawn) -> list[tuple[int, list[int]]]:
    found, spare, needed, back = drawn
    values = VALUES[found[2]]
    groups, begins, chosen = run(lift_candidates)(found, spare, needed, back, values, WORTH[:, values], len(VALUES), 2)
    return [(int(g), chosen[begins[i] : begins[i + 1]].tolist()) for i, g in enumerate(groups)]


@BOTH
@given(drawn=cells())
def test_every_set_can_be_taken_and_is_large_enough(run, drawn):
    (begins, parts, _, counts), spare, needed, _ = drawn
    for group, chosen in sets_of(run, drawn):
        assert needed[group] <= len(chosen) <= needed[group] + 2
        assert all(begins[group] <= cell < begins[group + 1] for cell in chosen)
        assert all(times <= counts[cell] for cell, times in Counter(chosen).items())
        assert all(times <= spare[part] for part, times in Counter(int(parts[cell]) for cell in chosen).items())


@BOTH
@given(drawn=cells())
def test_where_one_record_may_do_every_cell_is_tried(run, drawn):
    (begins, _, _, _), _, needed, _ = drawn
    tried = sets_of(run, drawn)
    for group in np.flatnonzero(needed == 1):
        alone = {chosen[0] for own, chosen in tried if own == group and len(chosen) == 1}
        assert alone == set(range(begins[group], begins[group + 1]))


@BOTH
def test_of_many_cells_two_of_a_kind_are_tried(run):
    """Ninety parts with a record of each kind; one has most of the second, and another can spare most."""
    parts = np.repeat(np.arange(90), 3)
    counts, spare = np.ones(270, np.int64), np.ones(90, np.int64)
    counts[3 * 40 + 1], spare[50] = 5, 7
    found = (np.array([0, 270]), parts, np.tile(np.arange(3), 90), counts)
    drawn = (found, spare, np.ones(1, np.int64), np.zeros((1, 5), np.int64))
    alone = {chosen[0] for _, chosen in sets_of(run, drawn) if len(chosen) == 1}
    assert {3 * 40 + 1, 3 * 50 + 1} <= alone
    assert len(alone) <= 9


@BOTH
def test_the_first_sets_take_the_rarest_the_heaviest_and_the_most_lacking(run):
    """Among those pushed back the third value lacks, the second is rare; the third weighs most."""
    found = (np.array([0, 3]), np.zeros(3, np.int64), np.arange(3), np.full(3, 5))
    back = np.array([[4, 1, 3, 4, 4]], np.int64)
    drawn = (found, np.array([9]), np.ones(1, np.int64), back)
    lines = [chosen for _, chosen in sets_of(run, drawn) if len(chosen) == 3]
    assert [lines[0][0], lines[1][0]] == [1, 2]
