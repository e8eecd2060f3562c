"""Sparse blocks of ratings, against dense ones."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import RatingMatrix, Vocabulary
from shoal.testing import ratings


def letters(n: int) -> Vocabulary:
    return Vocabulary(pl.Series([chr(97 + i) for i in range(n)], dtype=pl.String))


@st.composite
def dense_codes(draw: st.DrawFn) -> np.ndarray:
    rows, columns = draw(st.integers(0, 6)), draw(st.integers(0, 5))
    cell = st.integers(draw(st.sampled_from([-1, 0])), 3)  # one in two is complete
    return np.array([[draw(cell) for _ in range(columns)] for _ in range(rows)], np.int32).reshape(rows, columns)


@given(dense_codes())
def test_dense_codes_survive_compression(codes):
    matrix = RatingMatrix.from_dense(letters(codes.shape[1]), codes)
    assert matrix.dense().tolist() == codes.tolist()
    assert (len(matrix), matrix.n_ratings) == (len(codes), int((codes >= 0).sum()))


@given(dense_codes(), st.data())
def test_taking_rows_takes_the_rows_of_the_dense_block(codes, data):
    matrix = RatingMatrix.from_dense(letters(codes.shape[1]), codes)
    row = st.integers(0, len(codes) - 1) if len(codes) else st.nothing()
    rows = np.array(data.draw(st.lists(row)), np.int64)
    taken = matrix.take(rows)
    assert taken.dense().tolist() == codes[rows].tolist()
    assert (taken.indptr.dtype, taken.indices.dtype, taken.codes.dtype) == (np.int64, np.int32, np.uint8)


@given(dense_codes(), st.integers(1, 9))
def test_items_of_all_are_those_that_every_record_rates_where_none_rates_others(codes, block):
    matrix = RatingMatrix.from_dense(letters(codes.shape[1]), codes)
    patterns = {tuple(np.flatnonzero(row >= 0)) for row in codes}
    pattern = patterns.pop() if len(patterns) == 1 else ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.data.rating_matrix._BLOCK", block)
        found = matrix.items_of_all
    assert (found is None) == (not pattern)
    assert found is None or tuple(found) == pattern


@given(dense_codes())
def test_by_item_is_the_block_turned_over(codes):
    turned = RatingMatrix.from_dense(letters(codes.shape[1]), codes).by_item()
    assert turned.dense().tolist() == codes.T.tolist()


@given(dense_codes(), st.data())
def test_the_ratings_of_some_items_are_columns_of_the_dense_block(codes, data):
    columns = data.draw(st.sets(st.integers(0, codes.shape[1] - 1))) if codes.shape[1] else set()
    matrix = RatingMatrix.from_dense(letters(codes.shape[1]), codes)
    some = matrix.of_items(np.array(sorted(columns), np.int64))
    assert some.dense().tolist() == codes[:, sorted(columns)].tolist()
    assert some.items.values.to_list() == [chr(97 + column) for column in sorted(columns)]


@given(dense_codes(), st.integers(1, 9))
def test_raters_are_counted_item_by_item(codes, block):
    matrix = RatingMatrix.from_dense(letters(codes.shape[1]), codes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.data.rating_matrix._BLOCK", block)
        assert matrix.raters.tolist() == (codes >= 0).sum(axis=0).tolist()


@given(dense_codes(), st.randoms(use_true_random=False))
def test_a_wider_vocabulary_moves_the_columns(codes, chance):
    names = [chr(97 + i) for i in range(codes.shape[1])]
    wider = chance.sample([*names, "unrated", "unrated too"], len(names) + 2)
    moved = RatingMatrix.from_dense(letters(len(names)), codes).over(Vocabulary(pl.Series(wider)))
    expected = [[row[names.index(name)] if name in names else -1 for name in wider] for row in codes.tolist()]
    assert moved.dense().tolist() == expected
    for begin, end in zip(moved.indptr, moved.indptr[1:], strict=False):
        assert (np.diff(moved.indices[begin:end]) > 0).all()


def test_code_zero_is_a_rating_and_not_a_null():
    matrix = RatingMatrix.from_dense(letters(2), np.array([[0, -1], [-1, 0]], np.int32))
    assert matrix.n_ratings == 2
    assert matrix.take(np.array([1, 0])).dense().tolist() == [[-1, 0], [0, -1]]


def test_a_block_cannot_be_written_to():
    matrix = RatingMatrix.from_dense(letters(1), np.array([[1]], np.int32))
    for array in (matrix.indptr, matrix.indices, matrix.codes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@given(ratings(), st.data())
def test_taking_people_takes_both_parts_of_their_ratings(data, choice):
    rows = np.array(choice.draw(st.lists(st.integers(0, len(data) - 1), unique=True)), np.int64)
    taken = data.take(rows)
    assert taken.users.values.to_list() == [data.users.values[int(row)] for row in rows]
    assert taken.observable.dense().tolist() == data.observable.dense()[rows].tolist()
    assert taken.sensitive.dense().tolist() == data.sensitive.dense()[rows].tolist()
    assert taken.n_ratings == taken.observable.n_ratings + taken.sensitive.n_ratings
