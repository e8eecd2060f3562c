"""The order of records is that of what they say; who is equal to others is not sorted by what is sensitive."""

from random import Random

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizers.canonical_order import canonical_order
from shoal.data import Column, Microdata, Role
from shoal.testing import tables
from shoal.testing.disguises import disguises


def told(table: Microdata, order: np.ndarray) -> list[tuple]:
    leaving = [column for column in table.columns if column.role.leaves]
    rows = list(zip(*(column.values.cast(pl.String).to_list() for column in leaving), strict=True))
    return [rows[row] for row in order] if leaving else []


@settings(max_examples=40)
@given(table=tables(), chance=st.randoms(use_true_random=False))
def test_it_depends_neither_on_the_order_of_rows_nor_on_values_that_nobody_has(table: Microdata, chance: Random):
    order = canonical_order(table)
    assert sorted(order.tolist()) == list(range(len(table)))
    otherwise = disguises(table, chance)
    for difference in ("the order of the rows", "values that nobody has"):
        other = otherwise[difference]
        assert isinstance(other, Microdata)
        assert told(other, canonical_order(other)) == told(table, order), difference


def test_those_who_look_alike_are_not_sorted_by_what_is_sensitive():
    """Of two hundred alike people, both halves have about as many of each illness, and about as large a debt."""
    columns = (
        Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Lund"] * 200)),
        Column.encode("ill", Role.SENSITIVE, pl.Series(["flu"] * 100 + ["gout"] * 100)),
        Column.encode("debt", Role.SENSITIVE, pl.Series(range(200))),
    )
    for few in (columns[:2], columns[::2]):
        table = Microdata(few)
        first = canonical_order(table)[:100]
        sensitive = table.sensitive[0].codes / table.sensitive[0].codes.max()
        assert 0.35 < sensitive[first].mean() < 0.65


def test_a_table_of_nothing_that_leaves_stays_as_it_is():
    table = Microdata((Column.encode("name", Role.IDENTIFIER, pl.Series(["b", "a"])),))
    assert canonical_order(table).tolist() == [0, 1]
