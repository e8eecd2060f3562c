"""Scores of records, and what is read off them, against adding up dictionaries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.matching.scoreboard import prediction_errors, score_records, usual_codes

ITEMS, POINTS, ONE = 4, 5, 1 << 20
CELL = st.tuples(st.integers(0, POINTS - 1), st.integers(0, 6))
ROWS = st.lists(st.dictionaries(st.integers(0, ITEMS - 1), CELL), min_size=1, max_size=6)


def compressed(rows):
    indptr = np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
    cells = [(item, *row[item]) for row in rows for item in sorted(row)]
    columns = list(zip(*cells, strict=True)) or [(), (), ()]
    types = (np.int32, np.uint8, np.int32)
    return indptr, *(np.array(column, kind) for column, kind in zip(columns, types, strict=True))


def by_item(rows):
    columns = [{row: cells[item] for row, cells in enumerate(rows) if item in cells} for item in range(ITEMS)]
    return compressed(columns)


def people_of(rows, data):
    return np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows))), np.int64)


@pytest.mark.parametrize("kernel", [score_records, score_records.py_func], ids=["compiled", "plain"])
@pytest.mark.parametrize("dated", [False, True], ids=["without days", "with days"])
@given(rows=ROWS, data=st.data())
def test_every_record_is_scored_and_the_best_are_returned(kernel, dated, rows, data):
    clue = st.tuples(st.integers(0, ITEMS - 1), st.integers(0, POINTS - 1), st.integers(0, 6))
    lines = data.draw(st.lists(st.lists(clue, min_size=2, max_size=2), min_size=1, max_size=4))
    people, chance = people_of(rows, data), np.random.default_rng(data.draw(st.integers(0, 9)))
    own, draws = chance.integers(0, len(rows), len(lines)), chance.random(len(lines))
    weights, like_rating, like_day = np.array([1.0, 2.0, 3.0, 0.5]) * ONE, 0.5 ** np.arange(POINTS), np.array([1, 0.25])
    known, codes, days = (np.array(part, np.int64) for part in np.moveaxis(np.array(lines), 2, 0))
    indptr, raters, rated, on_days = by_item(rows)
    no_days = np.zeros(0, np.int32)
    arguments = (weights, like_rating, like_day, known, codes, days, own, draws, data.draw(st.integers(1, 3)))
    published = kernel(indptr, raters, rated, on_days if dated else no_days, people, *arguments)
    for i, (best, second, spread, on_top, own_on_top, chosen) in enumerate(zip(*published, strict=True)):
        scores = []
        for row in rows:
            likes = [
                weights[item]
                * (like_rating[abs(row[item][0] - code)] + (dict(enumerate(like_day)).get(apart, 0) if dated else 0))
                for item, code, day in lines[i]
                if item in row
                for apart in [abs(row[item][1] - day)]
            ]
            scores.append(sum(likes))
        ordered = sorted(scores, reverse=True)
        top = [row for row, score in enumerate(scores) if score == ordered[0]]
        assert best == ordered[0]
        assert second == (ordered[1] if len(rows) > 1 else -1)
        mean = sum(scores) / len(scores)
        assert spread == pytest.approx(math.sqrt(sum((s - mean) ** 2 for s in scores) / len(scores)), abs=ONE * 1e-6)
        assert on_top == sum(people[row] for row in top)
        assert own_on_top == (own[i] in top)
        assert chosen in top


@pytest.mark.parametrize("kernel", [score_records, score_records.py_func], ids=["compiled", "plain"])
def test_who_is_chosen_of_several_is_chosen_by_people(kernel):
    rows = [{0: (1, 0)}, {0: (1, 0), 1: (2, 0)}, {0: (4, 0)}]
    people, draws = np.array([1, 3, 9]), np.array([0.0, 0.24, 0.26, 0.99])
    knows = np.zeros((4, 1), np.int64)
    likeness = 0.5 ** np.arange(POINTS)
    published = kernel(
        *by_item(rows)[:3],
        np.zeros(0, np.int32),
        people,
        np.full(ITEMS, ONE),
        likeness,
        likeness,
        knows,
        knows + 1,
        knows,
        np.zeros(4, np.int64),
        draws,
        2,
    )
    assert published[3].tolist() == [4, 4, 4, 4]
    assert published[5].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("kernel", [score_records, score_records.py_func], ids=["compiled", "plain"])
def test_whoever_holds_a_known_item_scores_however_unlike_they_rate_it(kernel):
    rows = [{0: (0, 0), 1: (0, 0)}, {}]
    knows = np.array([[0, 1]])
    nothing = np.zeros(POINTS)
    arguments = (
        np.zeros(0, np.int32),
        np.ones(2, np.int64),
        np.full(ITEMS, ONE),
        nothing,
        nothing,
        knows,
        knows,
        knows,
    )
    best, second, *_ = kernel(*by_item(rows)[:3], *arguments, np.zeros(1, np.int64), np.zeros(1), 1)
    assert (best.tolist(), second.tolist()) == ([2], [0])


@pytest.mark.parametrize("kernel", [usual_codes, usual_codes.py_func], ids=["compiled", "plain"])
@given(rows=ROWS, data=st.data())
def test_items_are_added_up_in_people(kernel, rows, data):
    people, rounded = people_of(rows, data), np.array([0, 1, 1, 2, 2])
    support, sums, modes = kernel(*by_item(rows)[:3], people, rounded)
    for item in range(ITEMS):
        said = [row[item][0] for row, many in zip(rows, people, strict=True) if item in row for _ in range(many)]
        assert support[item] == len(said)
        assert sums[item] == sum(said)
        values = [rounded[code] for code in said]
        assert modes[item] == (min(set(values), key=lambda value: (-values.count(value), value)) if said else -1)


@pytest.mark.parametrize("kernel", [prediction_errors, prediction_errors.py_func], ids=["compiled", "plain"])
@given(truth=ROWS, seen=ROWS, data=st.data())
def test_ratings_that_were_not_known_are_compared_with_what_is_read(kernel, truth, seen, data):
    targets = [row for row, cells in enumerate(truth) if cells]
    indptr, indices, codes, _ = compressed(truth)
    known = np.array([data.draw(st.integers(indptr[row], indptr[row + 1] - 1)) for row in targets], np.int64)
    read = np.array([data.draw(st.integers(0, len(seen) - 1)) for _ in targets], np.int64)
    means, modes = np.array([0.5, 1, 2, 3.5]), np.array([0, 1, 2, 1])
    rounded = np.array([0, 1, 1, 2, 2])
    published = kernel(
        *(indptr, indices, codes // 2, np.array(targets, np.int64), known[:, None]),
        *(*compressed(seen)[:3], read, means, modes, rounded, 2),
    )
    for t, row in enumerate(targets):
        others = [int(i) for i in indices[indptr[row] : indptr[row + 1]] if i != indices[known[t]]]
        true = {item: truth[row][item][0] // 2 for item in others}
        there = {item: seen[read[t]][item][0] for item in others if item in seen[read[t]]}
        assert published[0][t] == len(others)
        assert published[1][t, 0] == sum((there.get(item, means[item]) - 2 * true[item]) ** 2 for item in others)
        assert published[1][t, 1] == sum((means[item] - 2 * true[item]) ** 2 for item in others)
        guesses = {item: rounded[there[item]] if item in there else modes[item] for item in others}
        assert published[2][t, 0] == sum(guesses[item] == true[item] for item in others)
        assert published[2][t, 1] == sum(modes[item] == true[item] for item in others)
