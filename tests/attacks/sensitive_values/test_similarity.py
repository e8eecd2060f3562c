"""``similarity``: different secrets of one kind are one secret."""

import datetime as dt
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inference_oracle as oracle
from released import released
from shoal.attacks import Exposure, Similarity
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.datasets.papers.paper_ratings import ratings_of
from shoal.datasets.papers.thesis_tables import thesis_3_2, thesis_3_4
from shoal.errors import WordingError
from shoal.randomness import Randomness

CHANCE = Randomness(1)


@given(released("ratings", max_sensitive=1), st.integers(2, 5), st.sampled_from([Fraction(0), Fraction(1)]))
def test_ratings_are_similar_in_the_same_part_of_the_scale(exposure: Exposure, parts: int, within: Fraction) -> None:
    scale = exposure.ratings[1].scale
    for name in oracle.names(exposure):
        check(
            Similarity(name, within, parts=parts),
            exposure,
            oracle.concluded(exposure, name, within),
            lambda rating: part(rating, scale.lowest, scale.highest, parts),
        )


@given(released("table", max_sensitive=1), st.data())
def test_values_are_similar_by_category_hierarchy_or_range(exposure: Exposure, data: st.DataObject) -> None:
    for name in oracle.names(exposure):
        drawn = exposure.tables[0][name]
        column = Column(name, drawn.role, drawn.vocabulary, drawn.codes)
        how = data.draw(st.sampled_from(["nothing", "categories", "hierarchy"]))
        known = dict.fromkeys(column.vocabulary.values)
        if how == "categories":
            words = column.vocabulary.values.cast(pl.String).drop_nulls().to_list()
            named = data.draw(st.dictionaries(st.sampled_from(words), st.integers(0, 2)) if words else st.just({}))
            by_category = tuple(tuple(word for word in named if named[word] == which) for which in range(3))
            told = Column(name, column.role, column.vocabulary, column.codes, None, by_category)
            known = {
                value: named.get(word, ("alone", word))
                for value, word in zip(known, column.vocabulary.values.cast(pl.String), strict=True)
            }
        elif how == "hierarchy":
            labels = pl.Series([f"label {at % 2}" for at in range(len(column.vocabulary))])
            roots = pl.Series(["*"] * len(labels))
            told = column.with_hierarchy(Hierarchy.from_columns([column.vocabulary.values, labels, roots]))
            known = dict(zip(known, labels, strict=True))
        else:
            told = column
            known = ranges(exposure, name)
        with_it = Exposure(exposure.tables[0].replaced((told,)), exposure.seen, exposure.place)
        if known is None:
            assert str(Similarity().misfit(with_it)).startswith("No similarity of sensitive values is defined")
        else:
            check(Similarity(name), with_it, oracle.concluded(with_it, name, Fraction(0)), known.__getitem__)


def check(attack: Similarity, exposure: Exposure, people: list, category) -> None:
    if not people:
        assert attack.misfit(exposure) is not None
        return
    found = attack.run(exposure, CHANCE)
    told = [(category(value), list(map(category, alike)), list(map(category, every))) for value, alike, every in people]
    assert found.targets == len(people)
    assert found.main == pytest.approx(np.mean([oracle.guess(own, alike or every) for own, alike, every in told]))
    assert found.baseline == pytest.approx(np.mean([oracle.guess(own, every) for own, _, every in told]))
    one = [len(set(alike)) == 1 for _, alike, _ in told]
    assert found.details["people_in_groups_in_one_category"] == sum(one)
    several = [len(set(alike)) > 1 for _, alike, _ in people]
    assert found.details["people_in_one_category_with_several_values"] == sum(map(min, one, several))


def part(number, lowest, highest, parts: int) -> int:
    """The number of the part of a range, each of the same length, in which a number lies."""
    borders = [lowest + (highest - lowest) * Fraction(at, parts) for at in range(1, parts)]
    return sum(number >= border for border in borders)


