"""Halves between the levels of a hierarchy: true, nested, and named without a look at the records."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Role, Vocabulary
from shoal.labels import halved_hierarchy, published_column
from shoal.testing.check_anonymizer import covers

LISTED = {
    value: [f"{value // 5 * 5}-{value // 5 * 5 + 4}", "young" if value < 20 else "old", "*"] for value in range(40)
}
"""A domain that somebody listed, with labels in words."""


def labels_of(hierarchy: Hierarchy | None, vocabulary: Vocabulary) -> dict[Any, tuple[str, ...]]:
    """By value, its labels from the value itself to the root."""
    halved = halved_hierarchy(hierarchy, vocabulary).hierarchy
    words = [labels.words.gather(codes).to_list() for labels, codes in zip(halved.labels, halved.maps, strict=True)]
    return dict(zip(vocabulary.values, zip(*words, strict=True), strict=True))  # type: ignore[arg-type]


def vocabulary_of(values, dtype: Any = pl.Int64) -> Vocabulary:
    return Vocabulary.encode(pl.Series(sorted(set(values)), dtype=dtype))[0]


def listed(vocabulary: Vocabulary) -> Hierarchy:
    levels = [pl.Series([LISTED[value][level] for value in LISTED]) for level in range(3)]
    return Hierarchy.from_columns([pl.Series(list(LISTED)), *levels]).rebased(vocabulary)


def test_numbers_without_a_hierarchy_are_told_by_powers_of_two_from_zero():
    published = labels_of(None, vocabulary_of([17, 18, 23, 40]))
    assert published[17] == ("17", "[16, 20)", "[16, 24)", "[16, 32)", "[0, 32)", "*")
    assert published[40] == ("40", "[40, 44)", "[40, 48)", "[32, 48)", "[32, 64)", "*")


def test_real_numbers_are_halved_below_one():
    published = labels_of(None, vocabulary_of([0.1, 0.3, 0.4, 0.9], pl.Float64))
    assert published[0.3][-3:] == ("[0.25, 0.5)", "[0, 0.5)", "*")


def test_levels_of_intervals_are_halved_between_and_below_them():
    vocabulary = vocabulary_of([17, 18, 23, 25, 40, 41, 90])
    published = labels_of(Hierarchy.from_intervals(vocabulary, [5, 25]), vocabulary)
    assert published[23] == ("23", "[20, 25)", "[15, 25)", "[10, 25)", "[0, 25)", "[0, 50)", "*")
    assert published[41] == ("41", "[40, 45)", "[40, 45)", "[35, 50)", "[25, 50)", "[0, 50)", "*")


def test_labels_in_words_reach_over_the_values_that_are_listed():
    published = labels_of(listed(vocabulary_of([3, 4, 12, 31])), vocabulary_of([3, 4, 12, 31]))
    assert published[12] == ("12", "[12, 13)", "[12, 15)", "10-14", "[10, 20)", "young", "*")
    assert published[3] == ("3", "[3, 5)", "[2, 5)", "0-4", "[0, 10)", "young", "*")


@pytest.mark.parametrize("values", [["a", "b", "c"], [None, 1]])
def test_what_is_not_several_numbers_is_left_alone(values):
    vocabulary = Vocabulary.encode(pl.Series(values))[0]
    halved = halved_hierarchy(None, vocabulary)
    assert halved.hierarchy.height == 1
    assert halved.heights == (0, 1)


def test_masks_are_no_intervals():
    vocabulary = vocabulary_of([4370, 4371, 4380, 5000])
    masks = Hierarchy.from_masks(vocabulary)
    assert halved_hierarchy(masks, vocabulary).hierarchy is masks


def interval_of(text: str) -> tuple[Fraction, Fraction]:
    low, high = text[1:-1].split(", ")
    return Fraction(low), Fraction(high)


@given(values=st.sets(st.integers(-200, 5000), min_size=2, max_size=30))
def test_labels_without_a_hierarchy_do_not_depend_on_the_records(values):
    """Whatever the others are: the width is a power of two, and the ends are multiples of it."""
    for value, (_, *halves, root) in labels_of(None, vocabulary_of(values)).items():
        assert root == "*"
        for text in halves:
            low, high = interval_of(text)
            width = high - low
            assert width.denominator == 1
            assert width.numerator & (width.numerator - 1) == 0
            assert low % width == 0
            assert low <= value < high


@given(
    values=st.sets(st.integers(0, 39), min_size=2, max_size=20),
    others=st.sets(st.integers(0, 39), min_size=2),
)
def test_labels_of_a_listed_domain_do_not_depend_on_the_records(values, others):
    vocabularies = vocabulary_of(values), vocabulary_of(others | values)
    published, all_told = (labels_of(listed(vocabulary), vocabulary) for vocabulary in vocabularies)
    for value in values:
        assert set(published[value]) <= set(all_told[value])


@given(
    values=st.sets(st.integers(-60, 300), min_size=2, max_size=20),
    others=st.sets(st.integers(-60, 300)),
    widths=st.sampled_from([[5], [5, 25], [3, 21, 42], [10, 100]]),
)
def test_labels_of_intervals_do_not_depend_on_the_records(values, others, widths):
    """What one value may be called is the same among any others, but for how many of its names there are."""
    vocabularies = vocabulary_of(values), vocabulary_of(others | values)
    published, all_told = (labels_of(Hierarchy.from_intervals(each, widths), each) for each in vocabularies)
    for value in values:
        spans = {interval_of(text) for text in (*published[value], *all_told[value]) if text[0] == "["}
        for low, high in spans:  # all of them nest: none was cut where the records lie
            for begin, end in spans:
                assert (low <= begin and end <= high) or (begin <= low and high <= end)
            assert high - low <= max(widths) or (high - low) % max(widths) == 0


NUMBERS = st.lists(st.integers(0, 39) | st.none(), min_size=2, max_size=20)


@given(values=NUMBERS, build=st.sampled_from(["none", "intervals", "quantiles", "listed"]))
def test_every_label_covers_its_value_and_the_measures_read_it_as_it_was_made(values, build):
    column = Column.encode("n", Role.QUASI_IDENTIFIER, pl.Series(values, dtype=pl.Int64))
    if build == "intervals":
        column = column.with_hierarchy(Hierarchy.from_intervals(column.vocabulary, [4, 20]))
    if build == "quantiles":
        column = column.with_hierarchy(Hierarchy.from_quantiles(column.vocabulary, column.counts, [4, 2]))
    if build == "listed" and None not in values:
        column = column.with_hierarchy(listed(column.vocabulary))
    halved, heights = halved_hierarchy(column.hierarchy, column.vocabulary)
    assert list(heights) == sorted(heights)
    for level in range(halved.height + 1):
        published = column.recoded(halved.labels[level], halved.generalized(column.codes, level))
        for code, label in zip(column.codes.tolist(), published.values.cast(pl.String).to_list(), strict=True):
            assert covers(label, column, code) or (label == "missing" and column.vocabulary.values[code] is None)
        if not any(text is not None and text.startswith("[") for text in halved.labels[level].words):
            continue
        read = published_column(column, published, column.codes * 0 + range(len(column)))
        expected = halved.leaves[level][halved.maps[level]][column.codes]
        assert read.leaves[read.labels].tolist() == expected.tolist()
        generalized = expected > 1
        texts = [
            names.words.gather(codes[column.codes]) for names, codes in zip(halved.labels, halved.maps, strict=True)
        ]
        lowest = [
            next(h for h, of in zip(heights, texts, strict=True) if of[i] == texts[level][i])
            for i in range(len(column))
        ]
        assert read.heights[read.labels][generalized].tolist() == np.array(lowest)[generalized].tolist()


def as_interval(text: str | None) -> tuple[Fraction, Fraction] | None:
    return interval_of(text) if text is not None and text.startswith("[") else None


@given(
    values=st.sets(st.integers(-100, 300), min_size=2, max_size=15),
    build=st.sampled_from(["none", "intervals", "quantiles"]),
    real=st.booleans(),
)
def test_halves_nest_and_those_of_a_level_do_not_overlap(values, build, real):
    numbers = [value / 4 for value in values] if real else values
    vocabulary = vocabulary_of(numbers, pl.Float64 if real else pl.Int64)
    given_one = None
    if build == "intervals":
        given_one = Hierarchy.from_intervals(vocabulary, [5, 20])
    if build == "quantiles":
        given_one = Hierarchy.from_quantiles(vocabulary, np.ones(len(vocabulary), np.int64), [4, 2])
    paths = labels_of(given_one, vocabulary)
    depth = len(next(iter(paths.values())))
    for level in range(depth):
        spans = {span for path in paths.values() if (span := as_interval(path[level])) is not None}
        closed = {span for path in paths.values() if (span := as_interval(path[level])) and path[level][-1] == "]"}
        for low, high in spans:
            assert all(end <= low or high <= begin for begin, end in spans - {(low, high)}) or closed & spans
        if level + 1 < depth:
            parents = {path[level]: path[level + 1] for path in paths.values()}
            assert all(parents[path[level]] == path[level + 1] for path in paths.values()), (
                "each label has one above it"
            )
            for child, parent in parents.items():
                inner, outer = as_interval(child), as_interval(parent)
                assert inner is None or outer is None or (outer[0] <= inner[0] and inner[1] <= outer[1])
    for value, path in paths.items():
        for span, text in ((as_interval(text), text) for text in path):
            assert span is None or span[0] <= Fraction(value) <= span[1] - (
                0 if text[-1] == "]" else Fraction(1, 10**9)
            )
