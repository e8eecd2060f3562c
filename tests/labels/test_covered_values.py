"""What labels stand for, read off people who are not in the table."""

import datetime as dt

import polars as pl
import pytest

from shoal.data import Column, Hierarchy, Role
from shoal.labels import covered_values

AGES = pl.Series([None, 3, 17, 25, 26, 40])
WORDS = pl.Series([None, "ash", "birch", "cedar", "elm", "43", "4350", "4351", "4411"])
TIMES = pl.Series(
    ["2024-03-05 10:00", "2024-03-05T10:00:00", "2024-03-05T11:00:00.5", "2024-03-05", "at noon", "2024-03-06"]
)
LARGE = pl.Series([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 4])
DAYS = pl.Series([None, dt.date(2020, 1, 1), dt.date(2020, 1, 15), dt.date(2021, 1, 1)])


@pytest.mark.parametrize(
    ("label", "values", "covered", "unknown"),
    [
        ("*", AGES, AGES.to_list(), []),
        (None, AGES, [None], []),
        ("17", AGES, [17], []),
        ("17.0", AGES, [17], []),
        ("[17, 25]", AGES, [17, 25], []),
        ("[16.5, 25.0)", AGES, [17], []),
        ("missing or [17, 25]", AGES, [None, 17, 25], []),
        ("missing or 17", AGES, [None, 17], []),
        ("missing", AGES, [None], []),
        ("3 | 40", AGES, [3, 40], []),
        ("3 | 40 | 2 more", AGES, [3, 40], [None, 17, 25, 26]),
        ("[17, 25]", AGES.cast(pl.String), ["17", "25"], []),
        ("[17, 25]", pl.Series(["seventeen", "18"]), ["18"], ["seventeen"]),
        ("[17]", AGES, [], AGES.to_list()),
        ("young", AGES, [], AGES.to_list()),
        ("ash", WORDS, ["ash"], [word for word in WORDS if word != "ash"]),
        ("ash | cedar", WORDS, ["ash", "cedar"], []),
        ("ash | cedar | 1,017 more", WORDS, ["ash", "cedar"], [w for w in WORDS if w not in ("ash", "cedar")]),
        ("ash | cedar (2)", WORDS, ["ash", "cedar"], [word for word in WORDS if word not in ("ash", "cedar")]),
        ("missing | ash | cedar", WORDS, [None, "ash", "cedar"], []),
        ("missing | ash", WORDS, [None, "ash"], []),
        ("missing | ash", pl.Series(["missing", "ash", "elm"]), ["missing", "ash"], []),
        ("a | b | c", pl.Series(["a | b", "b", "c", "a | c"]), ["a | b", "b", "c"], []),
        ("a | p … q", pl.Series(["a", "p … q", "z"]), ["a", "p … q"], []),
        ("birch … dune", WORDS, ["birch", "cedar"], []),
        ("Mon … Fri", pl.Series(["Tue", "Sun"]), [], ["Tue", "Sun"]),
        ("435*", WORDS, ["4350", "4351"], []),
        ("43**", WORDS, ["43", "4350", "4351"], []),
        ("43*", WORDS, ["43"], ["4350", "4351"]),
        ("****", WORDS, [], WORDS.to_list()),
        ("4350.*", pl.Series([4350, 4351]), [4350], []),
        ("oak", WORDS, [], WORDS.to_list()),
        ("[2020-01-01, 2020-06-01]", DAYS, DAYS[1:3].to_list(), []),
        ("2020-01", DAYS, DAYS[1:3].to_list(), []),
        ("2020-Q2", DAYS, [], []),
        ("2021", DAYS, DAYS[3:].to_list(), []),
        ("2010s", DAYS, [], []),
        ("2020s", DAYS, DAYS[1:].to_list(), []),
        ("2024", pl.Series([2024, 2025]), [2024], []),
        ("2024-03-05 | 2024-03-06", pl.Series(["5.3.2024", "2024-03-06", "2024-03-07"]), ["2024-03-06"], ["5.3.2024"]),
        ("[2024-03-05T10:00:00, 2024-03-05T12:00:00]", TIMES, TIMES[:3].to_list(), TIMES[3:5].to_list()),
        ("2024-03-05", TIMES, TIMES[:4].to_list(), ["at noon"]),
        ("[9007199254740993, 9007199254740995]", LARGE, LARGE[1:3].to_list(), []),
        ("[0.1, 0.30000000000000001)", pl.Series([0.1, 0.3, 0.4]), [0.1, 0.3], []),
    ],
)
def test_a_label_is_read_as_methods_write_it(
    label: str | None, values: pl.Series, covered: list, unknown: list
) -> None:
    column = Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series(["some"]))
    published = covered_values(pl.Series([label], dtype=pl.String), column, values, explained=False)
    assert values.filter(pl.Series(published.covered[0])).to_list() == covered
    assert values.filter(pl.Series(published.unknown[0])).to_list() == unknown


def test_a_label_that_people_have_is_no_more_than_their_value() -> None:
    values = pl.Series(["a*", "ab", "[1, 3]", "2"])
    column = Column.encode("any", Role.QUASI_IDENTIFIER, values)
    assert covered_values(values, column, values).possible.tolist() == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]


def test_what_is_below_a_label_in_the_hierarchy_is_covered() -> None:
    words = pl.Series(["ash", "oak", "pear"])
    levels = [words, pl.Series(["wild", "wild", "pear"]), pl.Series(["*"] * 3)]
    column = Column.encode("tree", Role.QUASI_IDENTIFIER, words).with_hierarchy(Hierarchy.from_columns(levels))
    published = covered_values(pl.Series(["wild", "pear", "ash"]), column, pl.Series(["pear", "oak", "yew", "ash"]))
    assert published.covered.tolist() == [
        [False, True, False, True],
        [True, False, False, False],
        [False, False, False, True],
    ]
    assert published.unknown.tolist() == [[False, False, True, False], [False] * 4, [False] * 4]


def test_of_values_that_the_hierarchy_knows_it_alone_tells() -> None:
    words = pl.Series(["", "4", "4350"])
    column = Column.encode("code", Role.QUASI_IDENTIFIER, words)
    levels = [words, pl.Series(["4***", "4***", "other"]), pl.Series(["*"] * 3)]
    column = column.with_hierarchy(Hierarchy.from_columns(levels))
    published = covered_values(pl.Series(["4***"]), column, pl.Series(["", "4", "4350", "4351"]))
    assert published.covered.tolist() == [[True, True, False, True]]


def test_one_is_one_whether_it_is_written_as_a_real_number_or_not() -> None:
    column = Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series([1.0, 2.0]))
    published = covered_values(pl.Series([1.0, 2.5]), column, pl.Series([1, 2]))
    assert published.possible.tolist() == [[True, False], [False, False]]
