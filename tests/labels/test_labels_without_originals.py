"""What a reader without the originals makes of every label that is written: sure where it says so, never wrong.

The oracles compare exact numbers, calendar days and letters, and share no code with the room.
"""

import datetime as dt
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import assume, example, given
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Role, Vocabulary
from shoal.data.written_label import half_open_interval, interval, named_set, open_set, plain_number, quoted
from shoal.labels import covered_values, parsed_label
from shoal.labels.known_values import KnownValues
from shoal.labels.parsed_label import possible_readings

QUARTERS = st.integers(-160, 160).map(lambda n: Fraction(n, 4))
KINDS = {
    "whole": (st.integers(-40, 40), pl.Int64),
    "real": (st.integers(-160, 160).map(lambda n: n / 4), pl.Float64),
    "text": (st.integers(-40, 40).map(str), pl.String),
}
MARKED = st.lists(
    st.sampled_from(["a", "b", "z", " | ", "|", " … ", '"', "missing", " or ", "2 more", " (2)"]),
    min_size=1,
    max_size=3,
).map("".join)


def read(label: str, values: pl.Series, column: Column | None = None) -> tuple[list[bool], list[bool]]:
    """By value, whether the label covers it, and whether that is not known."""
    plain = column or Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series(["some"]))
    found = covered_values(pl.Series([label]), plain, values, explained=column is not None)
    return found.covered[0].tolist(), found.unknown[0].tolist()


@st.composite
def numbers(draw: st.DrawFn) -> pl.Series:
    value, dtype = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    return pl.Series(draw(st.lists(value | st.none(), min_size=1, max_size=8)), dtype=dtype)


@given(values=numbers(), low=QUARTERS, width=QUARTERS.map(abs), missing=st.booleans(), closed=st.booleans())
def test_an_interval_covers_the_numbers_between_its_ends(values, low, width, missing, closed):
    text = (interval if closed else half_open_interval)(plain_number(low), plain_number(low + width))
    covered, unknown = read(f"missing or {text}" if missing else text, values)
    exact = [None if value is None else Fraction(str(value)) for value in values]
    inside = [
        missing if value is None else low <= value and (value <= low + width if closed else value < low + width)
        for value in exact
    ]
    assert covered == inside
    assert not any(unknown), "numbers can be compared"


@given(values=numbers(), named=st.lists(st.integers(-40, 40), min_size=2, max_size=4, unique=True), more=st.booleans())
def test_a_set_covers_the_numbers_it_names_and_an_open_one_may_cover_any(values, named, more):
    words = [str(number) for number in named]
    covered, unknown = read(open_set(words, 3) if more else named_set(words), values)
    expected = [value is not None and Fraction(str(value)) in named for value in values]
    assert covered == expected
    assert unknown == [more and not each for each in expected]


def last_day(year: int, month: int) -> dt.date:
    return dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(1)


def spans(day: dt.date) -> dict[str, tuple[dt.date, dt.date]]:
    """Every period that a day may be published as, with its first and last day."""
    year, quarter = day.year, (day.month + 2) // 3
    decade = year // 10 * 10
    return {
        f"{day}": (day, day),
        f"{year}-{day.month:02}": (day.replace(day=1), last_day(year, day.month)),
        f"{year}-Q{quarter}": (dt.date(year, 3 * quarter - 2, 1), last_day(year, 3 * quarter)),
        f"{year}": (dt.date(year, 1, 1), dt.date(year, 12, 31)),
        f"{decade}s": (dt.date(decade, 1, 1), dt.date(decade + 9, 12, 31)),
    }


DAYS = st.dates(dt.date(1998, 1, 1), dt.date(2012, 12, 31))


@given(days=st.lists(DAYS | st.none(), min_size=1, max_size=6), one=DAYS, other=DAYS, typed=st.booleans())
@example(
    days=[dt.date(2000, 2, 29), dt.date(2000, 3, 31)], one=dt.date(2000, 2, 1), other=dt.date(2000, 2, 2), typed=True
)
def test_a_period_covers_the_days_in_it(days, one, other, typed):
    values = pl.Series(days, dtype=pl.Date)
    values = values if typed else values.cast(pl.String)
    texts = spans(one) | {interval(str(min(one, other)), str(max(one, other))): (min(one, other), max(one, other))}
    for text, (first, last) in texts.items():
        covered, unknown = read(text, values)
        assert covered == [day is not None and first <= day <= last for day in days], text
        assert not any(unknown)


@given(
    codes=st.lists(st.text("0123", min_size=1, max_size=4), min_size=1, max_size=6, unique=True),
    seen=st.text("0123", min_size=1, max_size=3),
    hidden=st.integers(1, 3),
)
def test_a_mask_covers_the_codes_that_begin_with_it_and_are_no_longer(codes, seen, hidden):
    covered, unknown = read(seen + "*" * hidden, pl.Series(codes))
    begins = [code.startswith(seen) for code in codes]
    longer = [len(code) > len(seen) + hidden for code in codes]
    assert covered == [fits and not cut for fits, cut in zip(begins, longer, strict=True)]
    # somebody may have cut a longer one, and a reader may have lost the zeros before a number
    possible = [fits or code.lstrip("0").startswith(seen) for fits, code in zip(begins, codes, strict=True)]
    known = zip(possible, covered, unknown, strict=True)
    assert all(is_unknown == (fits and not is_covered) for fits, is_covered, is_unknown in known)


