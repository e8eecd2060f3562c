"""What sets lack of the spread that is asked, against fractions worked out value by value."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.lacking_spread import READINGS, lacking_spread

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Values = list[int | None]
FARTHEST, LOWEST = 5, 1
"""Ratings 1…5: a missing one is 5 from any other, and the lowest is one step above 0."""


def squared_spread(values: Values, reading: str) -> Fraction | None:
    """By the definitions of the papers; None where nobody has a value."""
    here, size = [Fraction(value) for value in values if value is not None], len(values)
    if reading == "pairwise":
        total = Fraction(0)
        for i, one in enumerate(values):
            for j, other in enumerate(values):
                if i != j:
                    total += FARTHEST**2 if one is None or other is None else (one - other) ** 2
        return total / 2 / size**2
    if not here:
        return None
    mean = sum(here, Fraction(0)) / len(here)
    deviations = sum(((value - mean) ** 2 for value in here), Fraction(0))
    if reading == "null-as-zero":
        deviations += (size - len(here)) * (mean + LOWEST) ** 2
    return deviations / (len(here) if reading == "non-null" else size)


def lack_of(rows: list[Values], needs: list[tuple[str, Fraction, bool]]) -> Fraction:
    total = Fraction(0)
    for column in zip(*rows, strict=True):
        for reading, target, accept in needs:
            square = squared_spread(list(column), reading)
            if square is None and accept:
                continue
            total += max(1 - (square or 0) / target, Fraction(0))
    return total


ROW = st.tuples(*[st.none() | st.integers(0, 4)] * 2).map(list)
NEEDS = st.lists(
    st.tuples(st.sampled_from(READINGS), st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(9, 4)]), st.booleans()),
    max_size=3,
)


@COMPILED
@given(rows=st.lists(ROW, min_size=2, max_size=6), more=ROW, needs=NEEDS, add=st.booleans(), take=st.booleans())
def test_it_is_the_share_that_is_missing(run: Callable, rows, more, needs, add: bool, take: bool) -> None:
    every = [*rows, more]
    amounts = np.array(
        [[1, *(v is not None for v in row), *(v or 0 for v in row), *((v or 0) ** 2 for v in row)] for row in every],
        np.int64,
    )
    after = (rows[1:] if take else rows) + ([more] if add else [])
    published = np.array(
        [(READINGS.index(reading), float(target), accept, FARTHEST, LOWEST) for reading, target, accept in needs]
    ).reshape(-1, 5)
    found = run(lacking_spread)(
        amounts[:-1].sum(axis=0),
        amounts,
        len(every) - 1 if add else -1,
        0 if take else -1,
        published.astype(np.float64),
    )
    expected = lack_of(after, needs)
    assert found == pytest.approx(float(expected))
    assert (found == 0) == (expected == 0), "edges are met exactly"
