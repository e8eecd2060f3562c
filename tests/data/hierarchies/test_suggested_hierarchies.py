"""Suggested hierarchies are hierarchies, whatever the values; and they mean what they say."""

import datetime as dt
import itertools
import re
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Role, Vocabulary
from shoal.data.hierarchies.hierarchy import likely_kind
from shoal.data.hierarchies.ordered_levels import round_widths
from shoal.errors import HierarchyError

WHOLE = st.integers(-(2**63), 2**63 - 1) | st.integers(-20, 20)
REAL = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-30, 30).map(lambda tenths: tenths / 10)
DAYS = st.dates() | st.dates(dt.date(2019, 11, 1), dt.date(2020, 3, 1))
TIMES = st.datetimes(dt.datetime(1677, 9, 22), dt.datetime(2262, 4, 11))
WORDS = st.text("ab |*(2)", min_size=1, max_size=4) | st.sampled_from(["missing", "a | b", "*", "a (2)"])
CODES = st.text("01a", min_size=3, max_size=3)
DOMAINS: dict[str, tuple[st.SearchStrategy[Any], Any]] = {
    "whole": (WHOLE, pl.Int64),
    "real": (REAL, pl.Float64),
    "day": (DAYS, pl.Date),
    "time": (TIMES, pl.Datetime("us")),
    "word": (WORDS, pl.String),
    "code": (CODES, pl.String),
    "yes": (st.booleans(), pl.Boolean),
}
KINDS = {
    "whole": ["interval", "quantile", "mask", "frequency"],
    "real": ["interval", "quantile", "mask", "frequency"],
    "day": ["date", "quantile", "mask", "frequency"],
    "time": ["date", "quantile", "mask", "frequency"],
    "word": ["mask", "frequency"],
    "code": ["mask", "frequency"],
    "yes": ["mask", "frequency"],
}
CASES = st.sampled_from([(domain, kind) for domain in KINDS for kind in [*KINDS[domain], None]])


@st.composite
def columns(draw: st.DrawFn, domain: str, max_size: int = 16) -> Column:
    """A column with values that many have, that one has, and missing ones."""
    values, dtype = DOMAINS[domain]
    pool = draw(st.lists(values | st.none(), min_size=1, max_size=max_size))
    records = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=2 * max_size))
    return Column.encode("column", Role.QUASI_IDENTIFIER, pl.Series(records, dtype=dtype))


def levels(hierarchy: Hierarchy) -> list[list]:
    """The labels of every value, level by level."""
    return [labels.take(codes).to_list() for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]


def parts(labels: list) -> set[frozenset[int]]:
    """Which places are told alike."""
    return {frozenset(i for i, other in enumerate(labels) if other == label) for label in labels}


@given(CASES, st.data())
def test_a_suggestion_covers_every_value_nests_and_has_one_root(case, data):
    domain, kind = case
    column = data.draw(columns(domain))
    published = levels(Hierarchy.suggest(column.vocabulary, column.counts, kind))
    assert published[0] == column.vocabulary.values.to_list()
    assert set(published[-1]) == {"*"}
    for below, above in itertools.pairwise(published):
        assert len(set(zip(below, above, strict=True))) == len(set(below))
    sizes = [len(set(labels)) for labels in published]
    assert all(low > high for low, high in itertools.pairwise(sizes)) or len(sizes) == 2, "no level is idle"


