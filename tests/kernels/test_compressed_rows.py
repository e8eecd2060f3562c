"""Sorting into compressed rows does what sorting and dictionaries do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels import compressed_rows as kernels

N_ROWS, N_COLUMNS = 5, 4
ENTRIES = st.lists(st.tuples(st.integers(0, N_ROWS - 1), st.integers(0, N_COLUMNS - 1), st.integers(0, 6)), max_size=40)


BOTH = pytest.mark.parametrize("run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"])


@BOTH
@given(entries=ENTRIES, split=st.integers(0, N_COLUMNS), seed=st.integers(0, 99), parts=st.integers(1, 7))
def test_triples_come_out_as_sorted_rows_with_repeats_in_their_old_order(run, entries, split, seed, parts) -> None:
    rng = np.random.default_rng(seed)
    row_map, column_map = (rng.permutation(n).astype(np.int32) for n in (N_ROWS, N_COLUMNS))
    code_map = np.array([3, -1, 0, 4, 2, -1, 1], np.int32)
    starts, rows, codes = compressed_columns(run, entries, row_map, column_map, code_map)
    kept = [(row_map[r], column_map[c], code_map[m]) for r, c, m in entries if code_map[m] >= 0]
    for first, last in ((0, split), (split, N_COLUMNS)):
        indptr, indices, out = run(kernels.rows_of_columns)(starts, rows, codes, first, last, N_ROWS, parts)
        # Python's sort is stable: repeats stay in the order of the entries
        expected = sorted(((r, c - first, m) for r, c, m in kept if first <= c < last), key=lambda entry: entry[:2])
        lengths = [sum(r == row for r, _, _ in expected) for row in range(N_ROWS)]
        assert np.diff(indptr).tolist() == lengths
        assert indices.tolist() == [c for _, c, _ in expected]
        assert out.tolist() == [m for _, _, m in expected]
        check_merging(run, indptr, indices, out, expected)


def check_merging(run, indptr, indices, codes, expected) -> None:
    """Compare with a dictionary of lists."""
    cells: dict[tuple[int, int], list[int]] = {}
    for row, column, code in expected:
        cells.setdefault((int(row), int(column)), []).append(int(code))
    repeats = run(kernels.count_repeats)(indptr, indices)
    assert repeats == len(expected) - len(cells)
    for average in (False, True):
        merged = run(kernels.merge_repeats)(indptr, indices, codes, repeats, average)
        seen = {}
        for row in range(N_ROWS):
            for i in range(merged[0][row], merged[0][row + 1]):
                seen[row, int(merged[1][i])] = int(merged[2][i])
        assert len(seen) == len(merged[1])
        assert seen == {
            cell: int(np.floor(np.mean(given) + 0.5)) if average else given[-1] for cell, given in cells.items()
        }


def compressed_columns(run, entries, row_map, column_map, code_map) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Run the first sort in two batches."""
    batches = [np.array(part, np.int32).reshape(-1, 3) for part in (entries[:7], entries[7:])]
    counts = np.zeros(N_COLUMNS + 1, np.int64)
    for batch in batches:
        run(kernels.count_columns)(batch[:, 1], batch[:, 2], column_map, code_map, counts[1:])
    starts = np.cumsum(counts)
    cursor, rows, codes = starts[1:].copy(), np.empty(starts[-1], np.int32), np.empty(starts[-1], np.uint8)
    borders = np.array([0, 1, 1, 3, N_COLUMNS])
    for batch in reversed(batches):
        triples = batch[:, 0], batch[:, 1], batch[:, 2]
        run(kernels.place_by_column)(*triples, row_map, column_map, code_map, borders, cursor, rows, codes)
    return starts, rows, codes


@BOTH
@given(entries=ENTRIES, ordered=st.booleans(), border=st.integers(0, 40))
def test_entries_in_order_are_appended_and_others_are_reported(run, entries, ordered, border) -> None:
    code_map = np.array([3, -1, 0, 4, 2, -1, 1], np.int32)
    entries = sorted({entry[:2]: entry for entry in entries}.values()) if ordered else entries
    same = np.arange(5, dtype=np.int32)
    kept = [(row, column, code_map[code]) for row, column, code in entries if code_map[code] >= 0]
    rows, columns, codes = np.array(entries, np.int32).reshape(-1, 3).T.copy()
    at, before, in_order = 0, (-1, -1), True
    begins = np.zeros(N_ROWS + 1, np.int64)
    for part in (slice(0, border), slice(border, len(entries))):
        batch = (rows[part], columns[part], codes[part], same, same, code_map)
        in_order &= bool(run(kernels.are_in_order)(*batch, *before))
        end = at + sum(code_map[code] >= 0 for _, _, code in entries[part])
        before = kept[end - 1][:2] if end else before
        if in_order:  # so that nothing was written over before it is looked at
            first = part.start
            arrays = (rows[part], columns, codes, same, same, code_map, first, begins, at, columns, codes)
            at = run(kernels.settle_in_order)(*arrays)
            assert at == end
        at = end
    places = [entry[:2] for entry in kept]
    assert in_order == (places == sorted(set(places)))
    if in_order:
        assert begins[1:].tolist() == [sum(row == each for row, _ in places) for each in range(N_ROWS)]
        assert columns[:at].tolist() == [column for _, column, _ in kept]
        assert codes[:at].tolist() == [code for _, _, code in kept]


@BOTH
@given(entries=ENTRIES, kept=st.sets(st.integers(0, N_COLUMNS - 1)))
def test_taking_columns_leaves_the_others_out_and_keeps_every_row(run, entries, kept) -> None:
    cells = sorted({(row, column): code for row, column, code in entries}.items())
    indptr = np.searchsorted([row for (row, _), _ in cells], np.arange(N_ROWS + 1)).astype(np.int64)
    indices = np.array([column for (_, column), _ in cells], np.int32)
    codes = np.array([code for _, code in cells], np.uint8)
    place = np.full(N_COLUMNS, -1, np.int32)
    place[sorted(kept)] = range(len(kept))
    starts, taken, out = run(kernels.take_columns)(indptr, indices, codes, place)
    expected = [(row, sorted(kept).index(column), code) for (row, column), code in cells if column in kept]
    rows = np.repeat(np.arange(N_ROWS), np.diff(starts))
    assert list(zip(rows.tolist(), taken.tolist(), out.tolist(), strict=True)) == expected
    assert (taken.dtype, out.dtype) == (np.int32, np.uint8)


@BOTH
@given(
    rows=st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6)), max_size=4), min_size=1, max_size=6),
    data=st.data(),
)
def test_rows_are_taken_whole_and_in_the_order_asked_for(run, rows, data) -> None:
    taken = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([index for row in rows for index, _ in row], np.int32)
    codes = np.array([code for row in rows for _, code in row], np.uint8)
    starts = np.cumsum([0, *(len(rows[row]) for row in taken)])
    found, found_codes = run(kernels.take_rows)(indptr, indices, codes, np.array(taken, np.int64), starts)
    assert list(zip(found.tolist(), found_codes.tolist(), strict=True)) == [each for row in taken for each in rows[row]]
