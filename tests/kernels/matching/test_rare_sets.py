"""How many rare sets each column is in, beside a count of all sets."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import RankedRows, RatingMatrix, Vocabulary
from shoal.kernels.matching.rare_sets import count_rare_sets

ROWS = st.lists(st.frozensets(st.integers(0, 4)), min_size=1, max_size=10)


def smallest_rare(rows: list[frozenset[int]], fewest: list[int]) -> list[frozenset[int]]:
    """Every set that too few rows have and whose beginnings, the rarest column first, enough rows have."""
    have = Counter(item for row in rows for item in row)
    order = sorted(range(5), key=lambda item: (have[item], item))
    found = []
    for size in range(1, len(fewest) + 1):
        for some in itertools.combinations(order, size):
            holders = [sum(set(some[:n]) <= row for row in rows) for n in range(1, size + 1)]
            if 0 < holders[-1] < fewest[size - 1] and all(h >= fewest[n] for n, h in enumerate(holders[:-1])):
                found.append(frozenset(some))
    return found


@pytest.mark.parametrize("kernel", [count_rare_sets, count_rare_sets.py_func], ids=["compiled", "plain"])
@given(ROWS, st.integers(2, 4), st.integers(0, 2), st.integers(1, 4))
def test_each_column_is_counted_in_its_smallest_rare_sets(kernel, rows, k, less, size):
    fewest = [k] + [max(k - less, 1)] * (size - 1)
    dense = np.array([[0 if item in row else -1 for item in range(5)] for row in rows], np.int32)
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(5), dense)
    ranked = RankedRows.of(matrix, np.arange(len(rows)), np.ones(len(rows), np.int64))
    expected = Counter(item for some in smallest_rare(rows, fewest) for item in some)
    asked = *ranked.arrays, 0, 5, np.array(fewest, np.int64)
    counts = kernel(*asked, False)
    assert {int(ranked.items[rank]): int(n) for rank, n in enumerate(counts) if n} == dict(expected)
    assert kernel(*asked, True).any() == bool(expected)
