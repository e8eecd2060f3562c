"""What is kept, lost, and left exactly as it was: measured, told in words, and warned of."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import utility_oracle as oracle
from comparisons import compared, profiles_of_groups, rated, ratings_before_and_after, tables_before_and_after
from shoal.data import Column, Hierarchy, Microdata, Role, Survey
from shoal.utility import MEASURES, QUICK, Comparison, WarnAt, kept_in_words, measured, nothing_left, warnings_of

SHARES = ("ratings covered", "cells kept", "rating loss")


def words(column: Column) -> list[str | None]:
    return column.values.cast(pl.String).to_list()


def shares(comparison: Comparison) -> tuple[float, ...]:
    return tuple(MEASURES[name](comparison) for name in SHARES)


@given(pair=ratings_before_and_after(), withheld=st.integers(0, 4))
def test_ratings_are_kept_as_counted_one_by_one(pair, withheld) -> None:
    before, after = (oracle.rows_of(each) for each in pair)
    scale = pair[0].scale
    comparison = compared(*pair, withheld=withheld)
    expected = oracle.kept_and_lost(
        [before[0]] * withheld + before, [None] * withheld + after, scale.highest - scale.lowest
    )
    assert shares(comparison) == pytest.approx(tuple(map(float, expected)))
    assert MEASURES["ratings kept"](comparison) == MEASURES["ratings covered"](comparison)
    assert MEASURES["original and unique"](comparison) == pytest.approx(oracle.alone_as_they_were(before, after))


@given(comparison=profiles_of_groups())
def test_profiles_of_groups_are_counted_person_by_person(comparison: Comparison) -> None:
    whole, after = oracle.rows_of(comparison.whole), oracle.published_rows(comparison)
    told = dict(zip(comparison.origins.tolist(), after, strict=True))
    scale = comparison.whole.scale  # type: ignore[attr-defined]
    everybody = [told.get(person) for person in range(len(whole))]
    expected = oracle.kept_and_lost(whole, everybody, scale.highest - scale.lowest)
    assert shares(comparison) == pytest.approx(tuple(map(float, expected)))
    before = [whole[person] for person in comparison.origins.tolist()]
    assert MEASURES["original and unique"](comparison) == pytest.approx(oracle.alone_as_they_were(before, after))


@given(pair=tables_before_and_after(), withheld=st.integers(0, 4))
def test_cells_of_tables_are_kept_as_counted_one_by_one(pair, withheld) -> None:
    before, after = (list(zip(*map(words, each.quasi_identifiers), strict=True)) for each in pair)
    kept = sum(a == b for one, other in zip(before, after, strict=True) for a, b in zip(one, other, strict=True))
    cells = (len(before) + withheld) * len(before[0])
    comparison = compared(*pair, withheld=withheld)
    assert MEASURES["cells kept"](comparison) == pytest.approx(kept / cells)
    assert MEASURES["original and unique"](comparison) == pytest.approx(oracle.alone_as_they_were(before, after))


def test_by_hand() -> None:
    """Of seven ratings two are dropped and one of a scale of 1…5 is moved by 2; the third person is as before."""
    before = rated([[0, 1, 2], [4, -1, -1], [3, 3, 3]])
    after = rated([[0, 3, -1], [-1, 0, -1], [3, 3, 3]])
    comparison = compared(before, after)
    assert shares(comparison) == pytest.approx((5 / 7, 4 / 7, (2 + 2 / 4) / 7))
    assert MEASURES["original and unique"](comparison) == pytest.approx(1 / 3)


def test_predictions_keep_no_rating_even_where_they_equal_one() -> None:
    same = rated([[0, 1], [4, -1]])
    comparison = Comparison(same, np.arange(2), same, np.array([1, 1]), replaced=True)
    assert (MEASURES["ratings kept"](comparison), MEASURES["cells kept"](comparison)) == (0.0, 0.0)
    assert (MEASURES["ratings covered"](comparison), MEASURES["rating loss"](comparison)) == (1.0, 0.0)


def test_equal_records_are_not_unique_and_changed_ones_not_original() -> None:
    twins = rated([[0, 1], [0, 1], [4, 4], [3, 3]])
    told = rated([[0, 1], [0, 1], [4, 4], [3, 2]])
    assert MEASURES["original and unique"](compared(twins, told)) == 1 / 4


def table(zips: list[str], towns: list[str], told: list[str], towns_told: list[str]) -> Comparison:
    code = Column.encode("zip", Role.QUASI_IDENTIFIER, pl.Series(zips))
    code = code.with_hierarchy(Hierarchy.from_masks(code.vocabulary))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(towns))
    published = [
        Column.encode(name, Role.QUASI_IDENTIFIER, pl.Series(each))
        for name, each in (("zip", told), ("town", towns_told))
    ]
    return compared(Microdata((code, town)), Microdata(tuple(published)))


@pytest.mark.parametrize(
    ("zips", "towns", "empty"),
    [
        (["*", "*", "*"], ["*", "*", "*"], True),
        (["*", "*", "43"], ["*", "*", "*"], False),
        (["4*", "4*", "4*"], ["*", "*", "*"], False),
        (["*", "*", "*"], ["Ystad", "*", "*"], False),
        (["*", "*", "*"], ["Lund | Ystad", "Lund | Ystad", "Lund | Ystad"], False),
    ],
)
def test_a_table_of_roots_has_nothing_left(zips, towns, empty) -> None:
    assert nothing_left(table(["41", "42", "43"], ["Ystad", "Lund", "Lund"], zips, towns)) is empty


def test_a_column_of_one_value_has_nothing_to_lose() -> None:
    assert nothing_left(table(["41", "42", "43"], ["Ystad"] * 3, ["*"] * 3, ["Ystad"] * 3))
    assert not nothing_left(table(["41"] * 3, ["Ystad"] * 3, ["41"] * 3, ["Ystad"] * 3))


def test_ratings_have_nothing_left_where_none_is_published_that_was_there() -> None:
    nobody = rated([[-1, -1], [-1, -1]])
    assert nothing_left(compared(rated([[0, -1], [-1, -1]]), nobody))
    assert not nothing_left(compared(nobody, nobody))
    assert not nothing_left(compared(rated([[0, -1], [1, -1]]), rated([[0, -1], [-1, -1]])))


def survey(towns: list[str], answers: list[list[int]], role: Role = Role.QUASI_IDENTIFIER) -> Survey:
    return Survey(Microdata((Column.encode("town", role, pl.Series(towns)),)), rated(answers))


def test_nothing_is_left_of_a_survey_where_it_is_so_of_each_part_that_had_something() -> None:
    some, nobody = [[0, 1], [0, 2]], [[-1, -1], [-1, -1]]
    towns, roots, one = ["Lund", "Ystad"], ["*", "*"], ["Lund", "Lund"]
    assert nothing_left(compared(survey(towns, some), survey(roots, nobody)))
    assert not nothing_left(compared(survey(towns, some), survey(towns, nobody)))
    assert not nothing_left(compared(survey(towns, some), survey(roots, some)))
    assert nothing_left(compared(survey(towns, nobody), survey(roots, nobody)))
    assert nothing_left(compared(survey(one, some), survey(one, nobody)))
    assert not nothing_left(compared(survey(one, nobody), survey(one, nobody)))
    strata = survey(towns, some, Role.STRATUM)
    assert nothing_left(compared(strata, survey(towns, nobody, Role.STRATUM)))
    assert not nothing_left(compared(strata, strata))


def told(comparison: Comparison) -> dict[str, float]:
    return dict(measured(comparison, QUICK).values)


def test_one_line_says_what_became_of_ratings() -> None:
    values = told(compared(rated([[0, 1, 2], [4, -1, -1]]), rated([[0, 3, -1], [-1, 0, -1]]), withheld=1))
    assert kept_in_words(values) == "29 % of ratings kept (1 of them changed), 2 dropped, 1 invented, 1 record withheld"
    assert kept_in_words(values, "predictions") == (
        "No rating kept: predictions replace 29 % of ratings, 1 where nobody rated, 1 record withheld"
    )


def test_one_line_says_what_became_of_a_table() -> None:
    values = told(table(["41", "42", "43"], ["Ystad", "Lund", "Lund"], ["41", "*", "*"], ["Ystad", "Lund", "Lund"]))
    assert kept_in_words(values) == "67 % of quasi-identifier cells unchanged, generalization loss 33 %"


def test_warnings_come_below_one_share_and_above_another() -> None:
    half = told(compared(rated([[0, 1], [4, 4]]), rated([[0, 1], [-1, -1]])))
    assert (half["ratings kept"], half["original and unique"]) == (0.5, 0.5)
    assert warnings_of(half, WarnAt(Fraction(1, 2), Fraction(1, 2))) == ()
    little, many = warnings_of(half, WarnAt(Fraction(51, 100), Fraction(49, 100)))
    assert little == "Less than 51 % of the ratings are left: 50 %."
    assert many.startswith("50 % of the published records are exactly original and unique:")
    roots = told(table(["41", "42", "43"], ["Ystad", "Lund", "Lund"], ["*"] * 3, ["*"] * 3))
    assert "the loss is 100 %" in warnings_of(roots, WarnAt())[0]
