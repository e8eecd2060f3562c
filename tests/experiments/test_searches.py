"""All ways to decide (k,ε,l) that the experiments compare say the same."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.satisfaction._searches import GROUPS, MATRIX, PAIRWISE, SLICING, cost_of_deciding, decided
from shoal.datasets import generate_survey


@given(
    st.integers(4, 40),  # fewer than k are refused
    st.integers(2, 6),
    st.integers(0, 1000),
    st.sampled_from([0.0, 0.3]),
    st.integers(2, 4),
    st.integers(0, 7),
    st.sampled_from([None, Fraction(1, 2), Fraction(3, 2)]),
)
def test_the_matrix_decides_as_the_searches_do(records, issues, seed, nulls, k, epsilon, spread) -> None:
    ratings = generate_survey(records, issues, 1, seed, nulls)
    verdicts = [decided(ratings, search, k, Fraction(epsilon), spread) for search in (MATRIX, PAIRWISE, SLICING)]
    assert len({verdict.holds for verdict in verdicts}) == 1
    for verdict in verdicts[1:]:
        assert verdict.level == verdicts[0].level
        assert np.array_equal(verdict.violating, verdicts[0].violating)


@pytest.mark.parametrize("search", [SLICING, GROUPS, PAIRWISE, MATRIX])
def test_what_it_takes_is_measured(search) -> None:
    cost, verdict = cost_of_deciding(generate_survey(50, 5, 1, 0), search, 5, 1, 1)
    assert cost.seconds > 0
    assert cost.mib >= 0
    assert verdict.violations <= 50
