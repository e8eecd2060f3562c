"""Wilson's interval: its ends are where the rate is just 1.96 standard errors away."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.attacks.base import wilson_interval


@given(st.floats(0, 1), st.integers(1, 10**9))
def test_the_ends_are_the_means_from_which_the_rate_is_just_unlikely(rate, n):
    low, high = wilson_interval(rate, n)
    assert 0 <= low <= rate <= high <= 1
    for end in (low, high):
        assert abs(rate - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / n), abs=1e-7)


@pytest.mark.parametrize(
    ("rate", "n", "low", "high"), [(0.5, 10, 0.2366, 0.7634), (0, 10, 0, 0.2775), (1, 100, 0.9630, 1)]
)
def test_well_known_intervals(rate, n, low, high):
    assert wilson_interval(rate, n) == pytest.approx((low, high), abs=5e-5)


def test_nobody_tells_nothing():
    assert wilson_interval(0.0, 0) == (0.0, 1.0)
