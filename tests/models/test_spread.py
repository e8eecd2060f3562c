"""Every reading of the spread, against its definition in fractions, and at the very edge."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from shoal.data import Scale
from shoal.evidence import RatingMoments
from shoal.models.spread import Reading, Spread, root_below

READINGS = ["non-null", "pairwise", "over-all", "null-as-zero"]
FIVE = Scale.of(1, 5)


def moments(groups: list[list[int | None]], scale: Scale) -> RatingMoments:
    """One sensitive issue, codes or None."""
    given = [[code for code in group if code is not None] for group in groups]
    column = lambda values: np.array(values, np.int64)[:, None]  # noqa: E731
    return RatingMoments(
        scale,
        np.array([len(group) for group in groups], np.int64),
        column([len(codes) for codes in given]),
        column([sum(codes) for codes in given]),
        column([sum(code * code for code in codes) for codes in given]),
    )


def ratings_of(group: list[int | None], scale: Scale) -> list[Fraction | None]:
    return [None if code is None else scale.lowest + code * scale.step for code in group]


GROUPS = st.lists(st.lists(st.none() | st.integers(0, 4), min_size=1, max_size=7), min_size=1, max_size=6)
SCALES = st.sampled_from([FIVE, Scale.of(-2, 2), Scale.of("0.5", "2.5", "0.5"), Scale.of(0, "0.4", "0.1")])


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("all_null", ["refuse", "accept"])
@given(groups=GROUPS, scale=SCALES, l=st.fractions(0, 3, max_denominator=20))
def test_every_reading_is_its_definition(reading, all_null, groups, scale, l):  # noqa: E741
    r = scale.highest - scale.lowest + scale.step
    squares = [oracles.squared_spread(ratings_of(group, scale), reading, all_null, r) for group in groups]
    spread = Spread(reading, all_null)
    sets = moments(groups, scale)
    assert spread.reaches(sets, l).tolist() == [square is None or square >= l**2 for square in squares]
    defined = [square for square in squares if square is not None]
    assert spread.smallest(sets) == min(defined, default=None)
    ranks = spread.ranks(sets).tolist()
    keys = [math.inf if square is None else square for square in squares]
    for one, mine in zip(ranks, keys, strict=True):
        for other, theirs in zip(ranks, keys, strict=True):
            assert (one < other, one == other) == (mine < theirs, mine == theirs)


@pytest.mark.parametrize("reading", READINGS)
@given(group=GROUPS.map(lambda groups: groups[0]), scale=SCALES)
def test_a_spread_reaches_itself_and_nothing_above(reading, group, scale):
    sets, spread = moments([group], scale), Spread(reading)
    square = spread.smallest(sets)
    assert square is not None
    root = root_below(square)
    assert spread.reaches(sets, Fraction(str(root))).all(), "what is told as reached is not"
    assert not spread.reaches(sets, Fraction(str(root)) + Fraction(1, 10**6)).any()


def test_an_irrational_spread_is_decided_right_at_any_number_of_digits():
    sets = moments([[0, 0, 1]], FIVE)  # √2/3 = 0.4714045207910316829…
    digits = "0.471404520791031682933896241403"
    for places in range(1, 29):
        below = Fraction(digits[: 2 + places])
        above = below + Fraction(1, 10**places)
        assert Spread().reaches(sets, below).all()
        assert not Spread().reaches(sets, above).any()


def test_very_large_groups_are_compared_exactly():
    # a million raters, half at each end: exactly 2; with one more at the lower end, just below
    scale = FIVE
    half = 500_000
    even = RatingMoments(
        scale, *(np.array(x, np.int64) for x in ([2 * half], [[2 * half]], [[4 * half]], [[16 * half]]))
    )
    odd = RatingMoments(
        scale, *(np.array(x, np.int64) for x in ([2 * half + 1], [[2 * half + 1]], [[4 * half]], [[16 * half]]))
    )
    assert Spread().reaches(even, Fraction(2)).all()
    assert not Spread().reaches(odd, Fraction(2)).any()
    assert not Spread().reaches(even, Fraction(2) + Fraction(1, 10**20)).any()
    assert Spread().smallest(odd) == Fraction(4) - Fraction(4, (2 * half + 1) ** 2)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ([5, None], [3.535534, 0.0, 0.0, 2.5]),
        ([5, 5, None], [2.886751, 0.0, 0.0, 2.357023]),
        ([1, 1, 5, None], [2.006932, 1.632993, 1.885618, 2.58602]),
        ([3, 3, 3, None, None, None], [2.12132, 0.0, 0.0, 2.886751]),
    ],
)
def test_the_readings_of_ratings_with_nulls(group, expected):
    sets = moments([[None if rating is None else rating - 1 for rating in group]], FIVE)
    readings: list[Reading] = ["null-as-zero", "over-all", "non-null", "pairwise"]
    for reading, root in zip(readings, expected, strict=True):
        square = Spread(reading).smallest(sets)
        assert square is not None
        assert math.sqrt(square) == pytest.approx(root, abs=1e-6)


def test_two_nulls_are_apart_only_when_read_pairwise():
    sets = moments([[None, None]], FIVE)
    assert Spread("pairwise").smallest(sets) == Fraction(25, 4)
    for reading in ("non-null", "over-all", "null-as-zero"):
        assert Spread(reading).smallest(sets) == 0
        assert Spread(reading, "accept").smallest(sets) is None
        assert Spread(reading, "accept").reaches(sets, Fraction(100)).all()
