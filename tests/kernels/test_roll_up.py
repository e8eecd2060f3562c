"""Rolling up does what dictionaries of tuples do."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.roll_up import add_in_place, merge_counts, packed_rows, roll_up

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
    expected = [tuple(column[code] for column, code in zip(maps, row, strict=True)) for row in rows]
    told, labels = run(roll_up)(codes, flat, begins)
    assert [tuple(line) for line in told.tolist()] == list(dict.fromkeys(expected))
    assert [tuple(told[label]) for label in labels] == expected
    worth = np.concatenate([16 * flat[8:12].astype(np.int64), flat[:4].astype(np.int64)])
    packed = run(packed_rows)(codes, np.array([2, 0]), worth, np.array([0, 4]))
    assert packed.tolist() == [16 * c + a for a, _, c in expected]


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


@BOTH
@given(pairs=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9))), dtype=st.sampled_from([np.int32, np.int64]))
def test_amounts_are_added_in_place(run, pairs, dtype) -> None:
    out = np.zeros(7, dtype)
    keys, amounts = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    run(add_in_place)(keys, amounts, out)
    assert out.tolist() == [sum(amount for key, amount in pairs if key == place) for place in range(7)]
