"""Hierarchy files are read and written alike."""

import datetime as dt
from pathlib import Path

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.data import Column, Hierarchy, Role, Vocabulary
from shoal.data.hierarchies.hierarchy import HierarchyKind
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
    assert published(again) == [[text.strip() for text in level] for level in published(hierarchy)]


ANY = {
    "numbers": (st.integers(-(2**63), 2**63 - 1), pl.Int64),
    "floats": (st.floats(allow_nan=False, allow_infinity=False), pl.Float64),
    "words": (WORDS.filter(bool) | st.sampled_from(["\x1fa", "a\x1c"]), pl.String),
    "days": (st.dates(), pl.Date),
    "times": (st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1)), pl.Datetime("us")),
    "yes": (st.booleans(), pl.Boolean),
}


@given(domain=st.sampled_from(sorted(ANY)), data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_suggestion_is_read_as_it_was_written(domain: str, data: st.DataObject, tmp_path: Path) -> None:
    values, dtype = ANY[domain]
    records = data.draw(st.lists(values | st.none(), min_size=1, max_size=20))
    column = Column.encode("any", Role.DROP, pl.Series(records, dtype=dtype))
    kinds: list[HierarchyKind | None] = [None, "mask", "frequency"]
    if column.vocabulary.is_ordered:
        kinds.append("quantile")
    suggested = Hierarchy.suggest(column.vocabulary, column.counts, data.draw(st.sampled_from(kinds)))
    write_hierarchy(suggested, tmp_path / "s.csv")
    again = read_hierarchy(tmp_path / "s.csv").rebased(column.vocabulary)
    assert again.labels[0].values.to_list() == suggested.labels[0].values.to_list()
    assert published(again) == published(suggested)


def test_commas_semicolons_quotes_and_blank_lines_are_understood(tmp_path: Path) -> None:
    expected = [["[15, 20[", "[20, 25["], ["*", "*"]]
    for text in (
        '17,"[15, 20[",*\r\n20,"[20, 25[",*\r\n\r\n',
        "17;[15, 20[;*\n\n20;[20, 25[;*",
        "\ufeff17;[15, 20[;*\n20;[20, 25[;*\n",
    ):
        (tmp_path / "h.csv").write_bytes(text.encode())
        assert published(read_hierarchy(tmp_path / "h.csv")) == expected


def published(hierarchy: Hierarchy) -> list[list[str]]:
    """Return the labels of every level above the values."""
    levels = zip(hierarchy.labels[1:], hierarchy.maps[1:], strict=True)
    return [labels.take(codes).to_list() for labels, codes in levels]
