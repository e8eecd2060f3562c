"""Items are deleted until k^m-anonymity holds: never more than what rare sets ask for, and nothing is invented."""

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.anonymizers import ItemSuppression
from shoal.data import PRESENT, RatingMatrix, Ratings, Vocabulary
from shoal.engines import LocalEngine
from shoal.errors import WordingError
from shoal.models import KAnonymity, KmAnonymity, PrivacyModel
from shoal.randomness import Randomness
from shoal.testing import ratings

BASKETS = st.lists(st.frozensets(st.sampled_from("abcdef")), min_size=1, max_size=12)


def sets_of(held: list[frozenset[str]]) -> Ratings:
    names = list("abcdef")
    rows = np.array([[0 if name in some else -1 for name in names] for some in held], np.int32)
    matrix = RatingMatrix.from_dense(Vocabulary(pl.Series(names)), rows.reshape(len(held), len(names)))
    return Ratings(Vocabulary.numbered(len(held)), matrix, RatingMatrix.empty(len(held)), PRESENT)


def published(held: list[frozenset[str]], *models: PrivacyModel) -> list[frozenset[str]]:
    made = ItemSuppression().recode(sets_of(held), models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    names = made.observable.items.values.to_list()
    return [frozenset(names[i] for i in np.flatnonzero(row >= 0)) for row in made.observable.dense()]


def holders(some: set[str], held: list[frozenset[str]]) -> int:
    return sum(some <= other for other in held)


def rare_sets(mine: frozenset[str], held: list[frozenset[str]], k: int, m: int) -> list[set[str]]:
    sets = [set(some) for size in range(1, m + 1) for some in itertools.combinations(sorted(mine), size)]
    return [some for some in sets if holders(some, held) < k]


def fewest_deletions(mine: frozenset[str], rare: list[set[str]]) -> int:
    """How many items must go so that none of the rare sets is left."""
    sizes = range(len(mine) + 1)
    return next(n for n in sizes for gone in itertools.combinations(mine, n) if all(s & set(gone) for s in rare))


@given(BASKETS, st.integers(2, 4), st.integers(1, 4))
def test_no_set_is_rare_and_what_is_published_is_true(held, k, m):
    made = published(held, KmAnonymity(k, m))
    assert all(after <= before for before, after in zip(held, made, strict=True))
    assert not any(rare_sets(mine, made, k, m) for mine in made)


@given(BASKETS, st.integers(2, 4), st.integers(1, 3))
def test_no_fewer_deletions_than_every_record_needs_by_itself_and_none_that_can_be_undone(held, k, m):
    made = published(held, KmAnonymity(k, m))
    deleted = sum(len(before - after) for before, after in zip(held, made, strict=True))
    assert deleted >= sum(fewest_deletions(mine, rare_sets(mine, held, k, m)) for mine in held)
    for row, (before, after) in enumerate(zip(held, made, strict=True)):
        for item in before - after:
            undone = [*made[:row], after | {item}, *made[row + 1 :]]
            assert any(rare_sets(mine, undone, k, m) for mine in undone)


@given(BASKETS)
def test_two_promises_are_kept_together(held):
    made = published(held, KmAnonymity(4, 1), KmAnonymity(2, 3))
    assert not any(rare_sets(mine, made, 4, 1) or rare_sets(mine, made, 2, 3) for mine in made)


@given(BASKETS, st.permutations(range(12)))
def test_the_order_of_people_does_not_matter(held, order):
    order = [i for i in order if i < len(held)]
    asked = KmAnonymity(2, 2)
    made = published(held, asked)
    assert published([held[i] for i in order], asked) == [made[i] for i in order]


@given(ratings(max_sensitive=1), st.integers(1, 3))
def test_of_ratings_the_marks_that_stay_are_the_ones_that_were_given(data, m):
    made = ItemSuppression().recode(data, [KmAnonymity(2, m)], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    before, after = oracles.profiles(data), oracles.profiles(made)
    assert all(b is None or a == b for x, y in zip(before, after, strict=True) for a, b in zip(x, y, strict=True))
    assert len(data) < 2 or all(number >= 2 for number in oracles.fewest_people(after, m))


@given(BASKETS, st.sampled_from([7, 10**12, 10**30]))
def test_an_m_beyond_the_longest_record_asks_no_more_than_that(held, m):
    assert published(held, KmAnonymity(2, m), KmAnonymity(3, 1)) == published(
        held, KmAnonymity(2, 6), KmAnonymity(3, 1)
    )


def test_an_item_of_many_rare_pairs_goes_before_the_others():
    held = [frozenset("abc")] * 3 + [frozenset("abcd"), frozenset("d")]
    assert published(held, KmAnonymity(2, 2)) == [frozenset("abc")] * 4 + [frozenset()]


def test_of_two_items_the_more_common_one_goes():
    held = [frozenset("ab"), frozenset("b"), frozenset("b"), frozenset("a")]
    assert published(held, KmAnonymity(2, 2)) == [frozenset("a"), frozenset("b"), frozenset("b"), frozenset("a")]


def test_promises_that_are_not_about_items_are_refused():
    with pytest.raises(WordingError, match=r"cannot keep k-anonymity:k=2. It keeps km-anonymity"):
        published([frozenset("a")] * 2, KAnonymity(2))
