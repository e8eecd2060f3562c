"""Tables of people, their columns and roles."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from shoal.data import Column, Hierarchy, Microdata, Records, Role, Vocabulary
from shoal.errors import InputError
from shoal.testing import ratings, tables


def people() -> Microdata:
    return Microdata(
        (
            Column.encode("name", Role.IDENTIFIER, pl.Series(["Ann", "Bob"])),
            Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([31, 47])),
            Column.encode("illness", Role.SENSITIVE, pl.Series(["flu", None])),
        )
    )


def test_columns_are_found_by_name_and_role():
    table = people()
    assert table["age"].values.to_list() == [31, 47]
    assert [column.name for column in table.quasi_identifiers] == ["age"]
    assert [column.name for column in table.sensitive] == ["illness"]
    assert table.has_sensitive
    assert table.frame().to_dict(as_series=False) == {"name": ["Ann", "Bob"], "age": [31, 47], "illness": ["flu", None]}


def test_a_column_that_is_not_there_is_refused_with_the_names_of_those_that_are():
    with pytest.raises(InputError, match=r"no column 'shoe'.*name, age, illness"):
        people()["shoe"]


def test_records_are_taken_in_the_order_asked_for():
    assert people().take(np.array([1, 0])).frame().rows() == [("Bob", 47, None), ("Ann", 31, "flu")]


def test_a_column_is_replaced_by_name():
    table = people()
    new = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series(["*", "*"]))
    assert table.replaced((new,))["age"].values.to_list() == ["*", "*"]
    assert table.replaced((new,)).names == table.names


def test_identifiers_weights_households_and_dropped_columns_never_leave():
    leaving = {Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE, Role.STRATUM}
    assert {role for role in Role if role.leaves} == leaving


def test_codes_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        people()["age"].codes[0] = 1


@given(ratings() | tables())
def test_both_kinds_are_records(data):
    assert isinstance(data, Records)


def test_no_repr_shows_a_value_of_a_record():
    table = people()
    shown = " ".join(
        repr(thing)
        for column in table.columns
        for thing in (table, column, column.vocabulary, column.with_hierarchy(_suggested(column)).hierarchy)
    )
    assert not any(value in shown for value in ("Ann", "Bob", "31", "47", "flu"))


def _suggested(column):
    from shoal.data import Hierarchy

    return Hierarchy.suggest(column.vocabulary)


@given(ratings(min_records=1))
def test_no_repr_of_ratings_shows_a_person_or_an_issue(data):
    shown = f"{data!r} {data.observable!r} {data.users!r} {data.observable.items!r}"
    assert "person" not in shown
    assert "issue" not in shown


def test_values_have_the_category_that_lists_them():
    words = Column.encode("ill", Role.SENSITIVE, pl.Series(["flu", None, "cold", "ague"]), (("cold", "gout"), ("flu",)))
    assert words.vocabulary.values.to_list() == [None, "ague", "cold", "flu"]
    assert words.category_of.tolist() == [-1, -1, 0, 1]
    numbers = Column.encode("grade", Role.SENSITIVE, pl.Series([2, 10, None, 7]), (("10", "x"), ("2.0", "1e1")))
    assert numbers.category_of.tolist() == [-1, 1, -1, 0]  # missing, 2, 7, 10: the first that lists it


def test_values_are_in_their_own_order_or_in_that_of_the_categories_and_missing_ones_before():
    def ranks(values: list, *categories: tuple[str, ...]) -> list[int] | None:
        found = Column.encode("a", Role.SENSITIVE, pl.Series(values), categories).rank_of
        return None if found is None else found.tolist()

    assert ranks([10, 9, None]) == [0, 1, 2]
    assert ranks([dt.date(2021, 1, 1), dt.date(2020, 1, 1)], ("2021-01-01",)) == [0, 1]
    assert ranks(["low", "high", None, "odd"], ("low", "middle"), ("high",)) == [0, 3, 1, -1]
    assert ranks(["low", "high"]) is None
    shuffled = Column("a", Role.SENSITIVE, Vocabulary(pl.Series([10, None, 9])), np.zeros(1, np.int32))
    assert shuffled.rank_of is not None
    assert shuffled.rank_of.tolist() == [2, 0, 1]


def test_a_hierarchy_of_sensitive_values_stays_with_those_that_occur():
    known = pl.Series(["ash", "birch", "cedar"])
    tree = Hierarchy.from_columns([known, pl.Series(["a", "b", "a"]), pl.Series(["*"] * 3)])
    for role, height in ((Role.SENSITIVE, 2), (Role.QUASI_IDENTIFIER, None)):
        column = Column("tree", role, Vocabulary(known), np.array([2, 0, 2], np.int32), tree).compacted()
        assert column.vocabulary.values.to_list() == ["ash", "cedar"]
        assert (None if column.hierarchy is None else column.hierarchy.height) == height
    kept = Column("tree", Role.SENSITIVE, Vocabulary(known), np.array([2, 0, 2], np.int32), tree).compacted().hierarchy
    assert kept is not None
    assert [labels.values.to_list() for labels in kept.labels] == [["ash", "cedar"], ["a"], ["*"]]
