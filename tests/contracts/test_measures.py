"""Every measure keeps the laws of measures."""

import math

import numpy as np
import pytest

from shoal.testing import check_measure
from shoal.utility import MEASURES, Comparison, Measure


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_keeps_the_laws(name):
    check_measure(MEASURES[name], examples=15)


def made(compute, unchanged=None) -> Measure:
    return Measure("made", "a unit", compute, quick=True, place=1, unchanged=unchanged)


def is_infinite(comparison: Comparison) -> float:
    """It is no number."""
    return math.inf


def is_of_numpy(comparison: Comparison) -> int:
    """It does not survive being written."""
    return np.int64(3)  # pyright: ignore[reportReturnType]


def is_no_sentence(comparison: Comparison) -> int:
    """A number"""
    return 3


def counts_records(comparison: Comparison) -> int:
    """It is how many records there are."""
    return len(comparison.whole)


def looks_at_the_first(comparison: Comparison) -> int:
    """It is which record was published first."""
    return int(comparison.whole.take(comparison.origins[:1]).n_people + comparison.origins[0])


@pytest.mark.parametrize(
    ("measure", "phrase"),
    [
        (made(is_infinite), "not finite"),
        (made(is_of_numpy), "neither int nor float"),
        (made(is_no_sentence), "no sentence"),
        (made(counts_records, unchanged=0), "is not 0 where nothing was changed"),
        (made(looks_at_the_first), "depends on the order"),
    ],
)
def test_a_measure_that_breaks_a_law_is_found_out(measure, phrase):
    with pytest.raises(AssertionError, match=phrase):
        check_measure(measure, catalog={"made": measure})
