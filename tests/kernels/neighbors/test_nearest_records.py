"""The nearest records, against adding up dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.neighbors.nearest_records import PARTS, nearest_records

ITEMS, POINTS = 4, 5
PROFILE = st.dictionaries(st.integers(0, ITEMS - 1), st.integers(0, POINTS - 1))


def by_item(rows):
    columns = [[(row, cells[item]) for row, cells in enumerate(rows) if item in cells] for item in range(ITEMS)]
    begins = np.cumsum([0, *(len(column) for column in columns)]).astype(np.int64)
    raters = np.array([row for column in columns for row, _ in column], np.int32)
    return begins, raters, np.array([code for column in columns for _, code in column], np.uint8)


def from_anybody(rows, people, item, code):
    """The average squared difference from the ratings of the item, in parts of a squared step."""
    apart = [
        (row[item] - code) ** 2 for row, many in zip(rows, people, strict=True) if item in row for _ in range(many)
    ]
    return int(PARTS * sum(apart) / len(apart) + 0.5) if apart else 0


def any_two(rows, people, item):
    """The average squared difference of two ratings of the item, in parts of a squared step."""
    said = [row[item] for row, many in zip(rows, people, strict=True) if item in row for _ in range(many)]
    return int(PARTS * sum((a - b) ** 2 for a in said for b in said) / len(said) ** 2 + 0.5)


def distance(rows, people, row, line, whole):
    total = 0
    for item in range(ITEMS) if whole else line:
        if item in line and item in row:
            total += PARTS * (row[item] - line[item]) ** 2
        elif item in line:
            total += from_anybody(rows, people, item, line[item])
        elif item in row:
            total += any_two(rows, people, item)
    return total


@pytest.mark.parametrize("kernel", [nearest_records, nearest_records.py_func], ids=["compiled", "plain"])
@pytest.mark.parametrize("whole", [False, True], ids=["some", "everything"])
@given(rows=st.lists(PROFILE, min_size=1, max_size=6), data=st.data())
def test_the_nearest_are_those_with_the_least_sum_of_squares(kernel, whole, rows, data):
    published = data.draw(st.lists(PROFILE, min_size=1, max_size=4))
    people = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows))), np.int64)
    lines = np.array(data.draw(st.lists(st.integers(0, len(published) - 1), min_size=1, max_size=4)))
    own = np.array([data.draw(st.integers(0, len(rows) - 1)) for _ in lines])
    begins = np.cumsum([0, *(len(line) for line in published)]).astype(np.int64)
    known = np.array([item for line in published for item in sorted(line)], np.int32)
    codes = np.array([line[item] for line in published for item in sorted(line)], np.int64)
    arguments = (begins, known, codes, lines, own, whole, data.draw(st.integers(1, 3)))
    found, right = kernel(*by_item(rows), people, *arguments)
    for place, line in enumerate(lines):
        distances = [distance(rows, people, row, published[line], whole) for row in rows]
        nearest = [row for row, apart in enumerate(distances) if apart == min(distances)]
        assert found[place] == people[nearest].sum()
        assert right[place] == (own[place] in nearest)
