"""Whatever names hold, a summary stays a few lines on a terminal, and one closed piece of HTML in a notebook."""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.display import Displayed, Picture, Summary, Table
from shoal.display.as_html import as_html
from shoal.display.as_text import aligned, as_text
from shoal.display.summary import listed, printable

ANY = st.text(max_size=30) | st.sampled_from(["</td><script>alert(1)</script>", "a\nb", "\x1b[31mred", "$x$", "&amp;"])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    head = draw(st.lists(ANY, min_size=1, max_size=6))
    rows = draw(st.lists(st.lists(ANY, min_size=len(head), max_size=len(head)), max_size=13))
    words = draw(st.lists(st.sampled_from(head), max_size=2))
    return Table.of(draw(ANY), head, rows, tuple(words))


SUMMARIES = st.builds(
    Summary,
    ANY,
    st.none() | st.booleans(),
    st.lists(st.tuples(ANY, ANY), max_size=4).map(tuple),
    st.lists(tables(), max_size=2).map(tuple),
    st.lists(ANY, max_size=12).map(tuple),
)


@given(SUMMARIES)
def test_html_is_closed_and_holds_names_as_text_alone(summary: Summary) -> None:
    page = ET.fromstring(as_html(summary))
    known = {"div", "style", "strong", "span", "dl", "dt", "dd", "ul", "li"}
    known |= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert {element.tag for element in page.iter()} <= known
    texts = "\n".join(page.itertext())
    for each in (summary.title, *(name for fact in summary.facts for name in fact)):
        assert printable(each) in texts


@given(tables())
def test_every_table_has_a_caption_and_every_head_its_scope(table: Table) -> None:
    page = ET.fromstring(as_html(Summary("", tables=(table,))))
    (drawn,) = page.iter("table")
    assert drawn[0].tag == "caption"
    assert [head.get("scope") for head in drawn.iter("th")] == ["col"] * len(table.head) + ["row"] * len(table.rows)
    assert [len(row) for row in drawn.iter("tr")] == [len(table.head)] * (1 + len(table.rows))


@given(SUMMARIES)
def test_text_fits_a_terminal(summary: Summary) -> None:
    lines = as_text(summary).split("\n")
    assert all(len(line) <= 108 for line in lines)
    assert all(line.isprintable() for line in lines)
    most_of_tables = sum(14 for _ in summary.tables)
    assert len(lines) <= 1 + 4 * len(summary.facts) + most_of_tables + 8 + 1


@pytest.mark.parametrize(("n_rows", "more"), [(10, None), (11, "… and 1 more"), (45, "… and 35 more")])
def test_long_tables_are_cut_off_and_the_rest_is_counted(n_rows: int, more: str | None) -> None:
    text = as_text(Summary("", tables=(Table.of("", ["row"], [[str(i)] for i in range(n_rows)]),)))
    assert re.findall(r"… .*", text) == ([] if more is None else [more])


def test_html_counts_what_it_leaves_out() -> None:
    html = as_html(Summary("", tables=(Table.of("", ["row"], [[str(i)] for i in range(45)]),)))
    assert html.count("<tr>") == 31
    assert "… and 15 more" in html


def test_columns_without_room_are_left_out() -> None:
    wide = Table.of("", [f"column {i:030}" for i in range(6)], [["1"] * 6])
    head = as_text(Summary("", tables=(wide,))).split("\n")[1]
    assert head.split("  ")[-1] == "…"
    assert "column 000000000000000000000000000000" in head
    assert len(head) <= 100


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert [*aligned(["name", "n", "unit"], [["a", "1", "m"], ["bc", "1,000", "seconds"]], left=[2])] == [
        "name      n  unit",
        "────  ─────  ───────",
        "a         1  m",
        "bc    1,000  seconds",
    ]


def test_verdicts_are_told_by_a_sign_and_by_no_color_alone() -> None:
    assert "✓" in as_html(Summary("holds", holds=True))
    assert "✗" in as_html(Summary("does not hold", holds=False))
    assert not re.search("[✓✗]", as_html(Summary("x")))


def test_html_needs_no_network_no_script_and_no_color_of_the_page() -> None:
    html = as_html(Summary("x", facts=(("a", "b"),), tables=(Table.of("t", ["a"], [["1"]]),)))
    assert not re.search(r"(?:src|href)\s*=|@import|url\(|<script|<link|<iframe|https?:", html)
    assert not re.search(r"background|(?<!-)color:(?!#2a9d5c|#d9534f)", html)
    assert len(html) < 2500


def test_a_name_between_dollar_signs_is_no_formula() -> None:
    assert 'class="shoal tex2jax_ignore mathjax_ignore"' in as_html(Summary("$price$"))


def test_names_in_a_line_are_counted_beyond_the_eighth() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([str(i) for i in range(10)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"


def test_a_result_shows_its_summary_and_in_a_notebook_its_pictures() -> None:
    @dataclass(frozen=True, repr=False)
    class Result(Displayed):
        number: int

        def _summary(self) -> Summary:
            return Summary(f"Result: {self.number}")

        def _pictures(self):
            yield Picture("A <chart>", "of nothing", "<svg/>")

    assert repr(Result(3)) == "Result: 3"
    html = Result(3)._repr_html_()
    assert "<strong>Result: 3</strong>" in html
    assert "<figcaption><strong>A &lt;chart&gt;</strong> of nothing</figcaption><svg/></figure>" in html
