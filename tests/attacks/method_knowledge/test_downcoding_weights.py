"""A label that is as narrow as it can be makes some values likelier than they are among all."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.attacks.method_knowledge.downcoding import certain_parts, minimal_label_weights
from shoal.attacks.method_knowledge.minimal_labels import Form, MinimalLabel


@st.composite
def labels(draw: st.DrawFn) -> tuple[MinimalLabel, list[int], int]:
    """Return a label, how many people have each of its values, and the size of a group."""
    counts = draw(st.lists(st.integers(0, 3), min_size=2, max_size=4).filter(any))
    form: Form = draw(st.sampled_from(["range", "node", "unknown"]))
    branches = draw(st.lists(st.integers(0, 1), min_size=len(counts), max_size=len(counts)))
    reading = MinimalLabel(
        form,
        np.arange(len(counts)),
        np.array(branches if form == "node" else range(len(counts)), np.int64),
        draw(st.booleans()),
    )
    return reading, counts, draw(st.integers(1, sum(counts) + 1))


@given(labels())
def test_a_value_weighs_as_often_as_it_is_in_the_groups_that_need_the_label(
    drawn: tuple[MinimalLabel, list[int], int],
) -> None:
    reading, counts, size = drawn
    people = [value for value, count in enumerate(counts) for _ in range(count)]
    found = Counter()
    for group in combinations(people, size):
        if reading.form == "range":
            values = sorted(set(group))  # 0 is the missing value where there is one
            needed = values[0] == 0 and values[-1] == len(counts) - 1 and (not reading.with_missing or values[1] == 1)
        else:
            needed = len({reading.branches[value] for value in group}) > 1
        found.update(group if needed else ())
    expected = np.array([(found or Counter(people))[value] for value in range(len(counts))])
    weights = minimal_label_weights(reading, np.array(counts), size)
    assert weights / weights.sum() == pytest.approx(expected / expected.sum(), abs=1e-9)


def test_a_group_too_small_for_all_values_that_occur_says_nothing() -> None:
    three = MinimalLabel("range", np.arange(3), np.arange(3), with_missing=True)
    assert minimal_label_weights(three, np.array([1, 2, 3]), 2).tolist() == [1, 2, 3]


def test_a_value_that_is_told_weighs_what_it_weighs() -> None:
    published = MinimalLabel("value", np.array([4]), np.array([0]))
    assert minimal_label_weights(published, np.array([3]), 2).tolist() == [3.0]
    assert certain_parts(published, np.array([3])).tolist() == [-1]


def test_large_groups_and_many_people_are_no_trouble() -> None:
    counts = np.array([1, 1_000_000, 1])
    middle = MinimalLabel("range", np.arange(3), np.arange(3))
    few, all_of_them = (minimal_label_weights(middle, counts, size) for size in (2, 1_000_002))
    assert few / few.sum() == pytest.approx([0.5, 0, 0.5], abs=1e-6)
    assert all_of_them.tolist() == [1, 1_000_000, 1]


def test_two_branches_with_people_are_certain_and_three_are_not() -> None:
    node = MinimalLabel("node", np.arange(4), np.array([0, 0, 1, 2]))
    assert certain_parts(node, np.array([1, 1, 0, 5])).tolist() == [0, 0, -1, 1]
    assert certain_parts(node, np.array([1, 0, 2, 5])).tolist() == [-1, -1, -1, -1]
