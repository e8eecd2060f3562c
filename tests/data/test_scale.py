"""The scale ratings are given on."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import PRESENT, Scale
from shoal.errors import DataError, SchemaError

SCALES = [
    Scale.of(1, 5),
    Scale.of(0, 10),
    Scale.of("0.5", "5", "0.5"),
    Scale.of(-10, 10),
    Scale.of(0, 1, "0.1"),
    Scale.of("-0.3", "0.3", "0.1"),
    Scale.of(1, 1000),
    Scale.of(0, 65_534),
]


@pytest.mark.parametrize("scale", SCALES, ids=str)
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_every_point_is_encoded_and_decoded_exactly(scale, kind):
    points = [float(scale.lowest + i * scale.step) for i in range(scale.points)]
    codes = scale.encode(np.array(points, kind))
    assert codes.dtype == scale.dtype
    assert codes.tolist() == list(range(scale.points))
    assert scale.decode(codes).tolist() == points


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.float32])
def test_the_type_of_whole_ratings_does_not_matter(kind):
    assert Scale.of(1, 5).encode(np.array([5, 1, 3], kind)).tolist() == [4, 0, 2]


def test_whole_scales_decode_to_whole_numbers():
    decoded = Scale.of(-10, 10).decode(np.array([0, 10, 20], np.uint8))
    assert decoded.dtype == np.int64
    assert decoded.tolist() == [-10, 0, 10]


def test_tenths_are_tenths_and_not_their_nearest_doubles():
    scale = Scale.of(0, 1, 0.1)
    assert (scale.step, scale.points) == (Fraction(1, 10), 11)
    assert scale.encode(np.array([0.1, 0.2, 0.3, 0.7])).tolist() == [1, 2, 3, 7]
    assert scale.encode(np.array([0.1 + 0.2]).round(10)).tolist() == [3]
    with pytest.raises(DataError):
        scale.encode(np.array([0.1 + 0.2]))  # a sum that is not three tenths is no rating


@pytest.mark.parametrize("rating", [0, 6, -1, 5.4, 0.6, 1e300])
@pytest.mark.parametrize("rounding", [False, True])
def test_a_rating_off_the_scale_is_refused(rating, rounding):
    with pytest.raises(DataError, match=r"1 of the ratings lie off the declared scale 1 to 5\."):
        Scale.of(1, 5, rounding=rounding).encode(np.array([3.0, rating]))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_refused(bad):
    with pytest.raises(DataError, match="NaN or infinite"):
        Scale.of(1, 5, rounding=True).encode(np.array([3.0, bad]))


def test_a_rating_between_two_points_is_refused_unless_rounding_is_declared():
    with pytest.raises(DataError, match="1 of the ratings lie between"):
        Scale.of(1, 5).encode(np.array([3.0, 3.25]))
    assert Scale.of(1, 5, rounding=True).encode(np.array([3.0, 3.25, 3.75])).tolist() == [2, 2, 3]


@given(st.sampled_from(SCALES[:6]), st.lists(st.floats(-20, 20), min_size=1))
def test_rounding_moves_a_rating_by_at_most_half_a_step(scale, ratings):
    inside = np.clip(np.array(ratings), float(scale.lowest), float(scale.highest))
    rounding = Scale(scale.lowest, scale.highest, scale.step, rounding=True)
    moved = np.abs(rounding.decode(rounding.encode(inside)) - inside)
    assert (moved <= float(scale.step) / 2 + 1e-12).all()


@pytest.mark.parametrize("ends", [(5, 1, 1), (1, 5, 0), (1, 5, -1), (1, 5, 3), (0, 1, "0.3"), (0, 65_535, 1)], ids=str)
def test_what_is_no_scale_is_refused(ends):
    with pytest.raises(SchemaError):
        Scale.of(*ends)


def test_a_missing_rating_is_further_than_two_ratings_can_be():
    for scale in SCALES:
        assert scale.null_steps == scale.steps_within(scale.highest - scale.lowest) + 1
    assert Scale.of(1, 5).null_steps == 5  # the papers' r


@pytest.mark.parametrize(
    ("distance", "steps"),
    [(Fraction(0), 0), (Fraction(1, 10), 1), (Fraction(3, 10), 3), (Fraction(29, 100), 2), (Fraction("0.7"), 7)],
)
def test_steps_within_a_distance_are_exact(distance, steps):
    assert Scale.of(0, 1, "0.1").steps_within(distance) == steps


def test_a_scale_of_one_point_tells_only_what_is_there():
    assert (PRESENT.points, PRESENT.null_steps, PRESENT.dtype) == (1, 1, np.uint8)
    assert PRESENT.encode(np.array([1, 1])).tolist() == [0, 0]
    assert PRESENT.decode(np.array([0, 0], np.uint8)).tolist() == [1, 1]
    assert PRESENT.steps_within(Fraction(1, 2)) == 0
    assert str(PRESENT) == "1 alone"
