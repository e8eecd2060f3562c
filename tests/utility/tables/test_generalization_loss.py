"""What tables lose, label by label, against counting it person by person, and by hand."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import label_oracle
from comparisons import sizes
from published_tables import plain, published_tables
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.io import TableSchema, read
from shoal.utility import MEASURES, Comparison, measured
from shoal.utility.published_columns import published_columns
from shoal.utility.tables.distributions import distribution_distances

LOSSES = {
    "loss-mean": label_oracle.loss_mean,
    "normalized certainty penalty": label_oracle.certainty_penalty,
    "precision": label_oracle.precision,
    "distortion ratio": label_oracle.distortion_ratio,
    "entropy loss": label_oracle.entropy_loss,
}


@settings(max_examples=60)
@given(comparison=published_tables())
def test_labels_are_read_as_value_by_value(comparison):
    for name, column in plain(comparison, Role.QUASI_IDENTIFIER, Role.SENSITIVE).items():
        published = comparison.once(published_columns)[name]
        assert (published.n_leaves, published.height) == label_oracle.size(column)
        assert published.values.to_list() == column.domain
        for label, text in zip(published.labels.tolist(), column.labels, strict=True):
            values, leaves, height = label_oracle.meaning(column, text)
            places = published.listing[published.begins[label] : published.ends[label]].tolist()
            assert len(places) == len(values)
            assert {column.domain[place] for place in places} == values
            assert (published.leaves[label], published.heights[label]) == (leaves, height)
            assert (published.lowest[label], published.highest[label]) == (min(places), max(places))


@settings(max_examples=50)
@given(comparison=published_tables())
def test_losses_are_those_of_person_by_person(comparison):
    columns = list(plain(comparison).values())
    found = measured(comparison, [MEASURES[name] for name in LOSSES])
    for name, oracle in LOSSES.items():
        expected = oracle(columns)
        assert found.values.get(name) == (None if expected is None else pytest.approx(float(expected), abs=1e-9)), name
    assert found.reasons.keys() <= {"entropy loss"}
    columns = plain(comparison, Role.QUASI_IDENTIFIER, Role.SENSITIVE)
    expected = {name: label_oracle.distribution_distance(column) for name, column in columns.items()}
    assert distribution_distances(comparison) == pytest.approx(expected, abs=1e-12)
    mean = sum(expected.values()) / len(expected)
    assert MEASURES["attribute distribution distance"](comparison) == pytest.approx(mean, abs=1e-12)


def qi(name: str, values: list, hierarchy: Hierarchy | None = None) -> Column:
    column = Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(values))
    return column if hierarchy is None else column.with_hierarchy(hierarchy.rebased(column.vocabulary))


def by_hand(before: list[Column], after: list[Column], origins: list[int], **promised) -> dict[str, float]:
    released = Microdata(tuple(after))
    comparison = Comparison(Microdata(tuple(before)), np.array(origins), released, sizes(released), **promised)
    return dict(measured(comparison, MEASURES.values()).values)


def masks(*codes: str) -> Hierarchy:
    return Hierarchy.from_masks(qi("zip", list(codes)).vocabulary)


def test_the_example_of_algorithm_1_by_hand():
    """Table 3.6 of the thesis: of four codes of five digits, two are told one level up of five."""
    zips = masks("14248", "14247")
    before = qi("zip", ["14248", "14248", "14248", "14247"], zips)
    after = qi("zip", ["14248", "14248", "1424*", "1424*"])
    found = by_hand([before], [after], [0, 1, 2, 3], k=2)
    assert found["distortion ratio"] == 2 / (4 * 5)
    assert found["precision"] == pytest.approx(1 - 2 / 20)
    assert found["discernability"] == 4 + 4
    assert found["normalized average group size"] == 1
    assert found["loss-mean"] == 0.5
    assert found["normalized certainty penalty"] == 0.5
    # log2(4/3) for the third, log2(4/1) for the last, of all bits: 3 · log2(4/3) + log2(4)
    assert found["entropy loss"] == pytest.approx((math.log2(4 / 3) + 2) / (3 * math.log2(4 / 3) + 2))
    # three quarters were 14248; told are two of them and two that may be either: three quarters
    assert found["attribute distribution distance"] == 0


def test_two_columns_and_a_withheld_record_by_hand():
    """Ages 20, 30, 40, 60 and the land; the last is withheld."""
    lands = Hierarchy.from_columns(
        [pl.Series(["A", "B", "C", "D", "E"]), pl.Series(["x", "x", "x", "y", "y"]), pl.Series(["*"] * 5)]
    )
    before = [qi("age", [20, 30, 40, 60]), qi("land", ["A", "B", "D", "D"], lands)]
    after = [qi("age", ["[20, 40]", "[20, 40]", "40"]), qi("land", ["x", "x", "*"])]
    found = by_hand(before, after, [0, 1, 2], k=2)
    # age: 3 of 4 values, twice; land: 3 of 5 leaves twice and all once; and the withheld record
    assert found["loss-mean"] == pytest.approx(((2 / 3 + 2 / 3 + 0 + 1) / 4 + (2 / 4 + 2 / 4 + 1 + 1) / 4) / 2)
    # age: half of the range, twice
    penalty = ((1 / 2 + 1 / 2 + 0 + 1) / 4 + (3 / 5 + 3 / 5 + 1 + 1) / 4) / 2
    assert found["normalized certainty penalty"] == pytest.approx(penalty)
    assert found["precision"] == pytest.approx(1 - ((1 + 1 + 0 + 1) / 4 + (1 / 2 + 1 / 2 + 1 + 1) / 4) / 2)
    assert found["distortion ratio"] == (1 + 1 + 0 + 1 + 1 + 1 + 2 + 2) / (4 * 1 + 4 * 2)
    assert found["discernability"] == 4 + 1 + 1 * 4
    assert found["normalized average group size"] == 3 / 2 / 2
    lost = 2 * math.log2(3) + 0 + 2 + (1 + 1 + 1 + 1)
    assert found["entropy loss"] == pytest.approx(lost / (4 * 2 + 2 + 2 + 1 + 1))
    ages = abs(1 / 4 - 2 / 9) * 2 + abs(1 / 4 - 5 / 9) + 1 / 4
    land = abs(1 / 4 - 4 / 9) * 2 + abs(1 / 2 - 1 / 9)
    assert found["attribute distribution distance"] == pytest.approx((ages / 2 + land / 2) / 2)


def test_labels_that_do_not_cover_their_values_stand_for_what_is_under_them():
    """31 told as 47, 47 as [20, 31], and 60 as a code that is in another branch."""
    tens = Hierarchy.from_intervals(qi("age", [20, 31, 47, 60]).vocabulary, [20])
    before = qi("age", [20, 31, 47, 60], tens)
    after = qi("age", ["20", "47", "[20, 31]", "[20, 40)"])
    published = published_columns(Comparison(Microdata((before,)), np.arange(4), Microdata((after,)), np.ones(4)))[
        "age"
    ]
    assert published.covers.tolist() == published.leaves.tolist() == [1, 1, 1, 1]
    assert published.listing[published.begins[published.labels]].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("published", ["*", None])
def test_where_nothing_is_told_everything_is_lost(published):
    before = [qi("age", [20, 30, 40, None]), qi("land", ["A", "B", "B", "C"])]
    after = [qi(name, [published, published, published, published]) for name in ("age", "land")]
    found = by_hand(before, [column if published else _missing(column) for column in after], [3, 1, 0, 2])
    for name in ("loss-mean", "normalized certainty penalty", "distortion ratio", "entropy loss"):
        assert found[name] == pytest.approx(1), name
    assert found["precision"] == 0


def _missing(column: Column) -> Column:
    return Column.encode(column.name, column.role, pl.Series([None] * 4, dtype=pl.String))


@settings(max_examples=25)
@given(comparison=published_tables())
def test_what_is_published_as_it_is_loses_nothing(comparison):
    whole = comparison.whole
    same = Comparison(whole, np.arange(len(whole)), whole, sizes(whole))
    found = measured(same, [MEASURES[name] for name in (*LOSSES, "attribute distribution distance")]).values
    assert found["precision"] == 1
    assert all(found.get(name, 0) == 0 for name in found if name != "precision")


@settings(max_examples=25)
@given(comparison=published_tables(), data=st.data())
def test_the_order_of_rows_and_how_values_are_coded_do_not_matter(comparison, data):
    names = (*LOSSES, "attribute distribution distance")
    expected = measured(comparison, [MEASURES[name] for name in names]).values
    whole, released = comparison.whole, comparison.released
    order = np.array(data.draw(st.permutations(range(len(whole)))))
    place = np.argsort(order)
    turned = np.array(data.draw(st.permutations(range(len(released)))))
    published = Microdata(tuple(_recoded(column) for column in released.take(turned).columns))
    other = Comparison(whole.take(order), place[comparison.origins][turned], published, comparison.sizes)
    found = measured(other, [MEASURES[name] for name in names]).values
    assert found == pytest.approx(expected, abs=1e-9)


def _recoded(column: Column) -> Column:
    """Labels in the other order, and one that nobody has; written as text."""
    words = column.vocabulary.values.cast(pl.String).to_list()
    wide = pl.Series(["nobody has this", *words][::-1], dtype=pl.String)
    return column.recoded(type(column.vocabulary)(wide), len(words) - 1 - column.codes)


def test_the_optima_of_adult_lose_what_a_full_search_found(shared_data):
    """Nodes of the lattice of eight quasi-identifiers, groups below k withheld."""
    folder = shared_data / "tables/adult/arx"
    names = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
    described: Any = {"occupation": {"role": "insensitive"}} | {
        name: {"role": "quasi-identifier", "hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in names
    }
    table = read(folder / "adult.csv", TableSchema(columns=described)).records
    assert isinstance(table, Microdata)
    for k, node, withheld, name, best in ADULT:
        published = []
        for column_name, level in zip(names, node, strict=True):
            column = table[column_name]
            assert column.hierarchy is not None
            codes = column.hierarchy.generalized(column.codes, level)
            published.append(column.recoded(column.hierarchy.labels[level], codes) if level else column)
        _, group, counts = np.unique(
            np.stack([column.codes for column in published]), axis=1, return_inverse=True, return_counts=True
        )
        kept = np.flatnonzero(counts[group.ravel()] >= k)
        released = table.replaced(tuple(published)).take(kept)
        comparison = Comparison(table, kept, released, counts[counts >= k], k=k)
        assert comparison.withheld == withheld
        assert MEASURES[name](comparison) == pytest.approx(best, abs=1e-10)


ADULT = [
    (2, (0, 4, 1, 1, 3, 2, 0, 0), 0, "loss-mean", 0.5541451164),
    (2, (0, 3, 0, 0, 2, 1, 1, 0), 481, "loss-mean", 0.1534969793),
    (5, (0, 3, 0, 2, 2, 1, 1, 0), 506, "loss-mean", 0.2771678011),
    (100, (0, 4, 1, 1, 2, 2, 1, 0), 556, "loss-mean", 0.5197081198),
    (2, (1, 0, 1, 1, 1, 2, 2, 1), 45, "discernability", 5643993),
    (5, (0, 0, 1, 2, 3, 2, 2, 0), 60, "discernability", 9268952),
    (100, (1, 4, 1, 1, 1, 2, 2, 1), 0, "discernability", 162312130),
]


def test_a_root_beside_a_range_covers_the_values_that_occur() -> None:
    """The vocabulary has a missing value that no record of the sample has."""
    column = qi("height", [None, 1.5, 2.5]).take(np.array([1, 2, 2]))
    after = Column.encode("height", Role.QUASI_IDENTIFIER, pl.Series(["[1.5, 2.5]", "*", "[1.5, 2.5]"]))
    assert by_hand([column], [after], [0, 1, 2])["loss-mean"] == 1
