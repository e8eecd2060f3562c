"""The embedded purchases break a promise that one label mends."""

import itertools

from shoal.anonymizers import ItemGeneralization
from shoal.data import Ratings
from shoal.datasets import example_purchases
from shoal.engines import LocalEngine
from shoal.models import KmAnonymity
from shoal.randomness import Randomness


def baskets(ratings: Ratings) -> list[set[str]]:
    names, lines = ratings.observable.items.values.to_list(), ratings.observable.dense().tolist()
    return [{name for name, code in zip(names, line, strict=True) if code >= 0} for line in lines]


def rare(held: list[set[str]]) -> set[frozenset[str]]:
    sets = {frozenset(some) for each in held for n in (1, 2) for some in itertools.combinations(each, n)}
    return {some for some in sets if sum(some <= each for each in held) < 2}


def test_two_pairs_are_rare_and_none_is_where_drinks_are_one() -> None:
    purchases = example_purchases()
    assert purchases.is_sets
    assert rare(baskets(purchases)) == {frozenset({"beer", "bread"}), frozenset({"beer", "wine"})}
    made = ItemGeneralization().recode(purchases, [KmAnonymity(2, 2)], LocalEngine(), Randomness(1)).records
    assert isinstance(made, Ratings)
    food = [{"bread", "cheese"}, {"bread"}, {"bread", "cheese"}, {"cheese"}]
    assert baskets(made) == [each | {"drinks"} for each in food]
    assert not rare(baskets(made))
