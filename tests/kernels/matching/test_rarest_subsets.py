"""The search for the rarest sets of columns of a row, against looking at every set."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels.matching.rarest_subsets import fewest_sharing_subsets, rows_with_subsets

COLUMNS = 7
ROW = st.frozensets(st.integers(0, COLUMNS - 1))
LONG = st.frozensets(st.integers(0, COLUMNS - 1), min_size=5)  # of which many are shared, and few leave few
ENOUGH = 10**9


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


def compressed(rows):
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return indptr, np.array([column for row in rows for column in sorted(row)], np.int32)


def sharing(wanted, rows, people):
    return sum(many for row, many in zip(rows, people, strict=True) if wanted <= row)


def fewest(columns, size, rows, people):
    sets = (frozenset(s) for n in range(size + 1) for s in itertools.combinations(columns, n))
    return min(sharing(wanted, rows, people) for wanted in sets)


def search(kernel, rows, people, known, own, most, steps=ENOUGH, n_columns=COLUMNS):
    holders = [frozenset(i for i, row in enumerate(rows) if c in row) for c in range(n_columns)]
    targets = np.arange(len(known))
    return kernel(
        *compressed(known),
        targets,
        np.array(own, np.int64),
        *compressed(rows),
        *compressed(holders),
        np.array(people, np.int64),
        most,
        steps,
    )


@st.composite
def published(draw):
    rows = draw(st.lists(ROW, min_size=1, max_size=9) | st.lists(LONG, min_size=5, max_size=14))
    several = st.lists(st.integers(1, 40), min_size=len(rows), max_size=len(rows))
    people = draw(st.just([1] * len(rows)) | several)
    own = draw(st.lists(st.integers(0, len(rows) - 1), max_size=6))
    known = [draw(st.just(rows[row]) | ROW) for row in own]
    return rows, people, known, own


@both(fewest_sharing_subsets)
@settings(max_examples=150)
@given(drawn=published(), most=st.integers(1, 5))
def test_numbers_are_those_of_looking_at_every_set(kernel, drawn, most):
    rows, people, known, own = drawn
    numbers, chosen, finished = search(kernel, rows, people, known, own, most)
    assert finished.tolist() == [most] * len(own)
    for found, best, columns, row in zip(numbers.tolist(), chosen.tolist(), known, own, strict=True):
        common = columns & rows[row]
        assert found == [fewest(common, size, rows, people) for size in range(1, most + 1)]
        picked = frozenset(best) - {-1}
        assert picked <= common
        assert sharing(picked, rows, people) == found[-1]


@both(fewest_sharing_subsets)
@given(drawn=published(), most=st.integers(1, 5), steps=st.integers(0, 300))
def test_a_search_that_is_cut_short_is_right_up_to_where_it_was_finished(kernel, drawn, most, steps):
    rows, people, known, own = drawn
    numbers, chosen, finished = search(kernel, rows, people, known, own, most, steps)
    cases = zip(numbers.tolist(), chosen.tolist(), finished.tolist(), known, own, strict=True)
    for found, best, size, columns, row in cases:
        right = [fewest(columns & rows[row], size, rows, people) for size in range(1, most + 1)]
        assert 1 <= size <= most
        assert found[:size] == right[:size]
        assert all(number >= true for number, true in zip(found, right, strict=True))
        assert sharing(frozenset(best) - {-1}, rows, people) == found[-1]


@both(fewest_sharing_subsets)
def test_a_search_may_be_cut_short_at_any_size(kernel):
    rows = [
        frozenset(range(COLUMNS)),
        *(frozenset(range(COLUMNS)) - {c, d} for c, d in itertools.combinations(range(6), 2)),
    ]
    people = [1] * len(rows)
    right = [fewest(rows[0], size, rows, people) for size in range(1, 5)]
    assert right == [11, 7, 4, 2]
    reached = set()
    for steps in range(0, 1500, 10):
        numbers, _, finished = search(kernel, rows, people, rows[:1], [0], 4, steps)
        size = int(finished[0])
        reached.add(size)
        assert numbers[0, :size].tolist() == right[:size]
        assert (numbers[0] >= right).all()
    assert reached == {1, 2, 3, 4}


@both(fewest_sharing_subsets)
def test_a_search_without_steps_knows_single_columns_and_says_so(kernel):
    rows = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    numbers, _, finished = search(kernel, rows, [1, 1, 1], rows, [0, 1, 2], 2, steps=0)
    assert (numbers.tolist(), finished.tolist()) == ([[2, 2]] * 3, [1, 1, 1])
    numbers, _, finished = search(kernel, rows, [1, 1, 1], rows, [0, 1, 2], 2)
    assert (numbers.tolist(), finished.tolist()) == ([[2, 1]] * 3, [2, 2, 2])


@pytest.mark.parametrize("seed", range(4))
def test_more_people_and_more_columns_than_bits_in_a_word(seed):
    chance = np.random.default_rng(seed)
    rows = [frozenset(np.flatnonzero(row).tolist()) for row in chance.random((150, 70)) < 0.9]
    rows[0] = frozenset(range(70))
    people = [1] * 150
    numbers, _, finished = search(fewest_sharing_subsets, rows, people, rows[:3], [0, 1, 2], 2, n_columns=70)
    assert finished.tolist() == [2] * 3
    for found, row in zip(numbers.tolist(), rows, strict=False):
        assert found == [fewest(row, size, rows, people) for size in (1, 2)]


@both(rows_with_subsets)
@given(rows=st.lists(ROW, min_size=1, max_size=6), data=st.data())
def test_rows_are_asked_for_all_columns_of_their_sets(kernel, rows, data):
    asked = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6))
    line = st.tuples(*[st.integers(-1, COLUMNS - 1)] * 3)
    sets = [data.draw(line) for _ in asked]
    found = kernel(*compressed(rows), np.array(asked, np.int64), np.array(sets, np.int64).reshape(len(asked), 3))
    assert found.tolist() == [set(one) - {-1} <= rows[row] for row, one in zip(asked, sets, strict=True)]
