"""The tree of frequent sets and what is dropped so that no other is left, against sets of Python."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.frequent_sets import extended_set, frequent_sets
from shoal.kernels.matching.rare_set_cover import dropped_entries, kept_of_rows, missing_entries, restored_entries

COLUMNS = 6
ROWS = st.lists(st.frozensets(st.integers(0, COLUMNS - 1)), min_size=1, max_size=9)
FEWEST = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(lambda some: sorted(some, reverse=True))


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


def ranked(rows: list[frozenset[int]]) -> list[list[int]]:
    """The rows with columns numbered by how many have them, the rarest 0."""
    order = sorted(range(COLUMNS), key=lambda column: (sum(column in row for row in rows), column))
    return [sorted(order.index(column) for column in row) for row in rows]


def compressed(rows: list[list[int]]) -> tuple[np.ndarray, ...]:
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    ranks = np.array([rank for row in rows for rank in row], np.int32)
    row_of = np.array([i for i, row in enumerate(rows) for _ in row], np.int32)
    places = np.argsort(ranks, kind="stable").astype(np.int64)
    begins = np.searchsorted(ranks[places], np.arange(COLUMNS + 1)).astype(np.int64)
    return starts, ranks, row_of, begins, places


def frequent(rows: list[list[int]], fewest: list[int]) -> set[tuple[int, ...]]:
    """Sets whose every beginning is in enough rows, by the number of its columns."""
    found: set[tuple[int, ...]] = set()
    for size, enough in enumerate(fewest, start=1):
        for some in itertools.combinations(range(COLUMNS), size):
            if (size == 1 or some[:-1] in found) and sum(set(some) <= set(row) for row in rows) >= enough:
                found.add(some)
    return found


def tree_of(made: tuple[np.ndarray, ...], size: int) -> tuple[np.ndarray, ...]:
    columns, levels, ends, end_levels = made
    by_level = [columns[levels == level] for level in range(size)]
    begins = [np.concatenate([[0], ends[end_levels == level]]) for level in range(size - 1)]
    firsts = [np.cumsum([0, *map(len, arrays)]).astype(np.int64) for arrays in (by_level, begins)]
    joined = np.concatenate(begins).astype(np.int64) if begins else np.zeros(0, np.int64)
    return np.concatenate(by_level).astype(np.int32), joined, *firsts


def looked_up(tree: tuple[np.ndarray, ...], some: tuple[int, ...], kernel=extended_set) -> bool:
    number = some[0]
    for level, column in enumerate(some[1:]):
        number = kernel(*tree, level, number, column)
        if number < 0:
            return False
    return True


def trees(rows: list[list[int]], fewest: list[int], kernel=frequent_sets) -> tuple[np.ndarray, ...]:
    return tree_of(kernel(*compressed(rows), 0, COLUMNS, np.array(fewest, np.int64)), len(fewest))


@both(frequent_sets)
@given(drawn=ROWS, fewest=FEWEST)
def test_the_tree_has_the_sets_that_enough_rows_have(kernel, drawn, fewest):
    rows = ranked(drawn)
    tree, expected = trees(rows, fewest, kernel), frequent(rows, fewest)
    for size in range(2, len(fewest) + 1):
        for some in itertools.combinations(range(COLUMNS), size):
            assert looked_up(tree, some) == (some in expected)


@both(extended_set)
@given(drawn=ROWS, fewest=FEWEST, some=st.sets(st.integers(0, COLUMNS - 1), min_size=2, max_size=4))
def test_a_set_is_found_if_it_is_frequent(kernel, drawn, fewest, some):
    rows, wanted = ranked(drawn), tuple(sorted(some))
    if len(wanted) <= len(fewest):
        assert looked_up(trees(rows, fewest), wanted, kernel) == (wanted in frequent(rows, fewest))


def rare_sets(row: set[int], expected: set[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    sets = [some for n in range(1, size + 1) for some in itertools.combinations(sorted(row), n)]
    return [some for some in sets if some not in expected]


def split(starts: np.ndarray, values: np.ndarray) -> list[list]:
    return [values[a:b].tolist() for a, b in itertools.pairwise(starts)]


@both(dropped_entries)
@given(drawn=ROWS, fewest=FEWEST)
def test_no_row_keeps_a_rare_set_and_rows_without_one_keep_everything(kernel, drawn, fewest):
    rows = ranked(drawn)
    expected, starts = frequent(rows, fewest), compressed(rows)[0]
    n_rare = sum((rank,) not in expected for rank in range(COLUMNS))
    dropped = kernel(starts, compressed(rows)[1], n_rare, *trees(rows, fewest), len(fewest))
    for row, gone in zip(rows, split(starts, dropped), strict=True):
        kept = {rank for rank, is_gone in zip(row, gone, strict=True) if not is_gone}
        assert not rare_sets(kept, expected, len(fewest))
        assert any(gone) == bool(rare_sets(set(row), expected, len(fewest)))


@both(restored_entries)
@given(drawn=ROWS, fewest=FEWEST, data=st.data())
def test_what_makes_no_rare_set_is_put_back(kernel, drawn, fewest, data):
    rows = ranked(drawn)
    expected, (starts, ranks, *_) = frequent(rows, fewest), compressed(rows)
    n_rare = sum((rank,) not in expected for rank in range(COLUMNS))
    tree, size = trees(rows, fewest), len(fewest)
    least = dropped_entries(starts, ranks, n_rare, *tree, size)
    more = data.draw(st.lists(st.booleans(), min_size=len(ranks), max_size=len(ranks)))
    dropped = least | np.array(more, bool)
    left = kernel(starts, ranks, dropped, n_rare, *tree, size)
    assert not (left & ~dropped).any()
    for row, gone in zip(rows, split(starts, left), strict=True):
        kept = {rank for rank, is_gone in zip(row, gone, strict=True) if not is_gone}
        assert not rare_sets(kept, expected, size)
        for rank in set(row) - kept:
            assert rare_sets(kept | {rank}, expected, size), "it could have been put back"


@both(missing_entries)
@given(drawn=ROWS, data=st.data())
def test_entries_that_the_other_matrix_lacks_are_missing(kernel, drawn, data):
    rows = [sorted(row) for row in drawn]
    parts = [[rank for rank in row if data.draw(st.booleans())] for row in rows]
    (starts, ranks, *_), (other_starts, other_ranks, *_) = compressed(rows), compressed(parts)
    missing = kernel(starts, ranks, other_starts, other_ranks)
    expected = [[rank not in part for rank in row] for row, part in zip(rows, parts, strict=True)]
    assert split(starts, missing) == expected


@both(kept_of_rows)
@given(drawn=ROWS, rank=st.permutations(range(COLUMNS)), data=st.data())
def test_what_is_dropped_from_ranks_is_dropped_from_columns(kernel, drawn, rank, data):
    columns = [sorted(row) for row in drawn]
    rows = [sorted(rank[column] for column in row) for row in columns]
    starts, ranks, *_ = compressed(rows)
    dropped = np.array(data.draw(st.lists(st.booleans(), min_size=len(ranks), max_size=len(ranks))), bool)
    indices = np.array([column for row in columns for column in row], np.int32)
    kept = kernel(starts, indices, np.array(rank, np.int32), starts, ranks, dropped)
    for row, mine, gone in zip(columns, split(starts, kept), split(starts, dropped), strict=True):
        lost = {r for r, is_gone in zip(sorted(rank[column] for column in row), gone, strict=True) if is_gone}
        assert mine == [rank[column] not in lost for column in row]
