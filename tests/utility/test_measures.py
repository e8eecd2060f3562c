"""Every measure against counting cell by cell, and by hand."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from comparisons import compared, ratings_before_and_after, tables_before_and_after
from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Role, Scale, Vocabulary
from shoal.testing import ratings, tables
from shoal.utility import MEASURES, Comparison

COUNTING = (
    "distortion",
    "cells changed",
    "ratings invented",
    "ratings dropped",
    "records withheld",
    "discernability",
    "average group size",
)


def counted(original: Records, published: Records, withheld: int = 0) -> dict[str, float]:
    """The measures that count cells and records."""
    comparison = compared(original, published, withheld)
    return {name: MEASURES[name](comparison) for name in COUNTING}


@given(pair=ratings_before_and_after(), withheld=st.integers(0, 5))
def test_ratings_are_compared_cell_by_cell(pair, withheld):
    before, after = (oracles.profiles(each) for each in pair)
    assert counted(*pair, withheld=withheld) == {
        "distortion": pytest.approx(float(oracles.rating_distortion(before, after, pair[0].scale))),
        "cells changed": oracles.cells_changed(before, after),
        "ratings invented": oracles.invented(before, after),
        "ratings dropped": oracles.dropped(before, after),
        "records withheld": withheld,
        "discernability": oracles.discernability(after, withheld),
        "average group size": pytest.approx(oracles.average_group_size(after)),
    }


@settings(max_examples=40)
@given(pair=tables_before_and_after(), withheld=st.integers(0, 5))
def test_tables_are_compared_cell_by_cell(pair, withheld):
    before, after = ([_words(column) for column in table.quasi_identifiers] for table in pair)
    changed = sum(a != b for old, new in zip(before, after, strict=True) for a, b in zip(old, new, strict=True))
    assert counted(*pair, withheld=withheld) == {
        "distortion": pytest.approx(oracles.table_distortion(before, after)),
        "cells changed": changed,
        "ratings invented": 0,
        "ratings dropped": 0,
        "records withheld": withheld,
        "discernability": oracles.discernability(oracles.tuples(pair[1]), withheld),
        "average group size": pytest.approx(oracles.average_group_size(oracles.tuples(pair[1]))),
    }


def _words(column: Column) -> list[str | None]:
    words = column.vocabulary.values.cast(pl.String).to_list()
    return [words[code] for code in column.codes.tolist()]


def test_ratings_by_hand():
    """Moved by 2 and 1, invented a 3, dropped a 4, on half stars from 0.5: 2 · ½ + 1 · ½ + 3 + 4."""
    scale = Scale.of("0.5", 5, "0.5")
    items = Vocabulary(pl.Series(["a", "b"]))
    before = np.array([[0, -1], [3, 7], [9, 9]], np.int32)
    after = np.array([[2, 5], [2, -1], [9, 9]], np.int32)
    original, published = (
        Ratings(Vocabulary.numbered(3), RatingMatrix.from_dense(items, codes), RatingMatrix.empty(3), scale)
        for codes in (before, after)
    )
    assert counted(original, published, 2) == {
        "distortion": 8.5,
        "cells changed": 2,
        "ratings invented": 1,
        "ratings dropped": 1,
        "records withheld": 2,
        "discernability": 3 + 2 * 5,
        "average group size": 1.0,
    }


def test_a_table_by_hand():
    """Ages 31, 47, 52 of which two share a label: each of those two cells loses half, and the third nothing."""
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([31, 47, 52]))
    told = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["31", "[47, 52]", "[47, 52]"]))
    assert counted(Microdata((ages,)), Microdata((told,)), 1) == {
        "distortion": 1.0,
        "cells changed": 2,
        "ratings invented": 0,
        "ratings dropped": 0,
        "records withheld": 1,
        "discernability": 1 + 4 + 1 * 4,
        "average group size": 1.5,
    }


@given(ratings() | tables())
def test_what_is_published_as_it_is_loses_nothing(data):
    report = counted(data, data)
    assert all(report[name] == 0 for name in ("distortion", "cells changed", "ratings invented", "ratings dropped"))


def test_records_that_do_not_correspond_are_not_compared():
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([31, 47, 52]))
    table = Microdata((ages,))
    with pytest.raises(AssertionError):
        Comparison(table, np.arange(3), table.take(np.array([0])), np.array([1]))
