"""Who is behind the cells of groups, against dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.rater_sums import raters_of_cells, readings_of_cells

ITEMS, PARTS = 4, 2
ROWS = st.lists(st.dictionaries(st.integers(0, ITEMS - 1), st.integers(0, 4)), min_size=1, max_size=6)
SEEN = st.lists(st.dictionaries(st.integers(0, ITEMS - 1), st.integers(0, 8)), min_size=1, max_size=3)
NEAREST = {0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4}
"""What a code of the finer scale is on the other, halves upwards."""


def compressed(rows):
    cells = [cell for row in rows for cell in sorted(row.items())]
    indices, values = np.array([c for c, _ in cells], np.int32), np.array([v for _, v in cells], np.uint8)
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64), indices, values


def both(kernel):
    return pytest.mark.parametrize("kernel", [kernel, kernel.py_func], ids=["compiled", "plain"])


@both(raters_of_cells)
@given(rows=ROWS, seen=SEEN, data=st.data())
def test_cells_are_counted_by_how_many_members_rated_the_item(kernel, rows, seen, data):
    group = data.draw(st.lists(st.integers(-1, len(seen) - 1), min_size=len(rows), max_size=len(rows)))
    shown = data.draw(st.permutations(range(len(seen))))
    groups = [[row for row, g in enumerate(group) if g == number] for number in range(len(seen))]
    members = np.array([row for each in groups for row in each], np.int64)
    begins = np.cumsum([0, *map(len, groups)])
    counts, alone = kernel(
        *compressed(rows), members, begins, *compressed(seen), np.array(shown, np.int64), PARTS, ITEMS
    )
    expected_alone = [[0, 0] for _ in rows]
    for g, each in enumerate(groups):
        expected = [0, 0, 0, 0]
        for item, code in seen[shown[g]].items():
            raters = [row for row in each if item in rows[row]]
            expected[0] += 1
            expected[1] += not raters
            if len(raters) == 1:
                said = rows[raters[0]][item] == NEAREST[code]
                expected[2] += 1
                expected[3] += said
                expected_alone[raters[0]][0] += 1
                expected_alone[raters[0]][1] += said
        assert counts[g].tolist() == expected
    assert alone.tolist() == expected_alone


@both(raters_of_cells)
def test_counters_are_shared_by_groups_without_a_trace(kernel):
    rows = [{0: 1}] * 130  # more groups than share counters, one person each
    counts, alone = kernel(
        *compressed(rows), np.arange(130), np.arange(131), *compressed([{0: 2}]), np.zeros(130, np.int64), PARTS, 1
    )
    assert counts.tolist() == [[1, 0, 1, 1]] * 130
    assert alone.tolist() == [[1, 1]] * 130


@both(readings_of_cells)
@given(rows=ROWS, seen=SEEN, data=st.data())
def test_ratings_are_compared_with_what_is_read_for_them(kernel, rows, seen, data):
    pair = st.tuples(st.integers(0, len(rows) - 1), st.integers(0, len(seen) - 1))
    pairs = np.array(data.draw(st.lists(pair, max_size=6)), np.int64).reshape(-1, 2)
    guesses = data.draw(st.lists(st.integers(-1, 4), min_size=ITEMS, max_size=ITEMS))
    found = kernel(*compressed(rows), pairs[:, 0], *compressed(seen), pairs[:, 1], np.array(guesses), PARTS)
    for line, (row, read) in zip(found.tolist(), pairs, strict=True):
        ratings, profile = rows[row], seen[read]
        left = [item for item in ratings if item not in profile and guesses[item] >= 0]
        assert line == [
            len(ratings.keys() & profile.keys()),
            sum(NEAREST[profile[item]] == ratings[item] for item in ratings if item in profile),
            len(left),
            sum(guesses[item] == ratings[item] for item in left),
            sum(guesses[item] == rating for item, rating in ratings.items()),
        ]
