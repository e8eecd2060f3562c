"""The kernel that finds where the nearest on two sides meet, against sorting all records."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.neighbors.nearest_records import meeting_neighbors

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
LABELS = 3


def standing(apart: list[int], wanted: int) -> list[int]:
    """Of each record whether it is nearer than the last that is taken (2), as near (1) or farther."""
    limit = sorted(apart)[wanted - 1]
    return [2 if distance < limit else 1 if distance == limit else 0 for distance in apart]


@st.composite
def sides(draw: st.DrawFn, n: int, asked: int) -> tuple:
    """Records with labels in up to two columns, and the distances of those who are asked for to every label."""
    width = draw(st.integers(1, 2))
    labels = draw(st.lists(st.tuples(*[st.integers(0, LABELS - 1)] * width), min_size=n, max_size=n))
    gaps = draw(st.lists(st.integers(0, 2), min_size=asked * width * LABELS, max_size=asked * width * LABELS))
    return labels, np.array(gaps, np.int32).reshape(asked, width, LABELS)


@COMPILED
@given(n=st.integers(1, 6), asked=st.integers(1, 3), data=st.data())
def test_records_are_counted_by_how_near_they_are_on_both_sides(run: Callable, n: int, asked: int, data) -> None:
    wanted = data.draw(st.integers(1, n))
    own = data.draw(st.lists(st.integers(0, n - 1), min_size=asked, max_size=asked))
    given_sides = [data.draw(sides(n, asked)) for _ in range(2)]
    arguments, class_of, starts = [], [], []
    for labels, gaps in given_sides:
        distinct = sorted(set(labels))
        class_of.append(np.array([distinct.index(label) for label in labels]))
        sizes = np.bincount(class_of[-1])
        arguments.append((gaps.ravel(), np.array(distinct, np.int32), sizes))
        starts.append(np.arange(gaps.shape[0] * gaps.shape[1]).reshape(gaps.shape[:2]) * LABELS)
    pairs = sorted(set(zip(*(each.tolist() for each in class_of), strict=True)))
    begins = np.searchsorted([one for one, _ in pairs], np.arange(len(arguments[0][2]) + 1))
    both = list(zip(*(each.tolist() for each in class_of), strict=True))
    counts = np.array([both.count(pair) for pair in pairs])
    owners = np.stack([each[own] for each in class_of], axis=1)
    others = np.array([other for _, other in pairs])
    published = run(meeting_neighbors)(*arguments, (begins, others, counts), *starts, owners, wanted)
    for i in range(asked):
        by_side = []
        for labels, gaps in given_sides:
            apart = [sum(int(gaps[i, at, label]) for at, label in enumerate(record)) for record in labels]
            by_side.append(standing(apart, wanted))
        left, right = by_side
        near_and_tied = [side.count(how) for side in by_side for how in (2, 1)]
        met = list(zip(left, right, strict=True))
        expected = [*near_and_tied, *(met.count(pair) for pair in ((2, 2), (2, 1), (1, 2), (1, 1)))]
        assert published[i].tolist() == [*expected, left[own[i]], right[own[i]]]


def test_nobody_has_a_record_where_none_is_named() -> None:
    side = (np.zeros(1, np.int32), np.zeros((1, 1), np.int32), np.array([4]))
    pairs = (np.array([0, 1]), np.array([0]), np.array([4]))
    start = np.zeros((1, 1), np.int64)
    published = meeting_neighbors(side, side, pairs, start, start, np.array([[-1, -1]]), 1)
    assert published.tolist() == [[0, 4, 0, 4, 0, 0, 0, 4, 0, 0]]
