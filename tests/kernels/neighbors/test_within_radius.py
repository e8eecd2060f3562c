"""The kernels that add up what is within a radius, against comparing every two rows of lists."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.neighbors.bitmaps import TILE, add_by_bitmaps, popcount, radius_bitmaps, trailing_zeros
from shoal.kernels.neighbors.pairwise import (
    add_by_pairs,
    add_by_pairs_in_groups,
    add_by_slices,
    near_points,
    near_rows,
    slices,
)

ALL = np.iinfo(np.int64).max
COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]


@st.composite
def points_and_amounts(draw: st.DrawFn, min_width: int = 0) -> tuple[np.ndarray, np.ndarray]:
    n, width, kinds = draw(st.integers(0, 9)), draw(st.integers(min_width, 4)), draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=n, max_size=n))
    lines = st.lists(st.integers(0, 9), min_size=kinds - 1, max_size=kinds - 1)
    amounts = [[draw(st.integers(1, 5)), *draw(lines)] for _ in range(n)]
    return np.array(rows, np.uint8).reshape(n, width), np.array(amounts, np.int64).reshape(n, kinds)


def expected_sums(points: np.ndarray, amounts: np.ndarray, radius: int) -> list[list[int]]:
    rows, lines = points.tolist(), amounts.tolist()
    out = []
    for one in rows:
        near = [all(abs(a - b) <= radius for a, b in zip(one, other, strict=True)) for other in rows]
        chosen = [line for line, is_near in zip(lines, near, strict=True) if is_near]
        out.append([sum(column) for column in zip(*chosen, strict=True)])
    return out


def compressed(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n, width = points.shape
    return np.arange(n + 1) * width, np.tile(np.arange(width, dtype=np.int32), n), points.ravel()


@COMPILED
@given(given=points_and_amounts(), radius=st.integers(0, 4))
def test_two_are_near_when_no_column_separates_them(run: Runner, given, radius: int) -> None:
    points, _ = given
    rows = points.tolist()
    for one in range(len(rows)):
        for other in range(len(rows)):
            expected = all(abs(a - b) <= radius for a, b in zip(rows[one], rows[other], strict=True))
            assert run(near_points)(points, one, other, radius) == expected
            assert run(near_rows)(*compressed(points), one, other, radius) == expected


@COMPILED
@given(given=points_and_amounts(), radius=st.integers(0, 4))
def test_pairs(run: Runner, given, radius: int) -> None:
    points, amounts = given
    out = np.zeros_like(amounts)
    run(add_by_pairs)(*compressed(points), amounts, radius, out)
    assert out.tolist() == expected_sums(points, amounts, radius)


@COMPILED
@given(
    rows=st.lists(st.dictionaries(st.integers(0, 3), st.integers(0, 4), max_size=3), max_size=7),
    radius=st.integers(0, 3),
)
def test_pairs_of_rows_with_other_columns_are_never_near(run: Runner, rows: list[dict[int, int]], radius: int) -> None:
    indptr = np.cumsum([0, *(len(row) for row in rows)])
    indices = np.array([column for row in rows for column in sorted(row)], np.int32)
    data = np.array([row[column] for row in rows for column in sorted(row)], np.uint8)
    out = np.zeros((len(rows), 1), np.int64)
    run(add_by_pairs)(indptr, indices, data, np.ones((len(rows), 1), np.int64), radius, out)
    expected = [
        sum(one.keys() == other.keys() and all(abs(one[c] - other[c]) <= radius for c in one) for other in rows)
        for one in rows
    ]
    assert out[:, 0].tolist() == expected


@COMPILED
@given(given=points_and_amounts(), radius=st.integers(0, 4), border=st.integers(0, 9))
def test_pairs_in_groups(run: Runner, given, radius: int, border: int) -> None:
    points, amounts = given
    border = min(border, len(points))
    indptr, _, data = compressed(points)
    out = np.zeros_like(amounts)
    begins = np.array([0, border, len(points)])
    run(add_by_pairs_in_groups)(indptr, data, np.arange(len(points)), begins, amounts, radius, out)
    parts = [slice(0, border), slice(border, None)]
    expected = [line for part in parts for line in expected_sums(points[part], amounts[part], radius)]
    assert out.tolist() == expected


@COMPILED
@given(given=points_and_amounts(), radius=st.integers(0, 4))
def test_slices(run: Runner, given, radius: int) -> None:
    points, amounts = given
    order, begins = run(slices)(points, 5)
    for column in range(points.shape[1]):
        values = points[order[column], column].tolist()
        assert values == sorted(points[:, column].tolist())
        assert sorted(order[column].tolist()) == list(range(len(points)))
        assert begins[column].tolist() == [sum(v < value for v in values) for value in range(6)]
    out = np.zeros_like(amounts)
    run(add_by_slices)(points, order, begins, amounts, radius, out)
    assert out.tolist() == expected_sums(points, amounts, radius)


@COMPILED
@given(given=points_and_amounts(min_width=1), radius=st.integers(0, 4))
def test_bitmaps(run: Runner, given, radius: int) -> None:
    points, amounts = given
    out = np.zeros_like(amounts)
    with np.errstate(over="ignore"):
        bitmaps = run(radius_bitmaps)(points, 5, radius)
        run(add_by_bitmaps)(points, *bitmaps, amounts, ALL, out)
    assert out.tolist() == expected_sums(points, amounts, radius)


@pytest.mark.parametrize("n", [1, 64 * TILE - 1, 64 * TILE, 64 * TILE + 1, 64 * 64 * TILE + 70])
def test_bitmaps_of_many_tiles(n: int) -> None:
    chance = np.random.default_rng(n)
    points = chance.integers(0, 5, (n, 3)).astype(np.uint8)
    rows, tiles, counts = radius_bitmaps(points, 5, 1)
    queries = np.array([[a, b, c] for a in range(5) for b in range(5) for c in range(5)], np.uint8)
    near = (np.abs(points[None].astype(int) - queries[:, None]) <= 1).all(axis=2)
    assert counts.tolist() == [
        [int((np.abs(points[:, c].astype(int) - v) <= 1).sum()) for v in range(5)] for c in range(3)
    ]
    out = np.zeros((125, 1), np.int64)
    add_by_bitmaps(queries, rows, tiles, counts, np.zeros((0, 1), np.int64), ALL, out)
    assert out[:, 0].tolist() == near.sum(axis=1).tolist()
    weights = chance.integers(1, 9, (n, 2))
    out = np.zeros((125, 2), np.int64)
    add_by_bitmaps(queries, rows, tiles, counts, weights, ALL, out)
    assert out.tolist() == (near.astype(int) @ weights).tolist()


@pytest.mark.parametrize("enough", [1, 5, 2000])
def test_bitmaps_stop_where_it_is_enough_and_not_before(enough: int) -> None:
    points = np.random.default_rng(5).integers(0, 3, (3 * 64 * TILE, 8)).astype(np.uint8)
    bitmaps = radius_bitmaps(points, 3, 1)
    full, capped = np.zeros((100, 1), np.int64), np.zeros((100, 1), np.int64)
    nothing = np.zeros((0, 1), np.int64)
    add_by_bitmaps(points[:100], *bitmaps, nothing, ALL, full)
    add_by_bitmaps(points[:100], *bitmaps, nothing, enough, capped)
    assert (np.minimum(full, enough) == np.minimum(capped, enough)).all()
    before = capped.copy()
    add_by_bitmaps(points[:100], *bitmaps, nothing, enough, capped)
    assert (capped[before >= enough] == before[before >= enough]).all(), "a query that has enough is left alone"


@COMPILED
@given(word=st.integers(0, 2**64 - 1))
def test_words(run: Runner, word: int) -> None:
    with np.errstate(over="ignore"):
        assert run(popcount)(np.uint64(word)) == word.bit_count()
        if word:
            assert run(trailing_zeros)(np.uint64(word)) == (word & -word).bit_length() - 1
