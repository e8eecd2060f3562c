"""Explore tries what was promised, and says what it tries."""

import re
from collections import Counter

import pytest

from workbench.conftest import Visitor, words_of
from workbench_data import add_data


@pytest.fixture(scope="module")
def ada(visitor) -> Visitor:
    return visitor("ada")


@pytest.fixture(scope="module")
def ratings(live) -> str:
    return add_data(live, "ratings")


def _grid(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input id="(ks|epsilons|ms)" name="\1" value="([^"]*)"', page))


@pytest.mark.parametrize(
    ("model", "grid", "tried"),
    [
        ("", {"ks": "2,3,5,10", "epsilons": "", "ms": ""}, "Tried is k-anonymity."),
        (
            "k-anonymity:k=4",
            {"ks": "2,3,4,5,10", "epsilons": "", "ms": ""},
            "Tried is k-anonymity , in the place of what you promised so far: k-anonymity:k=4.",
        ),
        (
            "k-epsilon:k=3,epsilon=2",
            {"ks": "2,3,5,10", "epsilons": "2", "ms": ""},
            "Tried is k-epsilon , in the place of what you promised so far: k-epsilon:k=3,epsilon=2.",
        ),
        ("km-anonymity:k=3,m=2", {"ks": "2,3,5,10", "epsilons": "", "ms": "2"}, "Tried is km-anonymity"),
        ("k-anonymity:k=many", {"ks": "2,3,5,10", "epsilons": "", "ms": ""}, "Tried is k-anonymity"),
    ],
)
def test_what_was_promised_is_tried(ada, ratings, model, grid, tried) -> None:
    page = ada.finished(f"/data/{ratings}/explore?model={model}" if model else f"/data/{ratings}/explore")
    assert _grid(page) == grid
    assert tried.replace(" ", "") in words_of(page).replace(" ", "")


def test_a_grid_of_the_address_is_not_changed(ada, ratings) -> None:
    page = ada.finished(f"/data/{ratings}/explore?model=k-anonymity:k=4&ks=7&epsilons=1")
    assert _grid(page) == {"ks": "7", "epsilons": "1", "ms": ""}


def test_k_anonymity_of_ratings_is_explored_and_taken(ada, ratings) -> None:
    there = f"/data/{ratings}/explore?model=k-anonymity:k=4&ks=2,4&try=align"
    ada.post(there, {"do": "compute"})
    page = ada.finished(there)
    assert len(re.findall(r'<a href="[^"]*model=k-anonymity%3Ak%3D[24]&amp;method=align[^"]*">Take ', page)) == 2


def test_what_k_means_is_told_of_these_data(live, ada) -> None:
    dataset = add_data(live, "table")
    groups = Counter((i % 40, i % 3 == 0) for i in range(120))
    for k in (2, 3, 4, 200):
        few = sum(many for many in groups.values() if many < k)
        words = words_of(ada.finished(f"/data/{dataset}/promise?model=k-anonymity:k={k}"))
        told = f"Today, {few} of the 120 records are" if few else "each of the 120 records already is exactly like"
        assert told in words, (k, few)
        assert f"What k = {k} means here" in words
