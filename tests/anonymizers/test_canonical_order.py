"""The order of records is that of what they say; who is equal to others is not sorted by what is sensitive."""

from random import Random

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.canonical_order import canonical_order
from shoal.data import Column, Microdata, Role
from shoal.randomness import Randomness
from shoal.testing import tables
from shoal.testing.equivalent_records import equivalent_records

CHANCE = Randomness(1)


def published(table: Microdata, order: np.ndarray) -> list[tuple]:
    leaving = [column for column in table.columns if column.role.leaves]
    rows = list(zip(*(column.values.cast(pl.String).to_list() for column in leaving), strict=True))
    return [rows[row] for row in order] if leaving else []


@settings(max_examples=40)
@given(table=tables(), chance=st.randoms(use_true_random=False))
def test_it_depends_neither_on_the_order_of_rows_nor_on_values_that_nobody_has(table: Microdata, chance: Random):
    order = canonical_order(table, CHANCE)
    assert sorted(order.tolist()) == list(range(len(table)))
    otherwise = equivalent_records(table, chance)
    for difference in ("the order of the rows", "values that nobody has"):
        other = otherwise[difference]
        assert isinstance(other, Microdata)
        assert published(other, canonical_order(other, CHANCE)) == published(table, order), difference


def test_those_who_look_alike_are_not_sorted_by_what_is_sensitive():
    """Of two hundred alike people, both halves have about as many of each illness, and about as large a debt."""
    columns = (
        Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Lund"] * 200)),
        Column.encode("ill", Role.SENSITIVE, pl.Series(["flu"] * 100 + ["gout"] * 100)),
        Column.encode("debt", Role.SENSITIVE, pl.Series(range(200))),
    )
    for few in (columns[:2], columns[::2]):
        table = Microdata(few)
        first = canonical_order(table, CHANCE)[:100]
        sensitive = table.sensitive[0].codes / table.sensitive[0].codes.max()
        assert 0.35 < sensitive[first].mean() < 0.65


def test_a_table_of_nothing_that_leaves_stays_as_it_is():
    table = Microdata((Column.encode("name", Role.IDENTIFIER, pl.Series(["b", "a"])),))
    assert canonical_order(table, CHANCE).tolist() == [0, 1]


def test_a_reader_without_the_key_cannot_mix_the_same_words():
    """Which of those who look alike come first is another with every key, and the same with the same one."""
    columns = (
        Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Lund"] * 40)),
        Column.encode("ill", Role.SENSITIVE, pl.Series([f"illness {i:02d}" for i in range(40)])),
    )
    table, secret = Microdata(columns), bytes(32)
    orders = [canonical_order(table, Randomness(1, key)).tolist() for key in (None, secret, secret, b"\1" * 32)]
    assert orders[1] == orders[2]
    assert orders[0] != orders[1] != orders[3] != orders[0]