@given(CASES, st.data())
def test_a_suggestion_depends_neither_on_the_order_of_records_nor_on_values_that_none_has(case, data):
    domain, kind = case
    column = data.draw(columns(domain, max_size=12))
    hierarchy = Hierarchy.suggest(column.vocabulary, column.counts, kind)
    shuffled = Column.encode("column", Role.DROP, pl.Series(data.draw(st.permutations(column.values.to_list())),
                                                            dtype=column.values.dtype))  # fmt: skip
    assert levels(Hierarchy.suggest(shuffled.vocabulary, shuffled.counts, kind)) == levels(hierarchy)
    if kind not in ("quantile", "frequency"):
        return
    more = Vocabulary.encode(pl.concat([column.vocabulary.values, data.draw(columns(domain)).vocabulary.values]))[0]
    places = more.codes(column.vocabulary.values)
    counts = np.zeros(len(more), np.int64)
    counts[places] = column.counts
    build = Hierarchy.from_quantiles if kind == "quantile" else Hierarchy.from_frequencies
    with_unused, without = levels(build(more, counts)), levels(build(column.vocabulary, column.counts))
    for wide, narrow in zip(with_unused, without, strict=True):
        assert parts([wide[place] for place in places]) == parts(narrow)


@given(columns("whole") | columns("real"))
def test_round_intervals_hold_their_numbers(column):
    published = levels(Hierarchy.suggest(column.vocabulary, kind="interval"))
    for labels in published[1:-1]:
        for value, label in zip(published[0], labels, strict=True):
            if value is None:
                assert label == "missing"
                continue
            low, high = (Fraction(end) for end in re.fullmatch(r"\[(.+), (.+)\)", label).groups())  # type: ignore[union-attr]
            assert low <= Fraction(str(value)) < high
            digits = str((high - low).numerator) + str((high - low).denominator)
            assert set(digits) <= set("0124568"), "a width is 1, 2, 4, 5, 8, 10 or 20 times a power of ten"
    assert all(len(set(labels)) <= 22 for labels in published[1:])


@given(columns("whole") | columns("real"))
def test_round_widths_divide_the_range_into_eight_to_twenty_parts(column):
    given = column.vocabulary.values.drop_nulls()
    narrow, middle, wide = round_widths(given)
    assert (middle, wide) == (2 * narrow, 4 * narrow)
    if len(given) > 1:
        spread = Fraction(str(given[-1])) - Fraction(str(given[0]))
        assert spread / 20 <= narrow
        assert narrow <= spread / 8 or (narrow == 1 and given.dtype.is_integer())


def test_exact_labels_even_where_they_are_long():
    vocabulary = Vocabulary(pl.Series([123456789012345678, 123456789012345679]))
    published = levels(Hierarchy.from_intervals(vocabulary, [Fraction(1, 10**25)]))
    assert published[1][0] == f"[123456789012345678, 123456789012345678.{'0' * 24}1)"


@given(
    columns("whole") | columns("real") | columns("day") | columns("time"),
    st.sampled_from([(16, 8, 4, 2), (6, 3), (5,)]),
)
def test_quantiles_put_each_value_where_the_middle_of_its_records_lies(column, numbers):
    values = column.vocabulary.values
    published = levels(Hierarchy.from_quantiles(column.vocabulary, column.counts, numbers))
    records = sorted(value for value in column.values.to_list() if value is not None)
    for number, labels in zip(numbers, published[1:-1], strict=True):
        expected = []
        for value in values:
            if value is None:
                expected.append("missing")
                continue
            middle = Fraction(2 * sum(other < value for other in records) + records.count(value), 2)
            expected.append(int(number * middle / len(records)))
        assert parts(labels) == parts(expected)


def test_quantiles_are_called_by_their_ends():
    column = Column.encode("n", Role.DROP, pl.Series([None, 0, 0, 0, 0, 3, 5, 7, 9]))
    assert levels(Hierarchy.from_quantiles(column.vocabulary, column.counts, [4, 2])) == [
        [None, 0, 3, 5, 7, 9],
        ["missing", "0", "[3, 5]", "[3, 5]", "[7, 9]", "[7, 9]"],
        ["missing", "0", "[3, 9]", "[3, 9]", "[3, 9]", "[3, 9]"],
        ["*"] * 6,
    ]