def test_a_postcode_with_a_zero_before_it_is_not_covered_by_the_mask_of_its_number():
    assert read("435**", pl.Series(["04350", "43501"])) == ([False, True], [True, False])


@given(words=st.lists(MARKED, min_size=2, max_size=5, unique=True), data=st.data())
def test_a_set_never_excludes_a_word_it_names_whatever_marks_the_word_has(words, data):
    named = data.draw(st.lists(st.sampled_from(words), min_size=2, max_size=4, unique=True))
    values = pl.Series([*words, "elsewhere"])
    column = Column.encode("words", Role.QUASI_IDENTIFIER, pl.Series(words))
    covered, unknown = read(named_set(named), values, column)
    for word, is_covered, is_unknown in zip(values, covered, unknown, strict=True):
        assert is_covered or is_unknown or word not in named
    assert not covered[-1]


@given(words=st.lists(MARKED, min_size=2, max_size=5, unique=True))
def test_the_words_of_a_set_are_read_back_as_they_were_written(words):
    assume(
        not any(" … " in word or word.endswith((" …", "… ", " |")) or word.startswith(("| ", "… ")) for word in words)
    )
    text = named_set([*words])
    label = parsed_label(text, has_missing=False)
    assert label.form == "set"
    assert list(label.parts) == words


@given(MARKED | st.text())
def test_a_quoted_word_is_that_word_and_no_other(word):
    assert parsed_label(quoted(word), has_missing=False).parts == (word,)
    assert [label.parts for label in possible_readings(quoted(word))] == [(word,)]


HIERARCHIES = {
    "intervals": (st.integers(-30, 60), lambda vocabulary, _: Hierarchy.from_intervals(vocabulary, [5, 20])),
    "quantiles": (st.integers(-30, 60), lambda vocabulary, n: Hierarchy.from_quantiles(vocabulary, n, [4, 2])),
    "dates": (DAYS, lambda vocabulary, _: Hierarchy.from_dates(vocabulary)),
    "masks": (st.text("0123", min_size=2, max_size=3), lambda vocabulary, _: Hierarchy.from_masks(vocabulary)),
    "frequencies": (
        st.sampled_from(["ash", "birch", "cedar", "elm", "oak"]),
        lambda vocabulary, counts: Hierarchy.from_frequencies(vocabulary, counts, [Fraction(1, 3), Fraction(2, 3)]),
    ),
}  # fmt: skip


@given(kind=st.sampled_from(sorted(HIERARCHIES)), data=st.data())
def test_every_label_of_a_hierarchy_is_read_back_as_what_is_below_it(kind, data):
    value, build = HIERARCHIES[kind]
    values = data.draw(st.lists(value, min_size=2, max_size=10))
    column = Column.encode("any", Role.QUASI_IDENTIFIER, pl.Series(values))
    column = column.with_hierarchy(build(column.vocabulary, column.counts))
    hierarchy = column.hierarchy
    assert hierarchy is not None
    known = column.vocabulary.values
    paths = [
        [str(labels.words[int(codes[place])]) for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]
        for place in range(len(known))
    ]
    for label in {text for path in paths for text in path}:
        covered, unknown = read(label, known, column)
        below = [label in path for path in paths]
        if label in [path[0] for path in paths]:  # a value: it may also be read as what it looks like
            assert all(is_covered >= is_below for is_covered, is_below in zip(covered, below, strict=True))
        else:
            assert covered == below, label
        assert not any(is_unknown and is_below for is_unknown, is_below in zip(unknown, below, strict=True))
        bare, doubt = read(label, known)
        assert all(c or u or not b for c, u, b in zip(bare, doubt, below, strict=True)), "nobody is ruled out wrongly"


@given(values=numbers(), end=QUARTERS, exponent=st.sampled_from([0, 0, 400]))
def test_numbers_are_compared_with_an_end_exactly(values, end, exponent):
    known = KnownValues(values)
    bound = end * 10**exponent
    found = known.below(plain_number(bound))
    assert found is not None
    exact = [None if value is None else Fraction(str(value)) for value in values]
    assert found[0].tolist() == [value is not None and value < bound for value in exact]
    assert found[1].tolist() == [value is not None and value == bound for value in exact]
    assert known.below("anything") is None
    assert known.is_number.tolist() == [value is not None for value in exact]


@given(days=st.lists(DAYS, min_size=1, max_size=6), first=DAYS, last=DAYS)
def test_times_lie_within_a_span_or_in_it_with_a_part(days, first, last):
    known = KnownValues(pl.Series(days))
    day = 24 * 60 * 60 * 10**6
    begin, end = (int((each - dt.date(1970, 1, 1)).days) * day for each in (first, last))
    inside, partly = known.within(begin, end + day // 2)
    assert inside.tolist() == [first <= each < last for each in days]
    assert partly.tolist() == [each == last and first <= last for each in days]


def test_labels_of_no_values_are_read():
    vocabulary = Vocabulary(pl.Series([], dtype=pl.String))
    found = covered_values(
        pl.Series(["a"]), Column("any", Role.QUASI_IDENTIFIER, vocabulary, np.zeros(0, np.int32)), vocabulary.values
    )
    assert found.covered.shape == (1, 0)
