"""A label of a range or a set names words of the column."""

import pytest

from shoal.labels.published_column import named_places


@pytest.mark.parametrize(
    ("text", "ordered", "places"),
    [
        ("[1, 3]", True, [1, 2, 3]),
        ("[3, 1]", True, None),
        ("[1, 4]", True, None),
        ("(1, 3]", True, None),
        ("missing or [1, 3]", True, [0, 1, 2, 3]),
        ("missing or [2, 3]", True, [0, 2, 3]),
        ("missing or 1", True, [0, 1]),
        ("missing or 2", True, [0, 2]),
        ("missing or 4", True, None),
        ("1 | 2", True, None),
        ("1 | 2", False, [1, 2]),
        ("1 | 3", False, [1, 3]),
        ("1 | nobody has this | 2", False, [1, 2]),
        ("1 … 3", False, [1, 2, 3]),
        ("missing | 1 … 3", False, [0, 1, 2, 3]),
        ("missing | 2 | 3", False, [0, 2, 3]),
        ("missing | 3", False, [0, 3]),
        ("anything", False, None),
    ],
)
def test_places_of_ranges_and_sets(text: str, ordered: bool, places: list[int] | None) -> None:
    words = [None, "1", "2", "3"]
    found = named_places(text, words, {word: place for place, word in enumerate(words)}, ordered=ordered)
    assert (None if found is None else [place for stretch in found for place in stretch]) == places


def test_missing_is_a_word_where_nothing_is_missing() -> None:
    words: list[str | None] = ["ash", "missing", "no", "oak"]
    place_of = {word: place for place, word in enumerate(words)}
    assert named_places("missing | no | oak", words, place_of, ordered=False) == (range(1, 4),)
    assert named_places("missing | oak", words, place_of, ordered=False) == (range(1, 2), range(3, 4))
