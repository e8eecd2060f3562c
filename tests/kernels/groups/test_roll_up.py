"""Rolling up does what dictionaries of tuples do."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.counts import add_in_places, merge_counts, roll_up, roll_up_in_places

BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


@BOTH
@pytest.mark.filterwarnings("ignore:overflow encountered")
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=20),
    maps=st.tuples(*[st.tuples(*[st.integers(0, 3)] * 4)] * 3),
)
def test_lines_that_become_alike_get_one_number(run, rows, maps) -> None:
    codes = np.ascontiguousarray(np.array(rows, np.int32).reshape(-1, 3).T)
    expected = [tuple(column[code] for column, code in zip(maps, row, strict=True)) for row in rows]
    first, labels = run(roll_up)(codes, np.array(maps, np.int32).ravel(), np.arange(3) * 4)
    distinct = list(dict.fromkeys(expected))
    assert first.tolist() == [expected.index(line) for line in distinct]
    assert labels.tolist() == [distinct.index(line) for line in expected]


@BOTH
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(1, 9)), max_size=20),
    worths=st.tuples(*[st.tuples(*[st.integers(0, 3)] * 4)] * 2),
    labeled=st.booleans(),
    times=st.sampled_from([1, 200]),  # enough to be generalized in several blocks
)
def test_lines_are_added_in_their_places(run, rows, worths, labeled, times) -> None:
    rows = rows * times
    codes = np.ascontiguousarray(np.array([row[:3] for row in rows], np.int32).reshape(-1, 3).T)
    amounts = np.array([row[3] for row in rows], np.int64)
    places = [worths[0][row[2]] + worths[1][row[0]] for row in rows]
    published = np.array([2, 0]), np.array(worths, np.int32).ravel(), np.array([0, 4])
    out = np.zeros(7, np.int64)
    run(add_in_places)(codes, *published, amounts, out)
    expected = [sum(row[3] for row, place in zip(rows, places, strict=True) if place == each) for each in range(7)]
    assert out.tolist() == expected
    labels = np.zeros(len(rows) if labeled else 0, np.int64)
    first, totals = run(roll_up_in_places)(codes, *published, amounts, np.zeros(7, np.int32), labels)
    distinct = list(dict.fromkeys(places))
    assert first.tolist() == [places.index(place) for place in distinct]
    assert totals.tolist() == [expected[place] for place in distinct]
    assert labels.tolist() == ([distinct.index(place) for place in places] if labeled else [])


@BOTH
@given(data=st.data(), n_groups=st.integers(1, 4))
def test_counts_of_values_add_up(run, data, n_groups) -> None:
    groups = data.draw(st.lists(st.dictionaries(st.integers(0, 5), st.integers(1, 9)), max_size=8))
    labels = data.draw(st.lists(st.integers(0, n_groups - 1), min_size=len(groups), max_size=len(groups)))
    indptr = np.cumsum([0, *(len(group) for group in groups)])
    pairs = [pair for group in groups for pair in sorted(group.items())]
    values, counts = np.array([v for v, _ in pairs], np.int32), np.array([c for _, c in pairs], np.int64)
    merged = run(merge_counts)(np.array(labels, np.int64), n_groups, indptr, values, counts, 6)
    for label in range(n_groups):
        expected: Counter[int] = Counter()
        for group, its in zip(groups, labels, strict=True):
            if its == label:
                expected.update(group)
        here = slice(int(merged[0][label]), int(merged[0][label + 1]))
        assert list(zip(merged[1][here].tolist(), merged[2][here].tolist(), strict=True)) == sorted(expected.items())
