"""Labels are read as the method meant them, and say what the method gives away."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from cut_tables import cut, cut_tables
from shoal.attacks import Exposure
from shoal.attacks.method_knowledge.minimal_labels import MinimalLabel, minimal_labels
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.labels import published_column
from shoal.testing.check_anonymizer import covers


@settings(max_examples=30)
@given(cut_tables(("k-anonymity:k=2",), max_sensitive=0, max_records=14))
def test_what_a_label_says_is_true_of_every_group_that_mondrian_makes(exposure: Exposure) -> None:
    truth, seen = exposure.tables
    groups = [tuple(column.codes[row] for column in seen.quasi_identifiers) for row in range(len(seen))]
    for original, published in zip(truth.quasi_identifiers, seen.quasi_identifiers, strict=True):
        told = published_column(original, published, np.arange(len(seen)))
        readings = minimal_labels(told, in_order=True)
        for group in set(groups):
            rows = [row for row, each in enumerate(groups) if each == group]
            reading = readings[told.labels[rows[0]]]
            values = {int(told.before[row]) for row in rows}
            assert values <= set(reading.values.tolist())
            if reading.form == "value":
                assert len(values) == 1
            elif reading.form == "range":
                assert {int(reading.values[0]), int(reading.values[-1])} <= values
            elif len(reading.values) > 1:
                branch = dict(zip(reading.values.tolist(), reading.branches.tolist(), strict=True))
                assert len({branch[value] for value in values}) > 1


@settings(max_examples=30)
@given(cut_tables(("k-anonymity:k=2",), max_sensitive=0, max_records=14))
def test_a_label_stands_for_the_values_that_it_covers(exposure: Exposure) -> None:
    truth, seen = exposure.tables
    for original, published in zip(truth.quasi_identifiers, seen.quasi_identifiers, strict=True):
        told = published_column(original, published, np.arange(len(seen)))
        readings = minimal_labels(told, in_order=True)
        labels = dict(zip(published.values.cast(pl.String), told.labels.tolist(), strict=True))
        codes = dict(zip(told.before.tolist(), original.codes.tolist(), strict=True))
        for label, number in labels.items():
            reading = readings[number]
            covered = [value for value in sorted(codes) if covers(label, original, codes[value])]
            if reading.form in ("range", "node"):
                assert reading.values.tolist() == covered
            else:
                assert set(reading.values.tolist()) <= set(covered)
            if original.hierarchy is None:
                assert reading.form != "node"
                assert reading.form != "unknown" or not original.vocabulary.is_ordered


@pytest.mark.parametrize(
    ("values", "label", "meant"),
    [
        ([1, 2, 5, 9], "[2, 9]", [2, 5, 9]),
        ([None, 1, 2, 5], "missing or [1, 2]", [None, 1, 2]),
        ([None, 1, 2, 5], "missing or 1", [None, 1]),
        ([None, 1, 2, 5], "missing or [2, 5]", [None, 2, 5]),
        ([None, 1, 2, 5], "missing or 5", [None, 5]),
        ([0.5, 1.0, 2.5], "[0.5, 1.0]", [0.5, 1.0]),
        (["ash", "birch", "cedar"], "ash | birch", ["ash", "birch"]),
        ([None, "ash", "birch", "cedar"], "missing | ash | birch", [None, "ash", "birch"]),
        ([None, "ash", "birch"], "missing | ash", [None, "ash"]),
        ([None, "ash", "birch"], "missing | birch", [None, "birch"]),
        (["ash", "birch", "cedar"], "ash | cedar", ["ash", "cedar"]),
        (["ash", "birch", "cedar"], "ash … cedar", ["ash", "birch", "cedar"]),
        ([None, "ash", "birch"], "missing | ash … birch", [None, "ash", "birch"]),
    ],
)
def test_a_range_is_read_between_its_ends(values: list, label: str, meant: list) -> None:
    reading = read_one(values, label, meant)
    assert reading.form == "range"
    assert [values[code] for code in reading.values.tolist()] == meant


@pytest.mark.parametrize(
    ("values", "label"),
    [
        ([1, 2, 5], "[1, 2)"),
        ([1, 2, 5], "[2, 1]"),
        ([1, 2, 5], "[1, 3]"),
        ([1, 2, 5], "missing or [1, 2]"),
        ([1, 2, 5], ""),
        (["ash", "birch", "cedar"], "ash | cedar"),
        (["ash", "ash | birch", "birch"], "ash | birch | birch"),
        (["ash", "birch", "cedar"], "trees"),
        (["ash", "birch", "cedar"], "missing | ash"),
    ],
)
def test_of_any_other_label_only_what_is_published_under_it_is_known(values: list, label: str) -> None:
    reading = read_one(values, label, values)
    assert reading.form == "unknown"
    assert reading.values.tolist() == list(range(len(values)))
    assert reading.branches.tolist() == list(range(len(values)))


def test_a_star_without_a_hierarchy_is_the_range_of_all_where_values_are_cut_in_their_order() -> None:
    words = Column.encode("tree", Role.QUASI_IDENTIFIER, pl.Series(["ash", "birch", "cedar"]))
    told = published_column(words, Column.encode("tree", words.role, pl.Series(["*"] * 3)), np.arange(3))
    for in_order, form in ((True, "range"), (False, "unknown")):
        (reading,) = minimal_labels(told, in_order=in_order)
        assert (reading.form, reading.values.tolist()) == (form, [0, 1, 2])


def test_a_node_has_the_branches_of_the_level_that_tells_its_values_apart() -> None:
    tree = {"Europe": {"South": ["Rome", "Bari"], "North": ["Oslo"]}, "Asia": {"East": ["Kobe"]}}
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Rome", "Bari", "Oslo", "Kobe"]))
    town = town.with_hierarchy(Hierarchy.from_tree(town.vocabulary, tree))
    told = pl.Series(["South", "Europe", "*", "Asia"])
    published = Column.encode("town", Role.QUASI_IDENTIFIER, told)
    found = dict(zip(published.vocabulary.values, read(town, published), strict=True))
    words = town.vocabulary.values.to_list()  # Bari, Kobe, Oslo, Rome
    assert {label: reading.form for label, reading in found.items()} == dict.fromkeys(told, "node")
    assert [words[code] for code in found["Europe"].values] == ["Bari", "Oslo", "Rome"]
    assert len(set(found["Europe"].branches[[0, 2]])) == 1
    assert found["Europe"].branches[1] != found["Europe"].branches[0]
    assert len(set(found["South"].branches)) == 2
    assert len(set(found["*"].branches)) == 2
    assert found["Asia"].values.tolist() == [1]


@pytest.mark.parametrize(
    ("labels", "branches"),
    [
        (["-3", "-3", "[0, 2)", "[0, 2)", "*", "*"], [0, 1, 1, 2, 3]),
        (["-3", "-3", "[0, 32)", "[0, 32)", "[0, 32)", "[0, 32)"], [0, 0, 1, 1]),
    ],
    ids=["no label is a half", "one is"],
)
def test_halves_are_branches_only_where_labels_are_halves(labels: list[str], branches: list[int]) -> None:
    """Whoever follows the hierarchy alone publishes ``*`` for 17 and 25, though both are in one half of it."""
    numbers = Column.encode("number", Role.QUASI_IDENTIFIER, pl.Series([-3, -3, 0, 1, 17, 25]))
    numbers = numbers.with_hierarchy(Hierarchy.suggest(numbers.vocabulary))
    found = read(numbers, Column.encode("number", numbers.role, pl.Series(labels)))
    widest = max(found, key=lambda reading: len(reading.values))
    assert widest.branches.tolist() == branches


def test_a_branch_that_is_called_like_one_of_its_values_is_a_branch() -> None:
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Rome", "Bari", "Oslo"]))
    town = town.with_hierarchy(Hierarchy.from_tree(town.vocabulary, {"Rome": ["Rome", "Bari"], "North": ["Oslo"]}))
    rows = np.array([0, 0, 1, 1])  # Rome twice, and Bari twice
    (reading,) = read(town.take(rows), Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Rome"] * 4)))
    assert (reading.form, len(reading.values), len(set(reading.branches))) == ("node", 2, 2)


def test_a_label_with_two_meanings_is_not_taken_at_one_of_them() -> None:
    # masked, 1 is 1* on both levels, and 17 is on the higher one
    code = Column.encode("code", Role.QUASI_IDENTIFIER, pl.Series(["1", "170", "180"]))
    code = code.with_hierarchy(Hierarchy.from_masks(code.vocabulary))
    published = Column.encode("code", Role.QUASI_IDENTIFIER, pl.Series(["1**", "1**", "180"]))
    reading = read(code, published)[0]
    assert reading.form == "unknown"
    # of either meaning it may stand for, the wider is the one that covers what is published under it
    assert reading.values.tolist() == reading.branches.tolist() == [0, 1, 2]


def test_a_label_that_does_not_cover_what_is_under_it_stands_for_that_and_no_more() -> None:
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Rome", "Bari", "Oslo"]))
    town = town.with_hierarchy(Hierarchy.from_tree(town.vocabulary, {"South": ["Rome", "Bari"], "North": ["Oslo"]}))
    (reading,) = read(town.take(np.array([1, 2])), Column.encode("town", town.role, pl.Series(["South"] * 2)))
    assert (reading.form, reading.values.tolist()) == ("unknown", [0, 1])


def test_numbers_are_the_same_however_they_are_written() -> None:
    original = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1.0, 2.0]))
    published = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 2]))
    assert [reading.form for reading in read(original, published)] == ["value", "value"]


def test_a_table_that_is_cut_to_the_end_is_told_as_it_is() -> None:
    ages = Column.encode("age", Role.QUASI_IDENTIFIER, pl.Series([1, 1, 2, 2]))
    truth, seen = cut(Microdata((ages,)), "k-anonymity:k=2").tables
    assert [reading.form for reading in read(truth.columns[0], seen.columns[0])] == ["value", "value"]


def read(original: Column, published: Column) -> list[MinimalLabel]:
    return minimal_labels(published_column(original, published, np.arange(len(original))), in_order=True)


def read_one(values: list, label: str, under: list) -> MinimalLabel:
    """Read a label under which some of the values are published; the others are told as they are."""
    original = Column.encode("column", Role.QUASI_IDENTIFIER, pl.Series(values))
    words = original.values.cast(pl.String).to_list()
    told = [label if value in under else word for value, word in zip(values, words, strict=True)]
    published = Column.encode("column", Role.QUASI_IDENTIFIER, pl.Series(told, dtype=pl.String))
    return dict(zip(published.vocabulary.values, read(original, published), strict=True))[label]
