"""Labels are taken apart by what is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.labels import parsed_label


@pytest.mark.parametrize(
    ("text", "form", "parts"),
    [
        ("*", "everything", ()),
        ("[17, 25]", "interval", ("17", "25")),
        ("[17, 25)", "half-open interval", ("17", "25")),
        ("ash | birch | cedar", "set", ("ash", "birch", "cedar")),
        ("ash … cedar", "stretch", ("ash", "cedar")),
        ("ash | oak … cedar", "stretch", ("ash | oak", "cedar")),
        ("43**", "mask", ("43", "**")),
        ("ash", "word", ("ash",)),
        ("", "word", ("",)),
        ("***", "word", ("***",)),
        ("[17]", "word", ("[17]",)),
        ("(17, 25]", "word", ("(17, 25]",)),
        ("missing persons", "word", ("missing persons",)),
    ],
)
def test_a_label_is_what_it_is_written_as_with_what_is_missing_or_without(text: str, form: str, parts: tuple) -> None:
    for start in ("", "missing or ", "missing | "):
        assert parsed_label(start + text) == (form, parts, text, start != "")


def test_missing_alone_names_nothing_else() -> None:
    assert parsed_label("missing") == ("set", (), "", True)


@given(st.text())
def test_of_any_text_something_is_said(text: str) -> None:
    label = parsed_label(text)
    assert label.with_missing or label.text == text
