"""The attack single-rater, against counting who is behind each cell by hand."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.attacks import Exposure, SingleRater
from shoal.attacks.exposure import control_targets
from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.randomness import Randomness
from surveys import survey

FINE = Scale.of(1, 5, "0.5")


def ratings_of(rows, scale, people=None):
    codes = [[-1 if x is None else int((Fraction(x) - 1) / scale.step) for x in row] for row in rows]
    items = Vocabulary(pl.Series([f"issue {i}" for i in range(len(rows[0]))], dtype=pl.String))
    matrix = RatingMatrix.from_dense(items, np.array(codes, np.int32), scale.dtype)
    nothing = RatingMatrix.empty(len(rows), scale.dtype)
    people = None if people is None else np.array(people, np.int64)
    return Ratings(Vocabulary.numbered(len(rows)), matrix, nothing, scale, people)


def nearest(value):
    """Round to whole ratings, halves upwards."""
    return math.floor(Fraction(value) + Fraction(1, 2))


def averages(profiles, people):
    """What the profiles say of each item on average, by how many people they stand for."""
    out = []
    for item in range(len(profiles[0])):
        held = [(row[item], n) for row, n in zip(profiles, people, strict=True) if row[item] is not None]
        out.append(Fraction(sum(x * n for x, n in held)) / sum(n for _, n in held) if held else None)
    return out


def read_right(mine, profile, usual):
    """The share of one's ratings that somebody gets right who reads a profile and guesses what it does not hold."""
    hits = []
    for rating, cell, average in zip(mine, profile, usual, strict=True):
        if rating is not None:
            said = average if cell is None else cell
            hits.append(Fraction(1, 5) if said is None else Fraction(nearest(said) == rating))
    return sum(hits) / len(hits)


@st.composite
def releases(draw):
    """People, the profiles on a finer scale that stand for some of them, and for how many."""
    width = draw(st.integers(1, 3))
    truth = draw(st.lists(st.tuples(*[st.none() | st.integers(1, 5)] * width), min_size=1, max_size=6))
    cell = st.none() | st.sampled_from([Fraction(i, 2) for i in range(2, 11)])
    profiles = draw(st.lists(st.tuples(*[cell] * width), min_size=1, max_size=4))
    place = draw(st.lists(st.integers(-1, len(profiles) - 1), min_size=len(truth), max_size=len(truth)))
    people = draw(st.lists(st.integers(1, 3), min_size=len(profiles), max_size=len(profiles)))
    return truth, profiles, place, people


@settings(max_examples=150)
@given(releases())
def test_every_figure_is_that_of_counting_by_hand(release):
    truth, profiles, place, people = release
    exposure = Exposure(ratings_of(truth, Scale.of(1, 5)), ratings_of(profiles, FINE, people), np.array(place))
    targets = [t for t, row in enumerate(place) if row >= 0 and any(x is not None for x in truth[t])]
    if not targets:
        assert SingleRater().misfit(exposure) is not None
        return
    outcome = SingleRater()._run(exposure, Randomness(2))
    usual, nothing = averages(profiles, people), [None] * len(truth[0])
    assert outcome.main == pytest.approx([float(read_right(truth[t], profiles[place[t]], usual)) for t in targets])
    assert outcome.baseline == pytest.approx(
        float(sum(read_right(truth[t], nothing, usual) for t in targets) / len(targets))
    )
    rows = control_targets(np.array([place[t] for t in targets]), Randomness(2).generator("single-rater"))
    control = [read_right(truth[t], profiles[row], usual) for t, row in zip(targets, rows, strict=True)]
    assert outcome.control == pytest.approx([float(hit) for hit in control])
    check_details(outcome.details, truth, profiles, place, targets)


