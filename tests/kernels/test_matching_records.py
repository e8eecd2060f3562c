"""Counting records that agree with what is known, against going through dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching_records import count_matching

ITEMS, VALUES = 5, 4
ROW = st.dictionaries(st.integers(0, ITEMS - 1), st.integers(0, VALUES - 1))


def compressed(rows):
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    cells = [cell for row in rows for cell in sorted(row.items())]
    return indptr, np.array([c for c, _ in cells], np.int32), np.array([v for _, v in cells], np.uint8)


@pytest.mark.parametrize("kernel", [count_matching, count_matching.py_func], ids=["compiled", "plain"])
@given(rows=st.lists(ROW, min_size=1, max_size=7), width=st.integers(1, 3), data=st.data())
def test_people_behind_records_that_agree_are_counted(kernel, rows, width, data):
    people = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    item = st.integers(0, ITEMS - 1)
    bound = st.integers(-1, VALUES)
    line = st.tuples(*[st.tuples(item, bound, bound)] * width)
    target = st.tuples(line, st.integers(-1, len(rows) - 1))
    targets = data.draw(st.lists(target, max_size=5))
    lines = np.array([line for line, _ in targets], np.int64).reshape(len(targets), width, 3)
    raters = [{i: row[c] for i, row in enumerate(rows) if c in row} for c in range(ITEMS)]
    own = np.array([row for _, row in targets], np.int64)
    known = lines[:, :, 0].astype(np.int32)
    found, matches = kernel(
        *compressed(rows), *compressed(raters)[:2], np.array(people), known, lines[:, :, 1], lines[:, :, 2], own
    )
    expected = [
        [i for i, row in enumerate(rows) if all(c in row and low <= row[c] <= high for c, low, high in line)]
        for line, _ in targets
    ]
    assert found.tolist() == [sum(people[i] for i in fitting) for fitting in expected]
    assert matches.tolist() == [row in fitting for (_, row), fitting in zip(targets, expected, strict=True)]
