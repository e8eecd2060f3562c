"""Generated baskets: exactly as many purchases as asked for, the same for the same seed, popular items first."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.data import Ratings, Survey
from shoal.datasets import generate_baskets, generate_customers, write_generated
from shoal.errors import WordingError
from shoal.io import read


@settings(max_examples=25)
@given(st.integers(1, 30), st.integers(1, 12), st.data())
def test_sizes_are_as_asked_for(people, items, data):
    purchases = data.draw(st.integers(people, people * items))
    made = generate_baskets(people, items, purchases, 7)
    sizes = np.diff(made.observable.indptr)
    assert (len(made), len(made.observable.items), made.n_ratings) == (people, items, purchases)
    assert sizes.min() >= 1
    assert sizes.max() <= items
    assert made.is_sets


def test_the_same_seed_gives_the_same_baskets_and_another_does_not():
    one, same, other = (generate_baskets(200, 50, 1000, seed).observable.indices for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_popularity_falls_as_the_law_says():
    """The first item of a basket of one is drawn by the weights: the n-th most popular 1/n as often as the first."""
    counts = np.sort(generate_baskets(60_000, 20, 60_000, 3).observable.raters)[::-1]
    expected = 60_000 / np.arange(1, 21) / (1 / np.arange(1, 21)).sum()
    assert np.abs(counts / expected - 1).max() < 0.1


def test_a_file_is_read_back_as_what_is_in_memory(tmp_path):
    write_generated("baskets", tmp_path / "b.csv", people=300, items=40, purchases=2000, seed=5)
    again, made = read(tmp_path / "b.csv").records, generate_baskets(300, 40, 2000, 5)
    assert isinstance(again, Ratings)
    assert again.is_sets
    assert np.array_equal(again.observable.indptr, made.observable.indptr)
    names = again.observable.items.values.to_numpy()[again.observable.indices]
    assert np.array_equal(names, made.observable.indices + 1)


def test_demographics_lie_beside_the_same_baskets(tmp_path):
    sizes: dict[str, Any] = {"people": 300, "items": 40, "purchases": 2000, "seed": 5}
    write_generated("baskets", tmp_path / "b.csv", demographics=True, hierarchy=True, **sizes)
    again, made = read(tmp_path / "b.csv").records, generate_customers(**sizes, hierarchy=True)
    assert isinstance(again, Survey)
    assert again.ratings.hierarchy is not None
    assert again.table.frame().equals(made.table.frame())
    assert np.array_equal(made.ratings.observable.indices, generate_baskets(**sizes).observable.indices)
    assert np.array_equal(again.ratings.observable.indptr, made.ratings.observable.indptr)


@pytest.mark.parametrize("purchases", [9, 101])
def test_what_cannot_be_is_refused(purchases):
    with pytest.raises(WordingError, match="10 people cannot make"):
        generate_baskets(10, 10, purchases, 1)
