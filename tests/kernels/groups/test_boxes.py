"""The kernels that split points into boxes, against what a split must be and against trying everything."""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.box_groups import best_split, grow_boxes, join_boxes, neighbor_masks, reached, settle_boxes
from shoal.kernels.neighbors.pairwise import slices

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
Runner = Callable[[Callable], Callable]
Rows = list[list[int]]


@st.composite
def rows(draw: st.DrawFn, most: int = 12) -> np.ndarray:
    n, width = draw(st.integers(1, most)), draw(st.integers(0, 3))
    drawn = draw(st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=n, max_size=n))
    return np.array(drawn, np.uint8).reshape(n, width)


def near(one: list[int], other: list[int], radius: int) -> bool:
    return all(abs(a - b) <= radius for a, b in zip(one, other, strict=True))


def assert_boxes(points: np.ndarray, labels: np.ndarray, made: int, least: int, radius: int) -> None:
    listed = points.tolist()
    assert set(labels.tolist()) - {-1} == set(range(made))
    for box in range(made):
        inside = [listed[row] for row in np.flatnonzero(labels == box)]
        assert len(inside) >= least
        assert all(near(one, other, radius) for one in inside for other in inside)


@COMPILED
@given(points=rows(), least=st.integers(1, 4), more=st.integers(0, 9), radius=st.integers(0, 4), data=st.data())
def test_grown_boxes_are_boxes_of_the_size_asked_for(run: Runner, points, least, more, radius, data) -> None:
    seeds = np.array(data.draw(st.permutations(range(len(points)))), np.int64)
    order, begins = slices(points, 5)
    labels, made = run(grow_boxes)(points, order, begins, seeds, least, least + more, radius)
    assert_boxes(points, labels, made, least, radius)
    assert all(count <= least + more for label, count in Counter(labels.tolist()).items() if label >= 0)
    first = points[seeds[0]].tolist()
    around = [row for row in points.tolist() if near(first, row, radius)]
    if len(around) >= least and all(near(a, b, radius) for a in around for b in around):
        assert labels[seeds[0]] == 0, "the first seed has a box in its neighborhood, and was left out"


@COMPILED
@given(points=rows(), least=st.integers(1, 4), radius=st.integers(0, 3))
def test_settling_only_finds_places_for_more(run: Runner, points, least, radius) -> None:
    order, begins = slices(points, 5)
    labels, made = grow_boxes(points, order, begins, np.arange(len(points)), least, len(points), radius)
    before = labels.copy()
    made = run(settle_boxes)(points, labels, made, np.ones(len(points), bool), least, radius)
    assert_boxes(points, labels, made, least, radius)
    assert (labels[before >= 0] >= 0).all()
    listed = points.tolist()
    for row in np.flatnonzero(labels < 0):
        for box in range(made):
            inside = [listed[other] for other in np.flatnonzero(labels == box)]
            assert not all(near(listed[row], other, radius) for other in inside), "there is room in a box"


@COMPILED
def test_settling_leaves_the_hopeless_alone(run: Runner) -> None:
    points = np.array([[0], [0], [0]], np.uint8)
    labels = np.array([0, 0, -1])
    assert run(settle_boxes)(points, labels, 1, np.array([True, True, False]), 2, 0) == 1
    assert labels.tolist() == [0, 0, -1]


@COMPILED
def test_settling_borrows_from_boxes_that_can_spare(run: Runner) -> None:
    # the pruning example of the thesis: {1, 3, 4}, {2}, {5, 6} at ε = 2, within the first pattern
    points = np.array([[3, 6], [2, 5], [4, 7], [5, 6]], np.uint8)
    labels = np.array([0, -1, 0, 0])
    made = run(settle_boxes)(points, labels, 1, np.ones(4, bool), 2, 2)
    assert_boxes(points, labels, made, 2, 2)
    assert (labels >= 0).all()


@COMPILED
@given(points=rows(), radius=st.integers(0, 3), data=st.data())
def test_joined_boxes_are_boxes_and_the_poor_are_joined_where_they_can(run: Runner, points, radius, data) -> None:
    order, begins = slices(points, 5)
    labels, made = grow_boxes(points, order, begins, np.arange(len(points)), 1, 1, radius)
    poor = np.array(data.draw(st.lists(st.booleans(), min_size=made, max_size=made)), bool)
    joined, fewer = run(join_boxes)(points, labels, made, poor, radius)
    assert_boxes(points, joined, fewer, 1, radius)
    listed = points.tolist()
    for box in np.flatnonzero(poor):
        row = int(np.flatnonzero(labels == box)[0])
        alone = (joined == joined[row]).sum() == 1
        others = [other for other in range(len(points)) if other != row and near(listed[row], listed[other], radius)]
        singles = [other for other in others if (joined == joined[other]).sum() == 1]
        assert not (alone and singles), "two boxes that make one were left apart"


@COMPILED
@given(points=rows(), radius=st.integers(0, 4))
def test_masks_are_those_of_comparing_every_two(run: Runner, points, radius) -> None:
    listed = points.tolist()
    expected = [sum(near(one, other, radius) << place for place, other in enumerate(listed)) for one in listed]
    assert run(neighbor_masks)(points, radius).tolist() == expected


@COMPILED
@given(points=rows(), radius=st.integers(0, 2), most=st.integers(1, 12), data=st.data())
def test_what_is_reached_is_what_steps_lead_to(run: Runner, points, radius, most, data) -> None:
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points))), bool)
    start = data.draw(st.integers(0, len(points) - 1))
    listed, expected = points.tolist(), {start}
    for _ in listed:
        expected |= {
            row
            for row in np.flatnonzero(chosen).tolist()
            if any(near(listed[row], listed[other], radius) for other in expected)
        }
    found = run(reached)(points, chosen, start, radius, most)
    assert found.tolist() == (sorted(expected) if len(expected) <= most else [])


def splits(things: list[int]) -> Iterator[list[list[int]]]:
    """Every way to put some of the things into sets, the rest into none."""
    if not things:
        yield []
        return
    yield from splits(things[1:])
    for chosen in range(2 ** (len(things) - 1)):
        part = [things[0]] + [thing for place, thing in enumerate(things[1:]) if chosen >> place & 1]
        for others in splits([thing for thing in things if thing not in part]):
            yield [part, *others]


@COMPILED
@given(points=rows(most=5), radius=st.integers(0, 2), least=st.integers(1, 3), data=st.data())
def test_the_best_split_is_the_best_of_all(run: Runner, points, radius, least, data) -> None:
    n, listed = len(points), points.tolist()
    worth = np.array(data.draw(st.lists(st.integers(0, 5), min_size=2**n, max_size=2**n)), np.int64)
    allowed = np.array([mask.bit_count() >= least and worth[mask] > 0 for mask in range(2**n)])

    def published(parts: list[list[int]]) -> tuple[int, int]:
        values = [worth[sum(1 << thing for thing in part)] for part in parts]
        return n - sum(len(part) for part in parts), -min(values, default=np.iinfo(np.int64).max)

    def possible(parts: list[list[int]]) -> bool:
        return all(
            allowed[sum(1 << thing for thing in part)]
            and all(near(listed[a], listed[b], radius) for a in part for b in part)
            for part in parts
        )

    best = min(published(parts) for parts in splits(list(range(n))) if possible(parts))
    labels = run(best_split)(neighbor_masks(points, radius), allowed, worth)
    found = [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]
    assert possible(found)
    assert published(found) == best
