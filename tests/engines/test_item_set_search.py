"""The search for rare sets of items: what it finds, where it gives up, and what it then still says."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.engines.item_set_search import fewest_groups_with_items
from shoal.errors import WordingError
from shoal.testing import ratings

RATINGS = ratings(max_records=12, max_items=6, max_sensitive=0)


def found(data: Ratings, items: int, enough: int, **limit: int) -> list[int]:
    """By record."""
    grouping = LocalEngine().group(data)
    return fewest_groups_with_items(data.observable, grouping, items, enough, **limit)[grouping.labels].tolist()


def rated(*profiles: str) -> Ratings:
    """Profiles such as ``35-``: on 1…5, – where there is no rating."""
    rows = [[-1 if mark == "-" else int(mark) - 1 for mark in profile] for profile in profiles]
    items = Vocabulary(pl.Series([f"item {place}" for place in range(len(rows[0]))]))
    matrix = RatingMatrix.from_dense(items, np.array(rows, np.int32))
    return Ratings(Vocabulary.numbered(len(rows)), matrix, RatingMatrix.empty(len(rows)), Scale.of(1, 5))


@given(RATINGS, st.integers(1, 7), st.integers(1, 13))
def test_numbers_are_those_of_looking_at_every_set(data, items, enough):
    expected = oracles.fewest_profiles(oracles.profiles(data), items)
    most = max(enough, min(expected))
    assert found(data, items, enough) == [min(number, most) for number in expected]


@given(RATINGS, st.integers(1, 7), st.integers(1, 13), st.integers(0, 100))
def test_a_search_that_is_cut_short_refuses_or_is_right_about_what_is_too_rare(data, items, enough, most):
    expected = oracles.fewest_profiles(oracles.profiles(data), items)
    try:
        published = found(data, items, enough, most=most)
    except WordingError:
        assert items > 1
        return
    assert [number < enough for number in published] == [number < enough for number in expected]
    assert min(published) <= min(expected), "a level is told that is not reached"
    assert min(published) == min(expected) or min(published) >= enough


CROSSED = rated("33-", "44-", "-33", "-44", "3-3", "4-4")
"""Every two items are those of two profiles."""


def test_profiles_that_share_their_items_keep_it_for_every_b_without_a_search():
    assert found(CROSSED, 2, 2, most=0) == [2] * 6
    assert found(CROSSED, 9, 2, most=0) == [2] * 6


def test_a_search_that_would_take_too_long_is_refused_and_tells_no_value():
    with pytest.raises(WordingError, match=r"too many sets of up to 2 items.* Ask for a smaller b") as refusal:
        found(CROSSED, 2, 3, most=0)
    assert "item 0" not in str(refusal.value)


def test_one_item_needs_no_search():
    assert found(CROSSED, 1, 9, most=0) == [4] * 6


def test_bitmaps_that_would_not_fit_are_not_made(monkeypatch):
    monkeypatch.setattr("shoal.engines.item_set_search._MOST_BYTES", 0)
    assert found(CROSSED, 2, 2) == [2] * 6
    with pytest.raises(WordingError, match="too many sets"):
        found(CROSSED, 2, 3)


@pytest.mark.parametrize("items", [1, 2, 5])
def test_records_that_are_alike_count_once_and_records_without_ratings_share_nothing_with_all(items):
    assert found(rated("31-", "31-", "31-"), items, 2) == [1, 1, 1]
    assert found(rated("31-", "32-", "---"), items, 9) == [2, 2, 3]
    assert found(rated("---", "---"), items, 9) == [1, 1]


def test_nobody_is_no_group():
    assert found(rated("31-").take(np.arange(0)), 2, 2) == []


@pytest.mark.parametrize("records", [63, 64, 65, 129])
def test_more_records_than_bits_in_a_word(records):
    """Everybody rated the first item; all but the last record and one more rated the second."""
    rows = np.full((records, 9), -1, np.int32)
    rows[:, 0] = 2
    rows[: records - 2, 1] = 2
    rows[:, 2:] = np.where((np.arange(records)[:, None] + 1) >> np.arange(7) & 1, 4, 0)  # so that all profiles differ
    matrix = RatingMatrix.from_dense(Vocabulary.numbered(9), rows)
    data = Ratings(Vocabulary.numbered(records), matrix, RatingMatrix.empty(records), Scale.of(1, 5))
    most = records + 1
    assert found(data, 2, most) == [records - 2] * (records - 2) + [records] * 2