@given(columns("word") | columns("whole"), st.sampled_from([(0.02, 0.05, 0.1, 0.25), (0.2, 0.5), (Fraction(1, 3),)]))
def test_every_label_has_its_share_of_the_records(column, shares):
    published = levels(Hierarchy.from_frequencies(column.vocabulary, column.counts, shares))
    for share, below, labels in zip(shares, published, published[1:-1], strict=False):
        least = Fraction(str(share)) * len(column)

        def records(chosen: frozenset[int]) -> int:
            return sum(int(column.counts[place]) for place in chosen)

        groups = parts(labels)
        assert all(records(group) >= least for group in groups) or len(groups) == 1
        enough = {group for group in parts(below) if records(group) >= least}
        joined = [group for group in groups if group not in parts(below) and any(part <= group for part in enough)]
        assert len(joined) <= 1, "what is frequent enough stays alone, but for one that takes what is left over"


def test_rare_categories_are_joined_and_named():
    column = Column.encode("town", Role.DROP, pl.Series([*"AAAAAAAAAABBBBBBCC", "D", None]))
    assert levels(Hierarchy.from_frequencies(column.vocabulary, column.counts, [0.1, 0.25])) == [
        [None, "A", "B", "C", "D"],
        ["missing | D", "A", "B", "C", "missing | D"],
        ["missing | B | C | D", "A", "missing | B | C | D", "missing | B | C | D", "missing | B | C | D"],
        ["*"] * 5,
    ]


def test_a_category_that_none_has_changes_nothing_even_where_groups_are_as_large() -> None:
    words = Vocabulary(pl.Series(["Aachen", "Bonn", "Celle", "Dachau", "Emden", "Fulda"]))
    counts = np.array([0, 2, 2, 1, 1, 2])
    published = levels(Hierarchy.from_frequencies(words, counts, [0.25, 0.5]))
    assert published[1][3] == published[1][4] == published[1][0] == "Aachen | Dachau | Emden"
    assert parts(published[2]) == {frozenset({1, 2}), frozenset({0, 3, 4, 5})}


def test_words_that_look_like_other_labels_stay_apart() -> None:
    words = Vocabulary(pl.Series([None, "a", "a | b", "b", "missing"]))
    published = levels(Hierarchy.from_frequencies(words, np.array([2, 1, 2, 1, 2]), [0.25]))
    assert published[1] == ["missing (2)", "a | b (2)", "a | b", "a | b (2)", "missing"]


def test_of_many_categories_three_are_named():
    column = Column.encode("n", Role.DROP, pl.Series([f"{number:02d}" for number in range(40)]))
    published = levels(Hierarchy.from_frequencies(column.vocabulary, column.counts, [0.4]))
    assert set(published[1]) == {"00 | 01 | 02 | 21 more", "16 | 17 | 18 | 13 more"}  # the first takes what is left


@given(columns("day") | columns("time"))
def test_days_have_their_month_quarter_year_and_decade(column):
    published = levels(Hierarchy.from_dates(column.vocabulary))
    if isinstance(column.vocabulary.values.dtype, pl.Datetime):
        assert published.pop(1) == ["missing" if time is None else time.date().isoformat() for time in published[0]]
    for day, month, quarter, year, decade, root in zip(*published, strict=True):
        assert root == "*"
        if day is None:
            assert {month, quarter, year, decade} == {"missing"}
            continue
        assert month == day.isoformat()[:7]
        assert quarter == f"{day.isoformat()[:4]}-Q{(day.month + 2) // 3}"
        assert year == day.isoformat()[:4]
        assert decade == day.isoformat()[:3] + "0s"


