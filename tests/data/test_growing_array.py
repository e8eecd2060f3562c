"""An array that grows holds what was added, in one piece."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import GrowingArray

PARTS = st.lists(st.lists(st.integers(0, 255), max_size=9), max_size=9)


@given(parts=PARTS, cut=st.integers(0, 100), more=st.lists(st.integers(0, 65_535)))
def test_it_holds_what_was_added_and_not_cut_off(parts, cut, more) -> None:
    growing, expected = GrowingArray(np.uint8), []
    for part in parts:
        growing.add(np.array(part, np.uint8))
        expected += part
        assert growing.filled.tolist() == expected
    assert growing.cut(cut).tolist() == expected[:cut]
    growing.widen(np.dtype(np.uint16))
    growing.add(np.array(more, np.uint16))
    assert growing.filled.dtype == np.uint16
    assert growing.filled.tolist() == expected[:cut] + more
    assert len(growing) == len(expected[:cut]) + len(more)


def test_a_narrower_type_changes_nothing() -> None:
    growing = GrowingArray(np.uint16)
    growing.add(np.array([300], np.uint16))
    growing.widen(np.dtype(np.uint8))
    assert growing.filled.tolist() == [300]
