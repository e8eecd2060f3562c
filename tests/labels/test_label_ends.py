"""A label of a range or a set reaches from one word to another, if it names all in between."""

import pytest

from shoal.labels.label_ends import label_ends


@pytest.mark.parametrize(
    ("text", "ordered", "ends"),
    [
        ("[1, 3]", True, (1, 3)),
        ("[3, 1]", True, None),
        ("[1, 4]", True, None),
        ("(1, 3]", True, None),
        ("missing or [1, 3]", True, (0, 3)),
        ("missing or [2, 3]", True, None),
        ("missing or 1", True, (0, 1)),
        ("missing or 2", True, None),
        ("1 | 2", True, None),
        ("1 | 2", False, (1, 2)),
        ("1 | 3", False, None),
        ("1 | nobody has this | 2", False, (1, 2)),
        ("1 … 3", False, (1, 3)),
        ("missing | 1 … 3", False, (0, 3)),
        ("missing | 2 | 3", False, None),
        ("anything", False, None),
    ],
)
def test_ends_of_ranges_and_sets(text: str, ordered: bool, ends: tuple[int, int] | None) -> None:
    words = [None, "1", "2", "3"]
    assert label_ends(text, words, {word: place for place, word in enumerate(words)}, ordered=ordered) == ends


def test_missing_is_a_word_where_nothing_is_missing() -> None:
    words: list[str | None] = ["ash", "missing", "no", "oak"]
    place_of = {word: place for place, word in enumerate(words)}
    assert label_ends("missing | no | oak", words, place_of, ordered=False) == (1, 3)
    assert label_ends("missing | oak", words, place_of, ordered=False) is None
