"""Charts show what they are given, to scale, and whatever a name holds."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.pages.charts import Interval, columns_chart, rates_chart
from shoal.pages.small_bars import small_bars

NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)
RATES = st.floats(0, 1)


@given(rates=st.lists(st.tuples(NAMES, RATES, RATES, RATES), max_size=5))
def test_rates_are_drawn_to_scale(rates) -> None:
    drawn = [Interval(name, main, main, main, baseline, control) for name, main, baseline, control in rates]
    picture = parsed(rates_chart(drawn))
    bars = [float(bar.get("width", 0)) for bar in picture.iter() if bar.tag.endswith("rect")]
    assert len(bars) == len(rates)
    for bar, (_, main, _, _) in zip(bars, rates, strict=True):
        assert bar == pytest.approx(max(350 * main, 1), abs=0.1)
    texts = [text.text or "" for text in picture.iter() if text.tag.endswith("text")]
    assert [name for name, *_ in rates if name not in texts] == []


@given(labels=st.lists(NAMES, max_size=30), share=st.booleans(), data=st.data())
def test_columns_are_drawn_to_scale(labels, share, data) -> None:
    values = data.draw(st.lists(RATES, min_size=len(labels), max_size=len(labels)))
    picture = parsed(columns_chart(labels, [("people", values)], share=share))
    tall = [float(bar.get("height", 0)) for bar in picture.iter() if bar.tag.endswith("rect")]
    highest = max(values, default=0) or 1
    assert tall == pytest.approx([150 * value / highest for value in values], abs=0.1)


def parsed(picture: str) -> ET.Element:
    """Read SVG as strict XML: whatever a name holds, it does not break out of its place."""
    return ET.fromstring(picture)


@given(name=NAMES, counts=st.lists(st.integers(0, 10**9), max_size=20))
def test_small_bars_are_drawn_to_scale_and_named(name, counts) -> None:
    picture = parsed(small_bars(name, counts))
    assert picture.get("aria-label") == f"Histogram of {name}"
    tall = [float(bar.get("height", 0)) for bar in picture.iter() if bar.tag.endswith("rect")]
    assert tall == pytest.approx([36 * count / (max(counts) or 1) for count in counts], abs=0.1)


def test_a_long_name_of_an_attack_stays_within_the_chart() -> None:
    name = "scoreboard:items=8,wrong=2,error=0,date_error=0,outside_top=0,eccentricity=1.5"
    picture = parsed(rates_chart([Interval(name, 0.5, 0.4, 0.6, 0.1, 0.1)]))
    lines = [text.text or "" for text in picture.iter() if text.get("text-anchor") == "end"]
    assert "".join(lines) == name
    assert max(map(len, lines)) <= 40


def test_a_chart_is_described_to_those_who_do_not_see_it() -> None:
    picture = parsed(columns_chart(["a"], [("records", [1])], share=False, about="Records by value of <age>"))
    assert picture.get("aria-label") == "Records by value of <age>"
