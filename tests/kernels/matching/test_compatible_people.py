"""Who of a group is compatible with what is known of one of them, counted by sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.matching_records import compatible_people

RECORD = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.integers(0, 4), st.booleans())


@pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])
@given(st.lists(RECORD, min_size=1, max_size=25), st.lists(st.booleans(), min_size=12, max_size=12))
def test_people_whom_the_value_does_not_exclude_are_counted_once(run, records, excluded) -> None:
    groups, known, read, persons = (np.array([each[at] for each in records], np.int64) for at in range(4))
    wild = np.array([each[4] for each in records])
    table = np.array(excluded).reshape(3, 4)
    order, group_offsets = np.lexsort((known, groups)), np.argsort(groups, kind="stable")
    found = run(compatible_people)(groups, known, read, persons, wild, table, order, group_offsets)
    for row, (group, value, *_) in enumerate(records):
        people = {
            person
            for where, _, other, person, is_wild in records
            if where == group and (is_wild or not table[value, other])
        }
        assert found[row] == len(people)
