"""A label names one set of values, whatever marks the values have of their own."""

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

from shoal.data import Column, Role
from shoal.data.written_label import named_set, range_label
from shoal.labels import covered_values, parsed_label
from shoal.labels.published_column import named_places

PIECES = st.sampled_from(
    ["a", "b", "z", " ", "|", " | ", " … ", "…", '"', "*", "missing", " or ", "2 more", " (2)", ", "]
)
WORDS = st.lists(PIECES, min_size=1, max_size=4).map("".join)


def every_label(words: list[str | None]) -> dict[str | None, list[tuple[int, ...]]]:
    """By label, the places for which it is written."""
    first = 1 if words[0] is None else 0
    found: dict[str | None, list[tuple[int, ...]]] = {None: [(0,)]} if first else {}
    for low in range(first, len(words)):
        for high in range(low, len(words)):
            for missing in (False, True)[: first + 1]:
                text = range_label(words, low, high, ordered=False, missing=missing)
                found.setdefault(text, []).append((*((0,) if missing else ()), *range(low, high + 1)))
    return found


@given(words=st.sets(WORDS, min_size=1, max_size=5).map(sorted), missing=st.booleans())
@example(words=["a", "a | b", "b", "z"], missing=False)
@example(words=["a", "a |", "b", "| b"], missing=False)
@example(words=["a", "missing", "missing | a"], missing=True)
@example(words=["2 more", "a", "a (2)"], missing=False)
def test_a_label_names_one_set_of_values_and_is_read_so(words, missing):
    words = [None, *words] if missing else words
    place_of = {word: place for place, word in enumerate(words)}
    for text, meant in every_label(words).items():
        assert len(meant) == 1, (text, meant)
        if text is None or text == "*":
            assert text is None or meant == [tuple(range(len(words)))]
            continue
        if len(meant[0]) == 1 and text == words[meant[0][0]]:
            # a word as it is, which is no set of others
            assert parsed_label(text, has_missing=missing).form not in ("set", "stretch", "open set", "everything")
            continue
        places = named_places(text, words, place_of, ordered=False)
        assert places is not None
        assert tuple(place for each in places for place in each) == meant[0]


@given(words=st.sets(WORDS, min_size=13, max_size=16).map(sorted))
def test_long_stretches_are_read_as_written(words):
    place_of = {word: place for place, word in enumerate(words)}
    for last in range(12, len(words) - 1):
        text = range_label(words, 0, last, ordered=False)
        assert named_places(str(text), words, place_of, ordered=False) == (range(last + 1),)


def test_without_the_originals_quotes_are_read_as_well():
    values = pl.Series(["a", "a | b", "a | b | c", "b", "z"])
    column = Column.encode("word", Role.QUASI_IDENTIFIER, values)
    published = {
        '"a | b"': ["a | b"],
        '"a | b" | z': ["a | b", "z"],
        'a | "a | b | c"': ["a", "a | b | c"],
    }
    read = covered_values(pl.Series(list(published)), column, values)
    assert [values.filter(pl.Series(line)).to_list() for line in read.possible] == list(published.values())


def test_sets_of_a_hierarchy_are_written_alike():
    assert named_set(["a | b", None, "z"]) == '"a | b" | missing | z'
    assert named_set(["a | b"]) == "a | b"
