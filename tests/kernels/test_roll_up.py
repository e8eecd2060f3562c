"""Rolling up does what dictionaries of tuples do."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.roll_up import merge_counts, roll_up

BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


@BOTH
@pytest.mark.filterwarnings("ignore:overflow encountered")
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=20),
    maps=st.tuples(*[st.tuples(*[st.integers(0, 3)] * 4)] * 3),
)
def test_rows_that_become_alike_get_one_number(run, rows, maps) -> None:
    codes = np.array(rows, np.int32).reshape(-1, 3)
    flat, begins = np.array(maps, np.int32).ravel(), np.arange(4) * 4
    told, labels = run(roll_up)(codes, flat, begins)
    expected = [tuple(column[code] for column, code in zip(maps, row, strict=True)) for row in rows]
    assert [tuple(line) for line in told.tolist()] == list(dict.fromkeys(expected))
    assert [tuple(told[label]) for label in labels] == expected


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
