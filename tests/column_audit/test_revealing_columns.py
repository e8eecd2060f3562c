"""Columns that single people out, alone and together."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import audit_oracle as oracle
from shoal.column_audit import revealing_columns
from shoal.data import Column, Role


def column(name: str, values: Sequence[object]) -> Column:
    return Column.encode(name, Role.INSENSITIVE, pl.Series(values))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    n = draw(st.integers(1, 24))
    widths = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    values = [draw(st.lists(st.integers(0, width), min_size=n, max_size=n)) for width in widths]
    persons = draw(st.just(list(range(n))) | st.lists(st.integers(0, 9), min_size=n, max_size=n))
    return values, persons


@settings(max_examples=200)
@given(tables(), st.integers(2, 4))
def test_who_takes_part_makes_the_difference(table, k) -> None:
    values, persons = table
    columns = [column(f"c{i}", each) for i, each in enumerate(values)]
    found = revealing_columns(columns, k, np.unique(persons, return_inverse=True)[1])
    assert (found is not None) == oracle.reveal(values, persons, k)
    if found is None:
        return
    partaking = [int(name[1:]) for name in found.columns]
    assert partaking == sorted(partaking)
    assert all(oracle.takes_part(values, at, persons, k) for at in partaking)
    rest = [each for i, each in enumerate(values) if f"c{i}" not in found.instead]
    assert not oracle.reveal(rest, persons, k), "it is enough to leave these out"
    alone = oracle.in_small_classes([values[at] for at in partaking], persons, 2)
    assert f" out: {alone:,} of {len(set(persons)):,} people" in found.reason


def test_a_column_that_says_nothing_takes_no_part() -> None:
    columns = [column("same", [1] * 60), column("id", range(60)), column("half", [0, 1] * 30)]
    found = revealing_columns(columns, 2)
    assert found is not None
    assert found.columns == found.instead == ("id",)


def test_twins_are_no_crowd() -> None:
    """Nobody is alone, and yet nobody is among five."""
    found = revealing_columns([column("answer", [i // 2 for i in range(100)])], 5)
    assert found is not None
    assert "0 of 100 records carry a value that nobody else carries, and 100 share it with fewer than 4" in found.reason
    assert revealing_columns([column("answer", [i // 5 for i in range(100)])], 5) is None
