"""The kernels that number equal keys and equal rows, against dictionaries."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels import row_comparison as module
from shoal.kernels.numbering import _counts_by_parts, distinct_keys, distinct_pairs_of_codes, key_counts
from shoal.kernels.row_comparison import equal_patterns, equal_rows, number_rows, row_hashes

ROWS = st.lists(
    st.dictionaries(st.integers(0, 5), st.integers(0, 3), max_size=4).map(lambda row: tuple(sorted(row.items()))),
    max_size=12,
)


def numbered(things: list) -> tuple[list[int], int]:
    """Number things by first occurrence: the twin."""
    numbers: dict = {}
    return [numbers.setdefault(thing, len(numbers)) for thing in things], len(numbers)


def compressed(rows: list[tuple[tuple[int, int], ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    indices = np.array([index for row in rows for index, _ in row], np.int32)
    return indptr, indices, np.array([code for row in rows for _, code in row], np.uint8)


def plain(kernel: Callable) -> Callable:
    """The kernel as Python runs it; there, a product that wraps around warns."""

    def run(*arguments):
        with np.errstate(over="ignore"):
            return kernel.py_func(*arguments)  # type: ignore[attr-defined]

    return run


@pytest.mark.parametrize("kernel", [distinct_keys, plain(distinct_keys)], ids=["compiled", "plain"])
@given(keys=st.lists(st.integers(0, 3) | st.integers(0, 2**62)))
def test_equal_keys_get_equal_numbers(kernel, keys):
    labels, found = kernel(np.array(keys, np.int64))
    assert (labels.tolist(), found) == numbered(keys)


def test_keys_that_fall_into_one_slot_are_distinguished():
    """Multiples of 2⁶⁰ hash to few slots: the table must walk on and compare."""
    keys = [i << 60 for i in range(7)] * 2
    labels, found = distinct_keys(np.array(keys, np.int64))
    assert (labels.tolist(), found) == numbered(keys)


def plain_equal_rows(*rows: np.ndarray) -> tuple[np.ndarray, int]:
    return plain(number_rows)(*rows, plain(row_hashes)(*rows))


@pytest.mark.parametrize("kernel", [equal_rows, plain_equal_rows], ids=["compiled", "plain"])
@given(rows=ROWS)
def test_equal_rows_get_equal_numbers(kernel, rows):
    labels, found = kernel(*compressed(rows))
    assert (labels.tolist(), found) == numbered(rows)


@given(ROWS)
def test_equal_patterns_get_equal_numbers(rows):
    indptr, indices, _ = compressed(rows)
    labels, found = equal_patterns(indptr, indices)
    assert (labels.tolist(), found) == numbered([tuple(index for index, _ in row) for row in rows])


@given(ROWS)
def test_rows_whose_hashes_are_all_the_same_are_still_distinguished(rows):
    labels, found = number_rows(*compressed(rows), np.full(len(rows), 7, np.uint64))
    assert (labels.tolist(), found) == numbered(rows)


@given(ROWS, st.data())
def test_two_rows_are_the_same_when_they_are(rows, data):
    """The comparison behind the hash, compiled."""
    if not rows:
        return
    one, other = (data.draw(st.integers(0, len(rows) - 1)) for _ in range(2))
    assert module._same_row(*compressed(rows), one, other) == (rows[one] == rows[other])


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), max_size=60), st.sampled_from([0, 1 << 40]))
def test_keys_are_counted(keys: list[int], few: int) -> None:
    given_keys = np.array([key & ~(few - 1) if few else key for key in keys], np.int64)
    expected = sorted(Counter(given_keys.tolist()).values())
    assert sorted(key_counts(given_keys).tolist()) == expected
    assert sorted(_counts_by_parts(given_keys).tolist()) == expected


def test_many_keys_are_counted() -> None:
    keys = np.random.default_rng(1).integers(0, 1 << 62, 1 << 17)
    keys = np.concatenate([keys, keys[:1_000], np.full(50_000, 7)])
    assert sorted(key_counts(keys).tolist()) == sorted(np.unique(keys, return_counts=True)[1].tolist())


@given(st.lists(st.tuples(st.integers(0, 3) | st.integers(0, 2**31 - 1), st.integers(0, 6))), st.integers(7, 9))
def test_pairs_of_codes_are_found_once_and_in_order(pairs, width):
    first, second = (np.array([pair[side] for pair in pairs], np.int32) for side in (0, 1))
    found = distinct_pairs_of_codes(first, second, width).tolist()
    assert found == sorted({one * width + other for one, other in pairs})
