"""The kernels behind groups by similarity, against plain sums and an assignment by hand."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.clustering.bounded_groups import (
    BEYOND,
    CONCAVE,
    HALVES,
    SQUARES,
    dissimilarities,
    fill_groups,
    padded_rows,
)

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
SEEDS = st.integers(0, 2**32)


def penalized(difference: float, penalty: int, limit: float, largest: float) -> float:
    """One item, in double precision."""
    if penalty == BEYOND:
        return float(difference > limit)
    if penalty == HALVES:
        return math.floor(difference / 0.5) / (largest / 0.5)
    share = difference / largest
    return share**2 if penalty == SQUARES else 2 * share - share**2


@COMPILED
@pytest.mark.parametrize("penalty", [BEYOND, HALVES, SQUARES, CONCAVE])
@given(n=st.integers(1, 20), m=st.integers(1, 6), width=st.integers(0, 9), limit=st.sampled_from([0.5, 1]), seed=SEEDS)
def test_dissimilarities_are_mean_penalties(run: Runner, penalty: int, n, m, width, limit, seed) -> None:
    """Values are quarters, so that what lies exactly on a border does so in single precision too."""
    chance = np.random.default_rng(seed)
    rows, others = ((chance.integers(0, 17, (count, width)) / 4).astype(np.float32) for count in (n, m))
    made = run(dissimilarities)(rows, others, penalty, limit, 4.0)
    for i in range(n):
        for j in range(m):
            apart = [abs(float(a) - float(b)) for a, b in zip(rows[i], others[j], strict=True)]
            expected = sum(penalized(each, penalty, limit, 4) for each in apart) / max(width, 1)
            assert made[i, j] == pytest.approx(expected, abs=1e-5)
            assert 0 <= made[i, j] <= 1


@COMPILED
@given(
    n=st.integers(1, 8),
    m=st.integers(1, 9),
    width=st.integers(0, 3),
    share=st.floats(0, 1),
    known=st.booleans(),
    seed=SEEDS,
)
def test_padded_rows_are_products_kept_to_the_scale_with_known_values_in_place(
    run: Runner, n, m, width, share, known, seed
) -> None:
    chance = np.random.default_rng(seed)
    left, right = (chance.normal(2, 2, (count, width)).astype(np.float32) for count in (n, m))
    mask, codes = chance.random((n, m)) < share, chance.integers(0, 5, (n, m)).astype(np.uint8)
    indptr = np.concatenate([[0], np.cumsum(mask.sum(axis=1))])
    users = chance.integers(0, n, 5)
    made = run(padded_rows)(indptr, np.nonzero(mask)[1].astype(np.int32), codes[mask], left, right, users, 4.0, known)
    for i, user in enumerate(users):
        for item in range(m):
            product = sum(float(a) * float(b) for a, b in zip(left[user], right[item], strict=True))
            there = known and mask[user, item]
            assert made[i, item] == pytest.approx(codes[user, item] if there else min(max(product, 0), 4), abs=1e-4)


@COMPILED
@given(size=st.integers(1, 5), groups=st.integers(1, 5), more=st.integers(0, 4), seed=SEEDS)
def test_rows_go_to_the_nearest_group_with_room(run: Runner, size: int, groups: int, more: int, seed: int) -> None:
    n = size * groups + min(more, size - 1)
    apart = np.random.default_rng(seed).integers(0, 6, (n, groups))
    labels = run(fill_groups)(np.argsort(apart, axis=None, kind="stable"), n, groups, size).tolist()
    pairs = sorted((apart[row, group], row, group) for row in range(n) for group in range(groups))
    expected: dict[int, int] = {}
    for _, row, group in pairs:
        if row not in expected and list(expected.values()).count(group) < size:
            expected[row] = group
    for row in set(range(n)) - set(expected):
        expected[row] = int(apart[row].argmin())
    assert labels == [expected[row] for row in range(n)]
    counts = np.bincount(labels, minlength=groups)
    assert counts.min() >= size
    assert counts.max() < 2 * size or size == 1
