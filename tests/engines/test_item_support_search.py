"""The search for sets of items that few people hold: what it finds, where it gives up, and what it then still says."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.engines import LocalEngine
from shoal.engines.item_support_search import fewest_people_with_items
from shoal.errors import WordingError
from shoal.evidence import NeedItemSets
from shoal.kernels.compiled import parallel_from
from shoal.testing import ratings

RATINGS = ratings(max_records=14, max_items=7, max_sensitive=1)
BASKETS = st.lists(st.frozensets(st.integers(0, 6)), min_size=1, max_size=14)


def found(data: Ratings, items: int, enough: int, **limit: int) -> list[int]:
    """By record."""
    engine = LocalEngine()
    grouping = engine.group(data)
    people = engine.count(data, grouping, sensitive=False).sizes
    fewest = fewest_people_with_items(data.observable, grouping, people, items, enough, **limit)
    return fewest[grouping.labels].tolist()


def baskets(*held: Iterable[object], people: list[int] | None = None) -> Ratings:
    """Sets of letters, or of numbers, as ratings that are all the same."""
    sets = [frozenset(map(str, some)) for some in held]
    names = sorted({item for some in sets for item in some}) or ["a"]
    rows = [[2 if name in some else -1 for name in names] for some in sets]
    items = Vocabulary(pl.Series(names))
    matrix = RatingMatrix.from_dense(items, np.array(rows, np.int32).reshape(len(held), len(names)))
    several = None if people is None else np.array(people, np.int64)
    return Ratings(
        Vocabulary.numbered(len(rows)), matrix, RatingMatrix.empty(len(rows)), Scale.of(1, 5), people=several
    )


@given(RATINGS | BASKETS.map(lambda held: baskets(*held)), st.integers(1, 8), st.integers(1, 15))
def test_numbers_are_those_of_looking_at_every_set(data, items, enough):
    expected = oracles.fewest_people(oracles.profiles(data), items)
    most = max(enough, min(expected))
    assert found(data, items, enough) == [min(number, most) for number in expected]


@given(BASKETS, st.data(), st.integers(1, 4), st.integers(1, 15))
def test_a_record_that_stands_for_several_counts_as_that_many_people(held, data, items, enough):
    people = data.draw(st.lists(st.integers(1, 4), min_size=len(held), max_size=len(held)))
    several = baskets(*held, people=people)
    each = baskets(*(some for some, times in zip(held, people, strict=True) for _ in range(times)))
    by_person = found(each, items, enough)
    begins = np.cumsum([0, *people])[:-1]
    assert found(several, items, enough) == [by_person[begin] for begin in begins]


@given(BASKETS, st.integers(2, 4), st.integers(1, 6), st.integers(0, 100))
def test_a_search_that_is_cut_short_refuses_or_is_right_about_what_is_too_rare(held, items, enough, most):
    data = baskets(*held)
    expected = oracles.fewest_people(oracles.profiles(data), items)
    try:
        published = found(data, items, enough, most=most)
    except WordingError:
        return
    assert [number < enough for number in published] == [number < enough for number in expected]
    assert min(published) <= min(expected), "a level is told that is not reached"
    assert min(published) == min(expected) or min(published) >= enough


def test_a_search_that_would_take_too_long_is_refused_and_tells_no_value():
    with pytest.raises(WordingError, match=r"too many sets of up to 2 items.* Ask for a smaller m") as refusal:
        found(baskets("ab", "bc", "ac", "abd"), 2, 3, most=0)
    assert "ab" not in str(refusal.value)


def test_people_who_share_all_their_items_with_enough_others_need_no_search():
    assert found(baskets("abc", "abc", "cd", "cd"), 3, 2, most=0) == [2, 2, 2, 2]


def test_more_items_are_known_and_fewer_people_hold_them():
    data = baskets("abc", "ab", "bc", "ac")
    assert [found(data, items, 9) for items in (1, 2, 3)] == [[3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 2, 2]]


def test_nobody_is_no_group_and_an_empty_record_holds_what_everybody_holds():
    assert found(baskets("ab").take(np.arange(0)), 2, 2) == []
    assert found(baskets("", "ab", "ab"), 2, 9) == [3, 2, 2]


@given(BASKETS, st.integers(1, 3))
def test_several_threads_find_the_same(held, items):
    data = baskets(*held)
    expected = found(data, items, 4)
    with parallel_from(0):
        assert found(data, items, 4) == expected


@given(RATINGS, st.integers(1, 3))
def test_ratings_do_not_matter_and_sensitive_items_are_not_known(data, items):
    engine = LocalEngine()
    without = replace(data, sensitive=RatingMatrix.empty(len(data), data.scale.dtype))
    asked = NeedItemSets(items, 3, people=True)
    fewest = [engine.item_sets(each, engine.group(each), asked).fewest.tolist() for each in (data, without)]
    assert fewest[0] == fewest[1]
