"""Records that agree with what is known, against going through dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.matching_records import (
    count_matching,
    matching_profiles,
    matching_ratings,
    rows_matching,
)

ITEMS, VALUES = 5, 4
CODE = st.integers(0, VALUES - 1)
ROW = st.dictionaries(st.integers(0, ITEMS - 1), CODE) | st.fixed_dictionaries(dict.fromkeys(range(ITEMS), CODE))


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


def compressed(rows):
    indptr = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    cells = [cell for row in rows for cell in sorted(row.items())]
    return indptr, np.array([c for c, _ in cells], np.int32), np.array([v for _, v in cells], np.uint8)


@st.composite
def lines(draw, n):
    """Lines of items with the lowest and the highest code that fits; often any does."""
    width = draw(st.integers(1, 3))
    bounds = st.just((-1, VALUES)) | st.tuples(st.integers(-1, VALUES), st.integers(-1, VALUES))
    cells = st.tuples(st.integers(0, ITEMS - 1), bounds)
    drawn = draw(st.lists(st.tuples(*[cells] * width), min_size=n, max_size=n))
    return [[(item, low, high) for item, (low, high) in line] for line in drawn]


def arrays(drawn):
    cells = np.array(drawn, np.int64).reshape(len(drawn), -1, 3)
    return cells[:, :, 0].astype(np.int32), cells[:, :, 1], cells[:, :, 2]


def agrees(row, line):
    return all(item in row and low <= row[item] <= high for item, low, high in line)


@both(count_matching)
@given(rows=st.lists(ROW, min_size=1, max_size=7), data=st.data())
def test_people_behind_records_that_agree_are_counted(kernel, rows, data):
    people = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    drawn = data.draw(lines(data.draw(st.integers(1, 5))))
    raters = [{i: row[c] for i, row in enumerate(rows) if c in row} for c in range(ITEMS)]
    found = kernel(*compressed(rows), *compressed(raters)[:2], np.array(people), *arrays(drawn))
    assert found.tolist() == [
        sum(n for row, n in zip(rows, people, strict=True) if agrees(row, line)) for line in drawn
    ]


@both(rows_matching)
@given(rows=st.lists(ROW, min_size=1, max_size=7), data=st.data())
def test_each_row_is_held_against_its_own_line(kernel, rows, data):
    asked = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=7))
    drawn = data.draw(lines(len(asked)))
    published = kernel(*compressed(rows), ITEMS, np.array(asked), *arrays(drawn))
    assert published.tolist() == [agrees(rows[row], line) for row, line in zip(asked, drawn, strict=True)]


@both(rows_matching)
def test_the_first_item_of_the_next_row_is_not_taken_for_one_of_this(kernel):
    published = kernel(*compressed([{0: 1}, {1: 1}]), 2, np.array([0]), *arrays([[(1, 0, 9)]]))
    assert published.tolist() == [False]


@both(matching_profiles)
@given(rows=st.lists(ROW, min_size=1, max_size=7), data=st.data())
def test_records_that_agree_are_counted_and_those_with_most_people(kernel, rows, data):
    people = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    drawn = data.draw(lines(data.draw(st.integers(1, 5))))
    raters = [{i: row[c] for i, row in enumerate(rows) if c in row} for c in range(ITEMS)]
    found = kernel(*compressed(rows), *compressed(raters)[:2], np.array(people), *arrays(drawn))
    for figures, line in zip(found.tolist(), drawn, strict=True):
        fit = [n for row, n in zip(rows, people, strict=True) if agrees(row, line)]
        most = max(fit, default=0)
        assert figures == [sum(fit), len(fit), most, fit.count(most)]


@both(matching_ratings)
@given(rows=st.lists(ROW, min_size=1, max_size=7), data=st.data(), parts=st.integers(1, 3))
def test_ratings_of_an_item_by_records_that_agree_are_counted_on_a_coarser_scale(kernel, rows, data, parts):
    people = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    drawn = data.draw(lines(data.draw(st.integers(1, 5))))
    points = -(-VALUES // parts) + 1
    asked = data.draw(
        st.lists(
            st.tuples(st.integers(0, ITEMS - 1), st.integers(0, points - 1)), min_size=len(drawn), max_size=len(drawn)
        )
    )
    raters = [{i: row[c] for i, row in enumerate(rows) if c in row} for c in range(ITEMS)]
    sought, true = np.array(asked, np.int64).T
    index = (*compressed(raters)[:2], np.array(people))
    found = kernel(*compressed(rows), *index, *arrays(drawn), sought.astype(np.int32), true.copy(), parts, points)
    for figures, line, (item, right) in zip(found.tolist(), drawn, asked, strict=True):
        fit = [(row, n) for row, n in zip(rows, people, strict=True) if agrees(row, line)]
        codes = [row[item] for row, _ in fit if item in row]
        given = [0] * points
        for row, n in fit:
            if item in row:
                given[int(np.floor(row[item] / parts + 0.5))] += n
        assert figures[:2] == [sum(n for _, n in fit), sum(given)]
        assert figures[2:4] == [min(codes, default=-1), max(codes, default=-1)]
        assert figures[4:] == [max(given), given.count(max(given)), given[right]]
