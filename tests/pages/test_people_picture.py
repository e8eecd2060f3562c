"""What k means is drawn to scale, and told of the data at hand where that is known."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.pages.people_picture import people_picture


@given(st.integers(2, 10**6), st.integers(1, 10**6), st.data())
def test_the_bar_is_to_scale(k: int, records: int, draw) -> None:
    few = draw.draw(st.integers(0, records))
    picture = people_picture(k, few, records)
    outer, filled = [each for each in ET.fromstring(str(picture.chart)).iter() if each.tag.endswith("rect")]
    share = float(filled.get("width", 0)) / float(outer.get("width", 0))
    assert share == pytest.approx((records - few) / records, abs=0.01)
    texts = [each.text for each in ET.fromstring(str(picture.chart)).iter() if each.tag.endswith("text")]
    assert f"{few:,} have too few" in texts
    assert picture.table is not None
    assert [row[1] for row in picture.table.rows] == [f"{few:,}", f"{records - few:,}"]
    assert (f"Today, {few:,} of the {records:,} records" in picture.note) is bool(few)


def test_without_data_nothing_is_told_of_them() -> None:
    picture = people_picture(2)
    assert "<rect" not in str(picture.chart)
    assert "Today" not in picture.note
    assert picture.title == "What k = 2 means"
    assert people_picture(2, 1, 3).note.endswith("Today, 1 of the 3 records is like no other.")