def ranges(exposure: Exposure, name: str) -> dict | None:
    """The part of each number or day among those that are published; what is missing is a part of its own."""
    values = exposure.tables[0][name].vocabulary.values
    if not (values.dtype.is_numeric() or values.dtype.is_temporal()):
        return None
    as_number = {value: None if value is None else number(value) for value in values}
    published = [number(value) for value in oracle.values(exposure.tables[1], name) if value is not None]
    if not published:
        return dict.fromkeys(as_number, "missing")
    low, high = min(published), max(published)
    return {
        value: "missing" if at is None else 0 if low == high else part(at, low, high, 3)
        for value, at in as_number.items()
    }


def number(value) -> Fraction:
    return Fraction((value - dt.date(1970, 1, 1)).days) if isinstance(value, dt.date) else Fraction(str(value))


def test_one_group_of_table_3_2_is_top_secret_throughout() -> None:
    found = Similarity().run(Exposure.of_itself(thesis_3_2()), CHANCE)
    # HIV HIV Cancer Cancer | Hepatitis Phthisis Asthma Obesity | Flu Flu Flu Indigestion
    assert found.main == pytest.approx((4 + 4 * 0.5 + 4) / 12)
    assert found.baseline == pytest.approx((4 * 0.5 + 4 * 0.5) / 12)
    assert found.details["groups_in_one_category"] == 2
    assert found.details["people_in_groups_in_one_category"] == 8
    assert found.details["people_in_one_category_with_several_values"] == 8


def test_no_group_of_table_3_4_is_of_one_category() -> None:
    found = Similarity().run(Exposure.of_itself(thesis_3_4()), CHANCE)
    assert found.details["groups_in_one_category"] == 0
    assert found.main == pytest.approx(0.5)


def test_five_stars_are_low_middle_and_high() -> None:
    people = ratings_of([(1, 1), (1, 2), (2, 3), (3, 4), (3, 5)], 5)
    found = Similarity().run(Exposure.of_itself(people), CHANCE)
    assert found.main == 1.0
    assert found.details["groups_in_one_category"] == 3
    assert found.details["people_in_one_category_with_several_values"] == 4


def test_a_number_is_in_its_category_however_it_is_written_there() -> None:
    group = Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series(["a", "a", "b", "b"]))
    grades = Column.encode("grade", Role.SENSITIVE, pl.Series([1.0, 2.0, 3.0, 1.0]), (("1", "2"), ("3.00",)))
    found = Similarity().run(Exposure.of_itself(Microdata((group, grades))), CHANCE)
    assert found.details["groups_in_one_category"] == 1
    assert found.details["people_in_one_category_with_several_values"] == 2


def test_parts_of_a_range_begin_where_they_should() -> None:
    group = Column.encode("group", Role.QUASI_IDENTIFIER, pl.Series(["a", "a", "b", "b", "c", "d"]))
    numbers = pl.Series([0.1, 0.299, 0.299, 0.3, 0.3, 0.7])  # in doubles 0.3 would come to lie below the first third
    table = Microdata((group, Column.encode("secret", Role.SENSITIVE, numbers)))
    found = Similarity().run(Exposure.of_itself(table), CHANCE)
    assert found.details["groups_in_one_category"] == 3
    assert found.baseline == 0.5


def test_the_top_of_a_hierarchy_tells_no_categories() -> None:
    words = pl.Series(["a", "b"])
    column = Column.encode("secret", Role.SENSITIVE, words)
    column = column.with_hierarchy(Hierarchy.from_columns([words, pl.Series(["*", "*"])]))
    exposure = Exposure.of_itself(Microdata((column,)))
    assert str(Similarity().misfit(exposure)).startswith("No similarity")
    assert str(Similarity(level=7).misfit(exposure)).startswith("No similarity")


@pytest.mark.parametrize("settings", [{"level": 0}, {"parts": 1}, {"within": Fraction(-1)}])
def test_settings_that_mean_nothing_are_refused(settings: dict) -> None:
    with pytest.raises(WordingError):
        Similarity(**settings)
