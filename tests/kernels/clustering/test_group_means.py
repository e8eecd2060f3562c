"""The kernel that takes the means of groups, against fractions."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.settled_groups import group_means

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]


@COMPILED
@given(data=st.data(), points=st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1, max_size=9))
def test_they_are_sums_by_sizes(run: Runner, data, points: list[tuple[int, int]]) -> None:
    member = st.integers(0, len(points) - 1)
    groups = data.draw(st.lists(st.lists(member, min_size=1, max_size=5), min_size=1, max_size=5))
    members = np.zeros((len(groups), 5), np.int64)
    for line, group in zip(members, groups, strict=True):
        line[: len(group)] = group
    found = run(group_means)(np.array(points, np.float32), members, np.array([len(group) for group in groups]))
    expected = [
        [np.float32(float(Fraction(sum(points[i][column] for i in group), len(group)))) for column in (0, 1)]
        for group in groups
    ]
    assert found.dtype == np.float32
    assert found.tolist() == expected
