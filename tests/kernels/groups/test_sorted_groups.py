"""Groups of sorted rows, and how far they exceed all records, against loops over lists."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.sorted_groups import excess_over_all, groups_of_sorted

LARGE = (2**63 - 1) // 5
ROWS = st.lists(
    st.tuples(st.one_of(st.integers(0, 4), st.integers(LARGE - 2, LARGE - 1)), st.integers(0, 4), st.integers(1, 9))
)


@pytest.mark.parametrize("kernel", [groups_of_sorted, groups_of_sorted.py_func], ids=["compiled", "plain"])
@given(rows=ROWS, alone=st.booleans())
def test_groups_and_values_are_counted(kernel, rows, alone) -> None:
    rows = sorted(rows)
    numbers = np.array([5 * group + value for group, value, _ in rows], np.uint64)
    records = np.array([] if alone else [records for *_, records in rows], np.int64)
    groups, sizes, indptr, values, counts = kernel(numbers, records, 5)
    expected: dict[int, Counter[int]] = {}
    for group, value, amount in rows:
        expected.setdefault(group, Counter())[value] += 1 if alone else amount
    assert groups.tolist() == list(expected)
    assert sizes.tolist() == [sum(held.values()) for held in expected.values()]
    pairs = list(zip(values.tolist(), counts.tolist(), strict=True))
    assert [pairs[indptr[i] : indptr[i + 1]] for i in range(len(groups))] == [
        sorted(held.items()) for held in expected.values()
    ]


@pytest.mark.parametrize("kernel", [excess_over_all, excess_over_all.py_func], ids=["compiled", "plain"])
@given(
    held=st.lists(st.dictionaries(st.integers(0, 3), st.integers(1, 50), max_size=4), max_size=5),
    totals=st.lists(st.integers(0, 10**6), min_size=4, max_size=4),
)
def test_excess_is_that_of_each_value(kernel, held, totals) -> None:
    pairs = [sorted(group.items()) for group in held]
    indptr = np.cumsum([0, *map(len, pairs)]).astype(np.int64)
    values = np.array([value for group in pairs for value, _ in group], np.int32)
    counts = np.array([count for group in pairs for _, count in group], np.int64)
    found = kernel(indptr, values, counts, np.array(totals, np.int64))
    assert found.tolist() == [
        sum(max(0, count * sum(totals) - totals[value] * sum(group.values())) for value, count in group.items())
        for group in held
    ]
