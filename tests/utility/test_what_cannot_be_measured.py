"""A measure gives a number, or says why not; it never crashes and never makes a number up."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparisons import compared, rated, ratings_before_and_after, tables_before_and_after
from shoal.data import Scale
from shoal.utility import MEASURES, QUICK, measured


@settings(max_examples=60)
@given(
    pair=ratings_before_and_after(max_records=30) | tables_before_and_after(),
    withheld=st.integers(0, 2),
    epsilon=st.none() | st.just(Fraction(1)),
)
def test_every_measure_gives_a_number_or_a_reason(pair, withheld, epsilon):
    comparison = compared(*pair, withheld=withheld, epsilon=epsilon)
    found = measured(comparison, MEASURES.values())
    assert found.values.keys() | found.reasons.keys() == MEASURES.keys()
    assert not found.values.keys() & found.reasons.keys()
    assert all(math.isfinite(value) for value in found.values.values())
    lowest = {"item popularity correlation": -1 - 1e-9}
    assert all(value >= lowest.get(name, 0) for name, value in found.values.items())
    assert all(reason.endswith(".") for reason in found.reasons.values())


@settings(max_examples=15)
@given(tables_before_and_after())
def test_on_tables_the_measures_of_ratings_are_left_out(pair):
    found = measured(compared(*pair, epsilon=Fraction(1)), MEASURES.values())
    assert {name for name, reason in found.reasons.items() if reason == "Defined on ratings only."} == {
        "cost",
        "ratings kept",
        "ratings covered",
        "rating loss",
        "centroid shift",
        "standard deviation shift",
        "cluster membership change",
        "clustering coefficient",
        "clustering coefficient before",
        "average self rank",
        "self rank first",
        "nDCG@10",
        "item popularity correlation",
        "sparsity",
        "sparsity before",
        "rating histogram distance",
        "link confidence",
    }


def test_on_ratings_the_measures_of_tables_are_left_out():
    ratings = rated([[0, 1], [2, 3]] * 20)
    found = measured(compared(ratings, ratings, epsilon=Fraction(1)), MEASURES.values())
    assert {name for name, reason in found.reasons.items() if reason == "Defined on tables only."} == {
        "loss-mean",
        "normalized certainty penalty",
        "precision",
        "distortion ratio",
        "entropy loss",
        "attribute distribution distance",
        "sum of squared errors",
        "total sum of squares",
        "information loss",
        "correlation shift",
        "regression shift",
        "mean shift",
        "key attributes",
        "weighted discernability",
    }
    assert found.reasons["normalized average group size"] == "No k is promised."


def reason(name: str, before: list[list[int]], after: list[list[int]] | None = None) -> str:
    return measured(compared(rated(before), rated(after or before)), [MEASURES[name]]).reasons[name]


def test_reasons_say_what_is_missing():
    nobody = [[-1, -1]] * 40
    assert "no cell" in reason("distortion per cell", nobody)
    assert "rated both" in reason("centroid shift", nobody)
    assert "no non-sensitive attribute" in reason("median query error", nobody)
    assert "all equal" in reason("cluster membership change", [[0, 1]] * 40)
    assert "No item is rated" in reason("naive Bayes accuracy", nobody)
    assert "fewer than 20" in reason("decision tree accuracy", [[0, 1]] * 19)
    assert "fewer than 20" in reason("decision tree accuracy before", [[0, 1]] * 40, [[-1, 1]] * 40)
    assert "no other rated item" in reason("naive Bayes accuracy before", [[0, -1]] * 40)
    assert "how near" in reason("clustering coefficient", [[0, 1]] * 40)
    assert "rated enough" in reason("self rank first", nobody)
    assert "rated enough" in reason("nDCG@10", [[-1, 0]] * 40)
    assert "raters before" in reason("item popularity correlation", [[0, 1]] * 40)
    assert "raters after" in reason("item popularity correlation", [[0, -1]] * 40, [[0, 1]] * 40)
    assert "no non-sensitive ratings" in reason("rating histogram distance", [[0, 1]] * 40, nobody)
    assert "somebody rated is published" in reason("link confidence", [[-1, 0]] * 40, [[0, -1]] * 40)


def test_on_a_fine_scale_only_guessing_the_very_point_is_left_out():
    ratings = rated([[i * 7 % 2001, i % 3 if i else -1] for i in range(60)], scale=Scale.of(-10, 10, "0.01"))
    found = measured(compared(ratings, ratings, epsilon=Fraction(4)), MEASURES.values())
    of_others = ("Defined on tables only.", "No k is promised.", "There are no weights.")
    left_out = {name for name, why in found.reasons.items() if why not in of_others}
    assert left_out == {name for name in MEASURES if "accuracy" in name}
    assert "more than 100 points" in found.reasons["naive Bayes accuracy"]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_says_what_it_is(name):
    measure = MEASURES[name]
    assert measure.name == name
    assert measure.unit
    assert measure.meaning.endswith(".")


def test_every_release_is_reported_with_the_quick_ones():
    assert {measure.name for measure in QUICK} < MEASURES.keys()
    assert {"distortion", "cost", "cells changed"} <= {measure.name for measure in QUICK}
    assert "average query error" not in {measure.name for measure in QUICK}


def test_the_unit_of_distortion_is_that_of_the_kind_of_records() -> None:
    distortion = MEASURES["distortion"]
    assert distortion.unit_for("ratings") == "rating points"
    assert distortion.unit_for("table") == "cells"
    assert distortion.unit_for(None) == "rating points (ratings), cells (tables)"
    assert MEASURES["cells kept"].unit_for("table") == MEASURES["cells kept"].unit
