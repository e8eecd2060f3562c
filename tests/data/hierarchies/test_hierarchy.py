"""Generalization hierarchies: what they say, and what is refused as none."""

import re
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Hierarchy, Vocabulary
from shoal.errors import HierarchyError


def levels(hierarchy: Hierarchy) -> list[list]:
    """The labels of every value, level by level."""
    return [labels.take(codes).to_list() for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]


def words(*values: str | None) -> Vocabulary:
    return Vocabulary(pl.Series(values, dtype=pl.String))


def numbers(*values: float | None) -> Vocabulary:
    return Vocabulary(pl.Series(values))


def test_masks_hide_one_letter_a_level():
    assert levels(Hierarchy.from_masks(words("4350", "4352", "4370"))) == [
        ["4350", "4352", "4370"],
        ["435*", "435*", "437*"],
        ["43**", "43**", "43**"],
        ["4***", "4***", "4***"],
        ["*", "*", "*"],
    ]


@given(st.lists(st.text("ab*", max_size=4) | st.none(), min_size=1, unique=True))
def test_masks_nest_whatever_the_lengths(values):
    try:
        hierarchy = Hierarchy.from_masks(words(*values))
    except HierarchyError:
        assert any("*" in (value or "") for value in values), "nothing looks like a code that is masked"
        return
    published = levels(hierarchy)
    assert published[0] == values
    assert set(published[-1]) == {"*"}
    for labels in published[1:-1]:
        for value, label in zip(values, labels, strict=True):
            shown = label.rstrip("*")
            assert (value or "").rstrip("*").startswith(shown) or (value or "").startswith(shown)


def test_a_code_that_looks_like_another_one_masked_is_refused():
    with pytest.raises(HierarchyError, match="look like others that are masked"):
        Hierarchy.from_masks(words("4*", "41"))
    assert Hierarchy.suggest(words("4*", "41")).height == 1


def test_intervals_are_half_open_and_grow():
    assert levels(Hierarchy.from_intervals(numbers(15, 17, 20, -1), [5, 10])) == [
        [15, 17, 20, -1],
        ["[15, 20)", "[15, 20)", "[20, 25)", "[-5, 0)"],
        ["[10, 20)", "[10, 20)", "[20, 30)", "[-10, 0)"],
        ["*"] * 4,
    ]


def test_a_missing_number_has_an_interval_of_its_own():
    assert levels(Hierarchy.from_intervals(numbers(None, 3), [5]))[1] == ["missing", "[0, 5)"]


@given(
    st.lists(
        st.integers(-(10**15), 10**15) | st.decimals(-100, 100, places=1).map(float), min_size=1, unique=True
    ).filter(lambda v: len(set(map(float, v))) == len(v)),
    st.sampled_from([[0.1, 0.3], [5, 10, 20], [0.25], [1e6]]),
)
def test_a_number_is_inside_its_interval_exactly(values, widths):
    kind = pl.Int64 if all(isinstance(value, int) for value in values) else pl.Float64
    series = pl.Series([float(v) for v in values] if kind == pl.Float64 else values, dtype=kind)
    published = levels(Hierarchy.from_intervals(Vocabulary(series), widths))
    for width, labels in zip(widths, published[1:-1], strict=True):
        for value, label in zip(series.to_list(), labels, strict=True):
            low, high = (Fraction(end) for end in re.fullmatch(r"\[(.+), (.+)\)", label).groups())  # type: ignore[union-attr]
            assert low <= Fraction(str(value)) < high
            assert high - low == Fraction(str(width))


@pytest.mark.parametrize(
    "widths", [[5, 7], [10, 5], [5, 5], [0, 5], [0], [-5], [float("inf")], [float("nan")]], ids=str
)
def test_widths_that_do_not_nest_are_refused(widths):
    with pytest.raises(HierarchyError):
        Hierarchy.from_intervals(numbers(1, 2), widths)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_intervals_of_numbers_that_are_none_are_refused(bad):
    with pytest.raises(HierarchyError, match="finite"):
        Hierarchy.from_intervals(numbers(1.0, bad), [5])


def test_intervals_of_words_are_refused():
    with pytest.raises(HierarchyError, match="column of numbers"):
        Hierarchy.from_intervals(words("1", "2"), [5])


def test_a_tree_of_categories_gives_a_level_a_depth():
    tree = {"Europe": {"Nordic": ["Norway", "Sweden"], "Iberia": ["Spain"]}, "Asia": ["Japan"]}
    assert levels(Hierarchy.from_tree(words("Japan", "Norway", "Spain", "Sweden"), tree)) == [
        ["Japan", "Norway", "Spain", "Sweden"],
        ["Asia", "Nordic", "Iberia", "Nordic"],
        ["Asia", "Europe", "Europe", "Europe"],
        ["*"] * 4,
    ]


def test_a_tree_that_misses_a_value_is_refused_without_telling_which():
    with pytest.raises(HierarchyError, match="misses 1 of the 2 values") as caught:
        Hierarchy.from_tree(words("Norway", "Atlantis"), {"Europe": ["Norway"]})
    assert "Atlantis" not in str(caught.value)


