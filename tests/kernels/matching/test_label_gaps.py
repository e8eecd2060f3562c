"""The kernel that measures how far values are from labels, against a loop over stretches in fractions."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.matching_records import UNIT, label_gaps

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
PLACE = st.integers(0, 20)
STRETCHES = st.lists(st.tuples(PLACE, PLACE).map(sorted), max_size=3)


def gap(value: int | None, stretches: list[list[int]], with_missing: bool, span: int) -> int:
    """The distance of one value to one label."""
    if value is None:
        return 0 if with_missing else UNIT
    gaps = [max(low - value, value - high, 0) for low, high in stretches]
    if 0 in gaps:
        return 0
    if not gaps or min(gaps) >= span:
        return UNIT
    return max(round(Fraction(min(gaps), span) * UNIT), 1)


@COMPILED
@given(
    values=st.lists(st.none() | PLACE, min_size=1, max_size=5),
    labels=st.lists(st.tuples(STRETCHES, st.booleans()), min_size=1, max_size=5),
    span=PLACE,
)
def test_a_gap_is_that_to_the_nearest_stretch(run: Callable, values: list, labels: list, span: int) -> None:
    begins = np.cumsum([0, *(len(stretches) for stretches, _ in labels)])
    ends = np.array([pair for stretches, _ in labels for pair in stretches], float).reshape(-1, 2)
    numbers = np.array([math.nan if value is None else value for value in values], float)
    with_missing = np.array([missing for _, missing in labels])
    published = run(label_gaps)(numbers, begins, ends[:, 0].copy(), ends[:, 1].copy(), with_missing, float(span))
    assert published.tolist() == [[gap(value, some, missing, span) for some, missing in labels] for value in values]


def test_what_is_not_covered_is_never_at_no_distance() -> None:
    published = label_gaps(np.array([0.0]), np.array([0, 1]), np.array([1.0]), np.array([1.0]), np.array([False]), 1e20)
    assert published.tolist() == [[1]]
