"""Curves pass through their places, to scale, and every one is named."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.pages.curves import Curve, curves_chart

NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)
PLACES = st.dictionaries(st.integers(1, 30), st.floats(0, 1e6), min_size=1, max_size=6)
CURVES = st.lists(
    st.builds(Curve, NAMES, PLACES.map(lambda places: tuple(sorted(places.items())))), min_size=1, max_size=22
)


@given(CURVES)
def test_curves_are_drawn_to_scale_and_named(curves) -> None:
    picture = ET.fromstring(curves_chart(curves, x="k", y="cost"))
    shown = curves[:18]
    dots = [(float(dot.get("cx", 0)), float(dot.get("cy", 0))) for dot in picture.iter() if dot.tag.endswith("circle")]
    places = [place for curve in shown for place in curve.places]
    highest = max(value for _, value in places) or 1
    assert [down for _, down in dots] == pytest.approx([190 - 174 * value / highest for _, value in places], abs=0.1)
    for (right, _), (place, _) in zip(dots, places, strict=True):
        for (other_right, _), (other, _) in zip(dots, places, strict=True):
            assert (right < other_right) == (place < other)
    texts = [text.text or "" for text in picture.iter() if text.tag.endswith("text")]
    assert [curve.name for curve in shown if curve.name not in texts] == []
    assert (f"… and {len(curves) - 18} more" in texts) == (len(curves) > 18)


@given(CURVES)
def test_no_two_curves_look_alike(curves) -> None:
    picture = ET.fromstring(curves_chart(curves, x="k", y="cost"))
    lines = [line for line in picture.iter() if line.tag.endswith("polyline")]
    looks = [(line.get("stroke"), line.get("stroke-dasharray")) for line in lines]
    assert looks[::2] == looks[1::2], "a curve and its key are drawn alike"
    assert len(set(looks)) == min(len(curves), 18)


def test_it_takes_the_color_of_the_text_around_it() -> None:
    drawn = curves_chart([Curve("a", ((2, 1.0),))], x="k", y="cost")
    assert 'fill="currentColor"' in drawn
    assert "#22282c" not in drawn
