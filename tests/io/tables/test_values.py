"""Texts that are typed once each become the same values as if each record were typed by itself."""

from collections.abc import Callable

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Vocabulary
from shoal.errors import DataError
from shoal.io.tables.values import encoded_values, typed_values

WORDS = ("1", " 1", "1.0", "1e0", "-0", "0", "02", "NA", "nan", "", "  ", "2025-12-31", "a", "a ", None, "99", "1,5")


def outcome(encode: Callable[[], tuple[Vocabulary, np.ndarray]]) -> object:
    """Return the values with their type and the codes, or the message of the error."""
    try:
        vocabulary, codes = encode()
    except DataError as error:
        return error.message
    return vocabulary.values.to_list(), vocabulary.values.dtype, codes.tolist()


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True),
    st.sampled_from([None, "number", "text", "date"]),
    st.sampled_from([(), ("NA",), (99,)]),
    st.sampled_from([".", ","]),
    st.randoms(use_true_random=False),
)
def test_texts_that_repeat_are_typed_as_one_by_one(words, wanted, null, decimal, chance):
    texts = pl.Series("c", [chance.choice(words) for _ in range(4 * len(words) + 8)], dtype=pl.String)

    def typed(values: pl.Series) -> pl.Series:
        return typed_values(values, wanted, null, as_written=True, decimal=decimal)

    expected = outcome(lambda: Vocabulary.encode(typed(texts)))
    found = outcome(lambda: encoded_values(texts, typed))
    assert found == expected
