"""Numbers in the order of first sight are what a dictionary would give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.numbering import first_seen, run_starts


@pytest.mark.parametrize("kernel", [first_seen, first_seen.py_func], ids=["compiled", "plain"])
@given(batches=st.lists(st.lists(st.integers(0, 9), max_size=8), max_size=4))
def test_values_are_numbered_as_a_dictionary_would(kernel, batches: list[list[int]]) -> None:
    table, seen = np.full(10, -1, np.int32), 0
    known: dict[int, int] = {}
    for batch in batches:
        numbers, seen = kernel(np.array(batch, np.int16), table, seen)
        assert numbers.tolist() == [known.setdefault(value, len(known)) for value in batch]
        assert seen == len(known)


@pytest.mark.parametrize("kernel", [run_starts, run_starts.py_func], ids=["compiled", "plain"])
@given(values=st.lists(st.integers(0, 2), max_size=12), most=st.integers(0, 12))
def test_runs_start_where_a_value_differs_from_the_one_before(kernel, values: list[int], most: int) -> None:
    starts = [i for i in range(len(values)) if i == 0 or values[i] != values[i - 1]]
    assert kernel(np.array(values, np.int32), most).tolist() == (starts if len(starts) <= most else [])
