"""An engine that remembers gives the answers of one that does not, whichever data sets come and go."""

import gc
import weakref
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Ratings
from shoal.engines import LocalEngine
from shoal.engines.local import RememberingEngine
from shoal.evidence import NeedItemSets
from shoal.testing.strategies import ratings
from surveys import survey

ZERO, ONE = Fraction(0), Fraction(1)


def test_a_data_set_at_the_address_of_one_that_is_gone_gets_its_own_answers():
    remembering, plain = RememberingEngine(), LocalEngine()
    for i in range(300):
        rows = [[1, 2], [1, 2], [3, 3]] if i % 3 else [[1, 1], [2, 5], [4, 1]]
        data = survey(rows, 5)
        grouping = plain.group(data)
        need = NeedItemSets(1, 2)
        assert remembering.neighbors(data, ZERO).others.tolist() == plain.neighbors(data, ZERO).others.tolist()
        assert (
            remembering.item_sets(data, grouping, need).sizes.tolist()
            == plain.item_sets(data, grouping, need).sizes.tolist()
        )
        del data, grouping  # so that the next may lie where they were


@settings(max_examples=30)
@given(first=ratings(), second=ratings(), order=st.lists(st.booleans(), max_size=6))
def test_two_data_sets_that_are_asked_about_in_turn_are_not_mistaken(first: Ratings, second: Ratings, order):
    remembering, plain = RememberingEngine(), LocalEngine()
    for which in order:
        data = first if which else second
        found, expected = (each.neighbors(data, ONE, sensitive=True) for each in (remembering, plain))
        assert found.others.tolist() == expected.others.tolist()
        assert found.moments is not None
        assert expected.moments is not None
        assert found.moments.squares.tolist() == expected.moments.squares.tolist()


def test_what_was_found_is_not_computed_again(monkeypatch):
    data, engine = survey([[1, 2], [1, 2], [3, 3]], 5), RememberingEngine()
    grouping = engine.group(data)
    first = engine.neighbors(data, ONE), engine.item_sets(data, grouping, NeedItemSets(1, 2))
    monkeypatch.setattr(LocalEngine, "neighbors", None)
    monkeypatch.setattr(LocalEngine, "item_sets", None)
    assert engine.neighbors(data, ONE) is first[0]
    assert engine.item_sets(data, grouping, NeedItemSets(1, 2)) is first[1]


def test_a_data_set_is_not_kept_alive_by_what_was_found_of_it():
    engine, data = RememberingEngine(), survey([[1, 2], [1, 2]], 5)
    engine.neighbors(data, ONE)
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None
