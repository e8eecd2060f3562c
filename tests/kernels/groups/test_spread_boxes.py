"""Boxes taken apart and built anew: what they must be, worked out value by value, and what must not be lost."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.groups.spread_boxes import spread_boxes

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
PERSON = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
"""Two ratings that are known, and one that is sensitive."""


def needs(target: Fraction) -> np.ndarray:
    """Of the ratings that were given, whatever the scale."""
    return np.array([[0.0, float(target), 0.0, 5.0, 1.0]])


def amounts(secrets: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones_like(secrets), np.ones_like(secrets), secrets, secrets**2]).astype(np.int64)


def variance(values: list[int]) -> Fraction:
    mean = Fraction(sum(values), len(values))
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values)


def boxes_of(labels: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(labels == box).tolist() for box in sorted(set(labels.tolist()) - {-1})]


@COMPILED
@settings(deadline=None)
@given(
    people=st.lists(PERSON, min_size=1, max_size=16),
    least=st.integers(1, 4),
    radius=st.integers(0, 3),
    target=st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(9, 4)]),
    data=st.data(),
)
def test_boxes_are_as_asked_and_nobody_loses_a_place_in_vain(run: Callable, people, least, radius, target, data):
    drawn = np.array(people, np.int64)
    points, secrets = drawn[:, :2].astype(np.uint8), drawn[:, 2]
    hopeful = np.array(data.draw(st.lists(st.booleans(), min_size=len(people), max_size=len(people))), np.bool_)
    labels = np.full(len(people), -1, np.int64)
    how = amounts(secrets), needs(target), least, radius
    placed = 0
    for patience, work in ((0, 9), (1, 9), (20, 0), (20, 10**6)):  # each goes on from what there is
        run(spread_boxes)(points, labels, hopeful, *how, patience, work)
        assert (labels[~hopeful] == -1).all()
        assert (labels >= 0).sum() >= placed
        placed = int((labels >= 0).sum())
        for box in boxes_of(labels):
            assert len(box) >= least
            assert (np.ptp(drawn[box, :2], axis=0) <= radius).all()
            assert variance(secrets[box].tolist()) >= target


@COMPILED
def test_a_box_that_took_what_others_need_is_taken_apart(run: Callable):
    """Two pairs that differ can be made; one box of the middle two leaves the ends over, and neither can join."""
    points, secrets = np.array([[0], [1], [1], [2]], np.uint8), np.array([0, 4, 0, 4], np.int64)
    labels = np.array([-1, 0, 0, -1], np.int64)
    run(spread_boxes)(points, labels, np.ones(4, np.bool_), amounts(secrets), needs(Fraction(4)), 2, 1, 50, 10**6)
    assert sorted(boxes_of(labels)) == [[0, 1], [2, 3]]


@settings(deadline=None)
@given(people=st.lists(PERSON, min_size=4, max_size=24), least=st.integers(2, 4))
def test_compiled_and_plain_find_the_same(people, least):
    drawn = np.array(people, np.int64)
    found = []
    for kernel in (spread_boxes, spread_boxes.py_func):  # type: ignore[attr-defined]
        labels = np.full(len(people), -1, np.int64)
        how = amounts(drawn[:, 2]), needs(Fraction(1)), least, 1, 10, 10**6
        kernel(drawn[:, :2].astype(np.uint8), labels, np.ones(len(people), np.bool_), *how)
        found.append(labels.tolist())
    assert found[0] == found[1]


@COMPILED
def test_no_attempt_begins_when_enough_was_weighed(run: Callable):
    """The first attempt weighs at least the one neighbor of the start, and none follows it."""
    points, secrets = np.array([[0], [1], [1], [2]], np.uint8), np.array([0, 4, 0, 4], np.int64)
    found = []
    for work in (-1, 0, 10**6):
        labels = np.array([-1, 0, 0, -1], np.int64)
        run(spread_boxes)(points, labels, np.ones(4, np.bool_), amounts(secrets), needs(Fraction(4)), 2, 1, 50, work)
        found.append(int((labels < 0).sum()))
    assert found[0] == 2
    assert found[0] >= found[1] >= found[2] == 0