def test_a_tree_with_a_value_in_two_places_is_refused():
    with pytest.raises(HierarchyError, match="more than once"):
        Hierarchy.from_tree(words("Turkey"), {"Europe": ["Turkey"], "Asia": ["Turkey"]})


def test_several_roots_are_refused():
    with pytest.raises(HierarchyError, match="has 2 values; it must have one root"):
        Hierarchy.from_columns([pl.Series(["a", "b"]), pl.Series(["x", "y"])])


def test_levels_that_do_not_nest_are_refused():
    with pytest.raises(HierarchyError, match="Levels 1 and 2 of the hierarchy do not nest"):
        Hierarchy.from_columns(
            [pl.Series(["a", "b", "c"]), pl.Series(["x", "x", "y"]), pl.Series(["p", "q", "q"]), pl.Series(["*"] * 3)]
        )


def test_a_value_listed_twice_is_refused():
    with pytest.raises(HierarchyError, match="more than once"):
        Hierarchy.from_columns([pl.Series(["a", "a"]), pl.Series(["*", "*"])])


def test_a_hierarchy_moves_to_the_values_that_occur():
    hierarchy = Hierarchy.from_masks(words("4350", "4352", "4370"))
    assert levels(hierarchy.rebased(numbers(4370, 4350))) == [
        [4370, 4350],
        ["437*", "435*"],
        ["43**", "43**"],
        ["4***", "4***"],
        ["*", "*"],
    ]


def test_a_hierarchy_that_misses_a_value_is_refused_without_telling_which():
    hierarchy = Hierarchy.from_masks(words("4350"))
    with pytest.raises(HierarchyError, match="misses 2 of the 3 values of zip") as caught:
        hierarchy.rebased(words("4350", "4711", None), "zip")
    assert "4711" not in str(caught.value)


def test_values_are_generalized_by_their_codes():
    hierarchy = Hierarchy.from_masks(words("4350", "4352", "4370"))
    assert hierarchy.generalized(np.array([2, 0, 0]), 1).tolist() == [1, 0, 0]
    assert (hierarchy.n_values, hierarchy.height) == (3, 4)


@given(
    st.lists(st.integers(-(10**12), 10**12) | st.floats(-1e9, 1e9) | st.none(), min_size=1, max_size=40, unique_by=repr)
)
def test_numbers_get_suggestions_that_are_hierarchies(values):
    series = pl.Series([None if v is None else float(v) for v in values], dtype=pl.Float64).unique(maintain_order=True)
    hierarchy = Hierarchy.suggest(Vocabulary(series))
    sizes = [len(labels) for labels in hierarchy.labels]
    assert sizes[-1] == 1
    if len(series) > 1:
        assert sizes == sorted(set(sizes), reverse=True), "every level tells less than the one below it"
    if len(series.drop_nulls()) > 22:
        assert sizes[1] <= 21 + 1  # about twenty intervals, and the missing ones


@pytest.mark.parametrize(
    ("vocabulary", "height"),
    [
        (words("4350", "4351", "5111"), 2),  # codes of one length: masks, as far as they tell something
        (words("ash", "oak"), 1),  # words: straight to the root
        (words("4350", "435"), 1),  # codes of several lengths
        (words(None, "12", "13"), 2),
        (words("2024-02-28", "2024-03-01", "2025-03-01"), 2),  # days: each has its month, two share a quarter
        (words(None), 1),
        (numbers(0, 1), 1),  # two numbers have nothing in between
        (Vocabulary(pl.Series([False, True])), 1),
    ],
    ids=["codes", "words", "lengths", "missing", "days", "nothing", "binary", "bool"],
)
def test_what_is_suggested_depends_on_the_values(vocabulary, height):
    assert Hierarchy.suggest(vocabulary).height == height


def test_leaves_that_the_column_does_not_have_are_counted():
    tree = {"Europe": ["France", "Spain"], "Asia": ["Japan", "China", "India"]}
    hierarchy = Hierarchy.from_tree(words("Japan", "Spain"), tree)
    assert levels(hierarchy) == [["Japan", "Spain"], ["Asia", "Europe"], ["*", "*"]]
    assert [counts.tolist() for counts in hierarchy.leaves] == [[1, 1], [3, 2], [5]]
    assert hierarchy.n_leaves == 5
    fewer = hierarchy.rebased(words("Spain"))
    assert [counts.tolist() for counts in fewer.leaves] == [[1], [2], [5]]


@given(st.lists(st.text("ab", max_size=3), min_size=1, unique=True), st.data())
def test_leaves_are_counted_as_one_by_one(values, data):
    whole = Hierarchy.from_masks(words(*values))
    some = data.draw(st.lists(st.sampled_from(values), min_size=1, unique=True))
    for hierarchy in (whole, whole.rebased(words(*some)), whole.rebased(words(*some)).rebased(words(some[-1]))):
        for level, published in enumerate(levels(whole)):
            labels = hierarchy.labels[level].values.to_list()
            assert hierarchy.leaves[level].tolist() == [published.count(label) for label in labels]
