"""Columns that are left unencoded are the same as those that were encoded at once."""

from collections import Counter

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Microdata, Role
from shoal.data.fingerprint import fingerprint

VALUES = st.lists(st.none() | st.text("ab", max_size=2), min_size=1, max_size=8).map(
    lambda values: pl.Series(values, dtype=pl.String)
) | st.lists(st.none() | st.integers(-2, 2), min_size=1, max_size=8).map(
    lambda values: pl.Series(values, dtype=pl.Int64)
)


def both(values: pl.Series) -> tuple[Column, Column]:
    return Column.unencoded("name", Role.IDENTIFIER, values), Column.encode("name", Role.IDENTIFIER, values)


@given(VALUES, st.data())
def test_an_unencoded_column_is_encoded_when_somebody_asks(values, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(values) - 1))), np.int64)
    for taken in (False, True, "twice"):
        left, made = both(values)
        if taken:
            left, made = left.take(rows), made.take(rows)
        if taken == "twice":
            left, made = left.take(np.arange(len(rows))[::2]), made.take(np.arange(len(rows))[::2])
        assert len(left) == len(made)
        assert left.dtype == made.dtype
        assert left.values.to_list() == made.values.to_list()
        assert left.n_missing == made.n_missing == made.values.null_count()
        assert not left.is_encoded
        assert left.codes.tolist() == made.codes.tolist()
        assert left.is_encoded
        assert left.vocabulary.values.to_list() == made.vocabulary.values.to_list()
        assert left.values.to_list() == made.values.to_list()


@given(VALUES)
def test_values_that_repeat_are_counted_however_a_column_is_held(values):
    times = Counter(value for value in values if value is not None)
    expected = sum(count for count in times.values() if count > 1)
    assert [column.n_repeating for column in both(values)] == [expected, expected]


@given(VALUES)
def test_an_unencoded_column_has_the_same_fingerprint(values):
    one, other = (fingerprint(Microdata((column,))) for column in both(values))
    assert one == other


def test_the_repr_of_an_unencoded_column_shows_no_value_and_encodes_nothing():
    column, _ = both(pl.Series(["Mara", "Quentin"]))
    assert repr(column) == "Column('name', identifier, 2 values)"
    assert not column.is_encoded


@given(VALUES, st.data())
def test_a_compacted_column_has_the_values_that_occur(values, data):
    rows = np.array(data.draw(st.lists(st.integers(0, len(values) - 1))), np.int64)
    column = both(values)[1].take(rows)
    compact = column.compacted()
    assert compact.values.to_list() == column.values.to_list()
    assert (compact.counts > 0).all()
