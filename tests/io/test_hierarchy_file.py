"""Hierarchy files are read and written alike."""

from pathlib import Path

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.data import Hierarchy, Vocabulary
from shoal.io import read_hierarchy, write_hierarchy

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5).map(str.strip)


@given(words=st.lists(WORDS.filter(bool), min_size=1, max_size=6, unique=True), missing=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_hierarchy_is_read_as_it_was_written(words: list[str], missing: bool, tmp_path: Path) -> None:
    values = pl.Series([*words, *([None] if missing else [])], dtype=pl.String)
    hierarchy = Hierarchy.from_masks(Vocabulary(values))
    write_hierarchy(hierarchy, tmp_path / "h.csv")
    again = read_hierarchy(tmp_path / "h.csv")
    assert again.labels[0].values.to_list() == values.to_list()
    assert told(again) == [[text.strip() for text in level] for level in told(hierarchy)]


def test_commas_semicolons_quotes_and_blank_lines_are_understood(tmp_path: Path) -> None:
    expected = [["[15, 20[", "[20, 25["], ["*", "*"]]
    for text in (
        '17,"[15, 20[",*\r\n20,"[20, 25[",*\r\n\r\n',
        "17;[15, 20[;*\n\n20;[20, 25[;*",
        "\ufeff17;[15, 20[;*\n20;[20, 25[;*\n",
    ):
        (tmp_path / "h.csv").write_bytes(text.encode())
        assert told(read_hierarchy(tmp_path / "h.csv")) == expected


def told(hierarchy: Hierarchy) -> list[list[str]]:
    """Give the labels of every level above the values."""
    levels = zip(hierarchy.labels[1:], hierarchy.maps[1:], strict=True)
    return [labels.take(codes).to_list() for labels, codes in levels]
