"""The kernel that sets rows apart from strangers, against neighborhoods counted anew."""

import itertools
import statistics
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.groups.part_rows import part_rows

COMPILED = pytest.mark.parametrize(
    "run", [lambda kernel: kernel, lambda kernel: kernel.py_func], ids=["compiled", "plain"]
)
VALUES, RADIUS, TARGET = 6, 1, 1.0
Rows = list[list[int]]


def near(one: list[int], other: list[int]) -> bool:
    return all(abs(a - b) <= RADIUS for a, b in zip(one, other, strict=True))


def around(rows: Rows) -> list[list[int]]:
    return [[j for j, other in enumerate(rows) if near(row, other)] for row in rows]


def lack(rows: Rows, secrets: list[int]) -> float:
    """What all neighborhoods together fall short of the variance that is asked."""
    sets = [[secrets[j] for j in some] for some in around(rows)]
    return sum(max(1 - statistics.pvariance(some) / TARGET, 0) for some in sets)


def strangers(rows: Rows, labels: list[int], marked: list[bool]) -> int:
    pairs = itertools.combinations(range(len(rows)), 2)
    return sum(near(rows[i], rows[j]) for i, j in pairs if labels[i] != labels[j] and (marked[i] or marked[j]))


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Rows, list[int], list[int]]:
    """Groups that fit into boxes, of two rows or more, and a sensitive value for each row."""
    width = draw(st.integers(1, 3))
    rows, labels = [], []
    for group in range(draw(st.integers(1, 4))):
        corner = [draw(st.integers(0, VALUES - 1 - RADIUS)) for _ in range(width)]
        for _ in range(draw(st.integers(2, 3))):
            rows.append([c + draw(st.integers(0, RADIUS)) for c in corner])
            labels.append(group)
    return rows, labels, [draw(st.integers(0, 4)) for _ in rows]


def parted(run: Callable, rows: Rows, labels: list[int], secrets: list[int] | None, marked: list[bool]):
    """Return the rows after, the totals after and how many values were moved."""
    n, width = len(rows), len(rows[0])
    amounts = np.array([(1, 1, s, s * s) for s in secrets] if secrets else [[0]] * n, np.int64)
    totals = np.array([amounts[some].sum(axis=0) for some in around(rows)])
    needs = np.array([(0.0, TARGET, 0.0, 5.0, 1.0)] if secrets else [], np.float64).reshape(-1, 5)
    codes, order = np.array(rows, np.uint8).ravel(), np.arange(n)
    firsts = np.searchsorted(labels, np.arange(max(labels) + 2))
    moved = run(part_rows)(
        np.arange(n + 1) * width,
        codes,
        codes.astype(np.int64),
        order,
        np.array([0, n]),
        np.array(labels),
        order,
        firsts,
        RADIUS,
        VALUES,
        totals,
        amounts,
        needs,
        np.array(marked),
        4,
    )
    return codes.reshape(n, width).tolist(), totals.tolist(), moved


def assert_groups_hold(before: Rows, after: Rows, labels: list[int]) -> None:
    for i, j in itertools.combinations(range(len(after)), 2):
        if labels[i] == labels[j]:
            assert near(after[i], after[j])
    assert all(0 <= value < VALUES for row in after for value in row)
    assert len(before) == len(after)


@COMPILED
@given(given=grouped())
def test_neighborhoods_lack_less_and_groups_stay_together(run: Callable, given) -> None:
    rows, labels, secrets = given
    after, totals, moved = parted(run, rows, labels, secrets, [False] * len(rows))
    assert_groups_hold(rows, after, labels)
    assert lack(after, secrets) < lack(rows, secrets) if moved else after == rows
    sums = [
        [sum(column) for column in zip(*((1, 1, secrets[j], secrets[j] ** 2) for j in some), strict=True)]
        for some in around(after)
    ]
    assert totals == sums, "what is kept of neighborhoods is what counting anew gives"


@COMPILED
@given(given=grouped(), data=st.data())
def test_marked_groups_have_fewer_strangers(run: Callable, given, data) -> None:
    rows, labels, _ = given
    chosen = data.draw(st.sets(st.sampled_from(labels)))
    marked = [label in chosen for label in labels]
    after, _, moved = parted(run, rows, labels, None, marked)
    assert_groups_hold(rows, after, labels)
    fewer = strangers(after, labels, marked) < strangers(rows, labels, marked)
    assert fewer if moved else after == rows


@COMPILED
def test_a_step_of_one_rating_is_enough(run: Callable) -> None:
    """Row 1 sees the next group, and with it spreads too little; a step back and it does not."""
    rows, labels, secrets = [[0, 2], [1, 2], [2, 2], [2, 2]], [0, 0, 1, 1], [1, 3, 2, 2]
    after, _, _ = parted(run, rows, labels, secrets, [False] * 4)
    assert after[:2] == [[0, 2], [0, 2]]


@given(given=grouped())
def test_compiled_and_plain_agree(given) -> None:
    rows, labels, secrets = given
    ways = [
        parted(run, rows, labels, secrets, [False] * len(rows))
        for run in (lambda kernel: kernel, lambda kernel: kernel.py_func)
    ]
    assert ways[0] == ways[1]
