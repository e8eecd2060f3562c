"""What labels stand for, read off people who are not in the table."""

import datetime as dt

import polars as pl
import pytest

from shoal.data import Column, Hierarchy, Role
from shoal.labels import covered_values

AGES = pl.Series([None, 3, 17, 25, 26, 40])
WORDS = pl.Series([None, "ash", "birch", "cedar", "elm", "43", "4350", "4351", "4411"])
DAYS = pl.Series([None, dt.date(2020, 1, 1), dt.date(2020, 1, 15), dt.date(2021, 1, 1)])


@pytest.mark.parametrize(
    ("label", "values", "covered"),
    [
        ("*", AGES, AGES.to_list()),
        (None, AGES, [None]),
        ("17", AGES, [17]),
        ("[17, 25]", AGES, [17, 25]),
        ("[17, 25)", AGES, [17]),
        ("missing or [17, 25]", AGES, [None, 17, 25]),
        ("missing or 17", AGES, [None, 17]),
        ("missing", AGES, [None]),
        ("[17, 25]", AGES.cast(pl.String), ["17", "25"]),
        ("[17]", AGES, []),
        ("ash", WORDS, ["ash"]),
        ("ash | cedar", WORDS, ["ash", "cedar"]),
        ("missing | ash | cedar", WORDS, [None, "ash", "cedar"]),
        ("missing | ash", WORDS, [None, "ash"]),
        ("missing | ash", pl.Series(["missing", "ash", "elm"]), ["missing", "ash"]),
        ("birch … dune", WORDS, ["birch", "cedar"]),
        ("435*", WORDS, ["43", "4350", "4351"][1:]),
        ("43**", WORDS, ["43", "4350", "4351"]),
        ("oak", WORDS, []),
        ("[2020-01-01, 2020-06-01]", DAYS, [dt.date(2020, 1, 1), dt.date(2020, 1, 15)]),
    ],
)
def test_a_label_is_read_as_methods_write_it(label: str | None, values: pl.Series, covered: list) -> None:
    column = Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series(["some"]))
    told = covered_values(pl.Series([label], dtype=pl.String), column, values)
    assert values.filter(told[0]).to_list() == covered


def test_a_label_that_people_have_is_no_more_than_their_value() -> None:
    values = pl.Series(["a*", "ab", "[1, 3]", "2"])
    column = Column.encode("any", Role.QUASI_IDENTIFIER, values)
    assert covered_values(values, column, values).tolist() == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]


def test_what_is_below_a_label_in_the_hierarchy_is_covered() -> None:
    words = pl.Series(["ash", "oak", "pear"])
    levels = [words, pl.Series(["wild", "wild", "pear"]), pl.Series(["*"] * 3)]
    column = Column.encode("tree", Role.QUASI_IDENTIFIER, words).with_hierarchy(Hierarchy.from_columns(levels))
    told = covered_values(pl.Series(["wild", "pear", "ash"]), column, pl.Series(["pear", "oak", "yew", "ash"]))
    assert told.tolist() == [[False, True, False, True], [True, False, False, False], [False, False, False, True]]


def test_of_values_that_the_hierarchy_knows_it_alone_tells() -> None:
    words = pl.Series(["", "4", "4350"])
    column = Column.encode("code", Role.QUASI_IDENTIFIER, words)
    levels = [words, pl.Series(["4***", "4***", "other"]), pl.Series(["*"] * 3)]
    column = column.with_hierarchy(Hierarchy.from_columns(levels))
    told = covered_values(pl.Series(["4***"]), column, pl.Series(["", "4", "4350", "4351"]))
    assert told.tolist() == [[True, True, False, True]]


def test_one_is_one_whether_it_is_written_as_a_real_number_or_not() -> None:
    column = Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series([1.0, 2.0]))
    assert covered_values(pl.Series([1.0, 2.5]), column, pl.Series([1, 2])).tolist() == [[True, False], [False, False]]
