"""Values are shared out among parts in every way, or in many ways by their chances."""

from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.attacks.method_knowledge.minimality import ContingencyTables, contingency_tables

CHANCE = np.random.default_rng(1)


@given(st.lists(st.integers(1, 2), min_size=1, max_size=3), st.data())
def test_ways_are_weighed_by_the_arrangements_that_come_to_them(sizes: list[int], data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(0, 2), min_size=sum(sizes), max_size=sum(sizes)))
    kinds = sorted(set(values))
    borders = [0, *np.cumsum(sizes).tolist()]
    expected = Counter(
        tuple(tuple(way[begin:end].count(kind) for kind in kinds) for begin, end in pairwise(borders))
        for way in permutations(values)
    )
    found = published(sizes, [values.count(kind) for kind in kinds], 10_000)
    assert found.are_all
    weights = {tuple(map(tuple, way)): weight for way, weight in zip(found.counts.tolist(), found.weights, strict=True)}
    assert weights.keys() == expected.keys()
    total, every = sum(weights.values()), sum(expected.values())
    assert {way: weight / total for way, weight in weights.items()} == pytest.approx(
        {way: number / every for way, number in expected.items()}
    )


def test_as_many_ways_as_the_limit_are_all_gone_through() -> None:
    # of 2 and 2 among 2 and 2 there are three ways
    assert published([2, 2], [2, 2], 3).are_all
    assert not published([2, 2], [2, 2], 2).are_all


def test_ways_that_are_drawn_use_up_every_value_and_fill_every_part() -> None:
    found = published([4, 5, 6], [6, 5, 3, 1], 50)
    assert not found.are_all
    assert found.counts.shape == (50, 3, 4)
    assert (found.counts.sum(axis=2) == [4, 5, 6]).all()
    assert (found.counts.sum(axis=1) == [6, 5, 3, 1]).all()
    assert (found.weights == 1).all()


def test_a_part_gets_its_share_of_every_value_on_average() -> None:
    sizes, counts = np.array([10, 20, 30]), np.array([36, 12, 12])
    drawn = published(sizes.tolist(), counts.tolist(), 1000).counts
    assert drawn.mean(axis=0) == pytest.approx(np.outer(sizes, counts) / 60, abs=0.3)
    assert drawn.std(axis=0).min() > 0.5


def published(sizes: list[int], counts: list[int], limit: int) -> ContingencyTables:
    return contingency_tables(np.array(sizes), np.array(counts), limit, CHANCE)