def check_details(details, truth, profiles, place, targets):
    behind: dict = {profile: [] for profile in profiles}  # alike profiles are one
    for person, row in enumerate(place):
        if row >= 0:
            behind[profiles[row]].append(person)
    cells = [(profile, item) for profile in behind for item, cell in enumerate(profile) if cell is not None]
    raters = {cell: [p for p in behind[cell[0]] if truth[p][cell[1]] is not None] for cell in cells}
    single = [cell for cell in cells if len(raters[cell]) == 1]

    def exact(pairs):
        right = sum(nearest(profile[item]) == truth[person][item] for (profile, item), person in pairs)
        return right / len(pairs) if pairs else 0

    mine = [((profiles[place[t]], i), t) for t in targets for i, x in enumerate(truth[t]) if x is not None]
    held = [(cell, t) for cell, t in mine if cell in raters]
    alone = {t for cell, t in held if len(raters[cell]) == 1}
    expected = {
        "published_cells": len(cells),
        "share_of_cells_with_one_rater": len(single) / len(cells) if cells else 0,
        "share_of_cells_with_no_rater": sum(not raters[cell] for cell in cells) / len(cells) if cells else 0,
        "exact_rate_in_single_rater_cells": exact([(cell, raters[cell][0]) for cell in single]),
        "exact_rate_in_cells_of_several_raters": exact([(cell, t) for cell, t in held if len(raters[cell]) > 1]),
        "share_of_ratings_alone_in_a_cell": len(single) / len(mine),
        "share_of_ratings_without_a_cell": 1 - len(held) / len(mine),
        "share_of_targets_alone_in_a_cell": len(alone) / len(targets),
    }
    assert details == pytest.approx(expected)


def test_the_average_of_one_rating_is_that_rating():
    truth = survey([[5, None, 1], [None, 2, 3], [4, 4, None]], r=5)
    profiles = ratings_of([[5, 2, 2], [4, 4, None]], FINE, [2, 1])
    found = SingleRater().run(Exposure(truth, profiles, np.array([0, 0, 1])), Randomness(1))
    # the first two are behind one profile: 5 and 2 are theirs alone, and 2 is the average of 1 and 3
    assert found.main == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    # on average issue 0 is 14/3, issue 1 is 8/3, and issue 2 is 2
    assert found.baseline == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert found.details["published_cells"] == 5
    assert found.details["share_of_cells_with_one_rater"] == 4 / 5
    assert found.details["exact_rate_in_single_rater_cells"] == 1
    assert found.details["exact_rate_in_cells_of_several_raters"] == 0


def test_on_raw_data_everything_is_read():
    found = SingleRater().run(Exposure.of_itself(survey([[1, 2], [5, None], [3, 4]], r=5)), Randomness(1))
    assert found.main == 1
    assert found.details["share_of_cells_with_one_rater"] == 1


def test_an_item_that_is_published_nowhere_is_a_guess_of_any_rating():
    seen = ratings_of([[None, 3]], Scale.of(1, 5), [2])
    found = SingleRater().run(Exposure(survey([[1, 3], [2, 1]], r=5), seen, np.zeros(2, np.int64)), Randomness(1))
    assert found.main == found.baseline == pytest.approx(((1 / 5 + 1) / 2 + (1 / 5) / 2) / 2)


def test_a_release_without_its_ledger_does_not_tell_who_rated():
    profiles = ratings_of([[3], [4]], FINE, [2, 2])
    assert "only in the ledger" in (SingleRater().misfit(Exposure.of_itself(profiles)) or "")


def test_without_ratings_there_is_nothing_to_read():
    assert SingleRater().misfit(Exposure.of_itself(survey([[None], [None]], r=5))) is not None
    some = Exposure(survey([[None], [3]], r=5), survey([[None]], r=5), np.array([0, -1]))
    assert "Nobody who is published" in (SingleRater().misfit(some) or ""), "the one who rated is withheld"


def test_so_many_targets_are_drawn_and_cells_are_those_of_all():
    exposure = Exposure.of_itself(survey([[1 + i % 5, i // 5 + 1] for i in range(20)], r=5))
    found = SingleRater(targets=6).run(exposure, Randomness(1))
    assert found.targets == 6
    assert found.details["published_cells"] == 40
