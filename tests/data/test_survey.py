"""Sensitive answers as columns: what promises on sensitive values are judged on."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Role, Scale, Survey, Vocabulary
from shoal.engines import LocalEngine, judge
from shoal.models import LDiversity

PAIRS = ("secret · 2020-01", "secret · 2020-02", "other · 2020-01")


def survey(rows: list[list[int | None]], *, dated: bool) -> Survey:
    """People who are alike in what is known of them, and their answers to three sensitive pairs of item and month."""
    codes = np.array([[-1 if mark is None else mark - 1 for mark in row] for row in rows], np.int32)
    pairs = RatingMatrix.from_dense(Vocabulary(pl.Series(PAIRS)), codes)
    ratings = Ratings(Vocabulary.numbered(len(rows)), RatingMatrix.empty(len(rows)), pairs, Scale.of(1, 5))
    town = Column.encode("town", Role.QUASI_IDENTIFIER, pl.Series(["Rye"] * len(rows)))
    return Survey(Microdata((town,)), ratings, dated=dated)


def secrets(data: Survey) -> dict[str, list]:
    return {column.name: column.values.to_list() for column in data.with_sensitive_answers.sensitive}


def test_a_dated_answer_is_also_looked_at_without_its_period():
    data = survey([[5, None, 1], [None, 5, 2], [None, None, 1]], dated=True)
    columns = secrets(data)
    assert list(columns) == [*PAIRS, "secret"]
    assert columns["secret"] == [5, 5, None]
    assert list(secrets(replace(data, dated=False))) == list(PAIRS)


def test_who_gave_several_answers_has_all_of_them_whenever_that_was():
    columns = secrets(survey([[5, 3, 1], [3, 5, 2], [3, None, 1], [None, None, 1]], dated=True))
    assert columns["secret"] == ["3 and 5", "3 and 5", "3", None]


def test_one_answer_in_two_months_is_not_diverse():
    months_apart = [[5, None, 1], [None, 5, 2]]
    two = LDiversity(2)
    assert judge(survey(months_apart, dated=False), [two], LocalEngine()).holds
    assert not judge(survey(months_apart, dated=True), [two], LocalEngine()).holds
    assert judge(survey([[5, None, 1], [None, 4, 2]], dated=True), [two], LocalEngine()).holds


marks = st.none() | st.integers(1, 3)


@given(st.lists(st.tuples(marks, marks, marks).map(list), min_size=2, max_size=5))
def test_dated_answers_are_diverse_where_a_plain_count_says_so(rows):
    values = [[row[place] for row in rows] for place in range(3)]
    together = [tuple(sorted(mark for mark in row[:2] if mark)) for row in rows]
    several = all(any(row[place] for row in rows) for place in (0, 1))
    seen = [each for each in values if any(each)] + ([together] if several else [])
    if seen:
        diverse = all(len(set(each)) >= 2 for each in seen)
        assert judge(survey(rows, dated=True), [LDiversity(2)], LocalEngine()).holds == diverse
