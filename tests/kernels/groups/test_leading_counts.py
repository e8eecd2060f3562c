"""The most frequent partner is that which a counter finds."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.counts import leading_counts


@pytest.mark.parametrize(
    "run", [lambda kernel: kernel.dispatcher, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=40), st.randoms(use_true_random=False))
def test_leading_counts_are_those_of_a_counter(run, pairs, chance) -> None:
    counted = list(Counter(pairs).items())
    chance.shuffle(counted)
    one, other, counts = (
        np.array(part, np.int64)
        for part in ([a for (a, _), _ in counted], [b for (_, b), _ in counted], [count for _, count in counted])
    )
    most, mode, second = run(leading_counts)(one, other, counts, 5)
    for value in range(5):
        partners = sorted((-count, b) for (a, b), count in counted if a == value)
        first, next_ = (*partners, (0, 0), (0, 0))[:2]
        assert (most[value], mode[value], second[value]) == (-first[0], first[1], -next_[0])