def test_text_that_is_dates_is_taken_for_dates():
    days = Vocabulary(pl.Series(["2019-12-31", "2020-01-01", None]))
    assert levels(Hierarchy.from_dates(days))[1] == ["2019-12", "2020-01", "missing"]
    times = Vocabulary(pl.Series(["2019-12-31T23:59:59", "2020-01-01T00:00:00"]))
    assert levels(Hierarchy.from_dates(times))[1] == ["2019-12-31", "2020-01-01"]
    with pytest.raises(HierarchyError, match="needs a column of dates"):
        Hierarchy.from_dates(Vocabulary(pl.Series(["2019-12-31", "2020-13-01"])))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3], "interval"),
        ([None, 1, 2], "frequency"),
        ([0.5, 0.25, 1e300], "interval"),
        (["2024-02-29", None], "date"),
        (["2024-02-30", None], "mask"),
        ([dt.date(2024, 2, 29)], "date"),
        (["02139", "10001", None], "mask"),
        (["oak", "ash"], "frequency"),
        ([True, False], "frequency"),
        ([None], "frequency"),
    ],
    ids=str,
)
def test_the_likely_kind_is_read_off_the_values(values, kind):
    assert likely_kind(Vocabulary(pl.Series(values))) == kind


@pytest.mark.parametrize(
    "build",
    [
        lambda: Hierarchy.from_quantiles(Vocabulary(pl.Series(["a", "b"])), np.ones(2)),
        lambda: Hierarchy.from_quantiles(Vocabulary(pl.Series([1.0, float("nan")])), np.ones(2)),
        lambda: Hierarchy.from_quantiles(Vocabulary(pl.Series([1, 2])), np.ones(2), [4, 3]),
        lambda: Hierarchy.from_quantiles(Vocabulary(pl.Series([1, 2])), np.ones(2), [2, 4]),
        lambda: Hierarchy.from_quantiles(Vocabulary(pl.Series([1, 2])), np.ones(2), [2, 1]),
        lambda: Hierarchy.from_frequencies(Vocabulary(pl.Series(["a", "b"])), np.ones(2), [0.2, 0.1]),
        lambda: Hierarchy.from_frequencies(Vocabulary(pl.Series(["a", "b"])), np.ones(2), [0]),
        lambda: Hierarchy.from_frequencies(Vocabulary(pl.Series(["a", "b"])), np.ones(2), [1.5]),
        lambda: Hierarchy.from_dates(Vocabulary(pl.Series([1, 2]))),
        lambda: Hierarchy.suggest(Vocabulary(pl.Series([1.0, 2.0, float("inf")]))),
        lambda: Hierarchy.suggest(Vocabulary(pl.Series(["a", "b"])), kind="interval"),
    ],
)
def test_what_cannot_be_built_is_refused(build):
    with pytest.raises(HierarchyError):
        build()


def test_without_counts_quantiles_take_values_alike_and_frequencies_say_nothing():
    numbers = Vocabulary(pl.Series([1, 2, 3, 50]))
    assert levels(Hierarchy.suggest(numbers, kind="quantile"))[1] == ["[1, 2]", "[1, 2]", "[3, 50]", "[3, 50]"]
    assert levels(Hierarchy.from_quantiles(numbers, np.zeros(4), [2]))[1] == ["[1, 2]", "[1, 2]", "[3, 50]", "[3, 50]"]
    assert Hierarchy.suggest(numbers, kind="frequency").height == 1


def test_a_number_is_found_however_it_is_written():
    hierarchy = Hierarchy.from_columns([pl.Series(["30", "30.5", "x", "-1e2", "3e1"]), pl.Series(["*"] * 5)])
    assert hierarchy.places(Vocabulary(pl.Series([30.0, 30.5, -100.0, 7.0, None]))).tolist() == [0, 1, 3, -1, -1]
    assert hierarchy.places(Vocabulary(pl.Series([30, 7]))).tolist() == [0, -1]


def test_levels_that_tell_nothing_new_are_left_out():
    hierarchy = Hierarchy.from_columns(
        [
            pl.Series(labels)
            for labels in (["a", "b", "c"], ["A", "B", "C"], ["x", "x", "y"], ["p", "p", "q"], ["*"] * 3)
        ]
    )
    assert levels(hierarchy.without_idle_levels()) == [["a", "b", "c"], ["x", "x", "y"], ["*"] * 3]
