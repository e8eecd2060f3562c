"""Outside values and the codes that stand for them."""

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Vocabulary
from shoal.data.vocabulary import rebuilt

SERIES = st.one_of(
    st.lists(st.none() | st.integers(-5, 5)).map(lambda v: pl.Series(v, dtype=pl.Int64)),
    st.lists(st.none() | st.sampled_from(["", "a", "b", "ä", "a,b", "*"])).map(lambda v: pl.Series(v, dtype=pl.String)),
    st.lists(st.none() | st.booleans()).map(lambda v: pl.Series(v, dtype=pl.Boolean)),
    st.lists(st.none() | st.floats(allow_nan=False)).map(lambda v: pl.Series(v, dtype=pl.Float64)),
)


@given(SERIES)
def test_values_survive_coding(values):
    vocabulary, codes = Vocabulary.encode(values)
    assert vocabulary.take(codes).equals(values)
    assert sorted(set(codes.tolist())) == list(range(len(vocabulary)))


@given(SERIES, st.randoms(use_true_random=False))
def test_codes_do_not_depend_on_the_order_of_the_rows(values, chance):
    shuffled = pl.Series(chance.sample(values.to_list(), len(values)), dtype=values.dtype)
    assert Vocabulary.encode(values)[0].values.equals(Vocabulary.encode(shuffled)[0].values)


def test_missing_values_are_one_value_and_come_first():
    vocabulary, codes = Vocabulary.encode(pl.Series([2, None, 1, None]))
    assert vocabulary.values.to_list() == [None, 1, 2]
    assert codes.tolist() == [2, 0, 1, 0]


def test_a_value_that_is_not_there_has_no_code():
    numbers = Vocabulary(pl.Series([None, 1, 2]))
    assert numbers.codes(pl.Series([2, 3, None])).tolist() == [2, -1, 0]
    assert Vocabulary(pl.Series([1, 2])).codes(pl.Series([None, 1], dtype=pl.Int64)).tolist() == [-1, 0]


def test_a_value_of_another_type_is_not_bent_to_fit():
    numbers = Vocabulary(pl.Series([None, 1, 2]))
    assert numbers.codes(pl.Series([1.5, 2.0])).tolist() == [-1, 2]
    assert numbers.codes(pl.Series(["one", "2", None])).tolist() == [-1, 2, 0]


def test_select_gives_the_values_of_these_codes_in_this_order():
    letters = Vocabulary(pl.Series(["a", "b", "c"]))
    assert letters.select(pl.Series([2, 0]).to_numpy()).values.to_list() == ["c", "a"]


def test_a_doubled_value_is_no_vocabulary():
    with pytest.raises(AssertionError):
        Vocabulary(pl.Series(["a", "a"]))


@pytest.mark.parametrize(
    ("values", "numeric", "ordered"),
    [
        (pl.Series([1, 2]), True, True),
        (pl.Series([0.5]), True, True),
        (pl.Series(["1"]), False, False),
        (pl.Series(["2020-01-01"]).str.to_date(), False, True),
        (pl.Series([True]), False, False),
    ],
    ids=["int", "float", "text", "date", "bool"],
)
def test_numbers_and_days_have_an_order(values, numeric, ordered):
    vocabulary = Vocabulary(values)
    assert (vocabulary.is_numeric, vocabulary.is_ordered) == (numeric, ordered)


_COLUMNS = st.sampled_from(
    [
        (pl.String, st.text(max_size=3)),
        (pl.Int64, st.integers(-(2**63), 2**63 - 1) | st.integers(0, 3)),
        (pl.UInt8, st.integers(0, 255)),
        (pl.Boolean, st.booleans()),
        (pl.Date, st.dates()),
        (pl.Float64, st.floats(allow_infinity=True, width=64) | st.sampled_from([0.0, -0.0, float("nan")])),
        (pl.Datetime("us"), st.datetimes()),
    ]
)


@given(_COLUMNS, st.data())
def test_few_values_have_the_codes_that_many_have(column, drawn):
    dtype, value = column
    known = pl.Series(drawn.draw(st.lists(st.none() | value, max_size=8)), dtype=dtype)
    asked = pl.Series(
        drawn.draw(st.lists(st.none() | value | st.sampled_from([*known, None]), max_size=8)), dtype=dtype
    )
    words = Vocabulary.encode(known)[0]
    few = words.codes(asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("shoal.data.vocabulary._FEW", -1)
        assert few.dtype == np.int32
        assert few.tolist() == words.codes(asked).tolist()


@pytest.mark.parametrize("name", ["Esmeralda", "Esmeralda of Notre-Dame de Paris"])
@given(st.lists(st.sampled_from([None, "", "a", "b" * 20]), min_size=1))
def test_of_values_that_are_not_selected_nothing_is_left_in_memory(name, others):
    vocabulary, _ = Vocabulary.encode(pl.Series([*others, name], dtype=pl.String))
    kept = [code for code, value in enumerate(vocabulary.values) if value != name]
    selected = vocabulary.select(np.array(kept))
    assert selected.values.to_list() == [vocabulary.values[code] for code in kept]
    assert name.encode() not in pickle.dumps(selected.values)


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.Date, pl.Datetime("ns"), pl.Datetime("us", "UTC")])
def test_rebuilt_values_are_the_same(dtype):
    values = pl.Series("x", [None, 0, 17, 2**14 + 1]).cast(pl.Int32 if dtype == pl.Date else pl.Int64).cast(dtype)
    assert rebuilt(values).equals(values, check_dtypes=True, check_names=True, null_equal=True)
