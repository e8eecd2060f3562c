"""A hierarchy is drawn whole, or says what it leaves out."""

import re

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.data import Hierarchy, Vocabulary
from shoal.pages import hierarchy_drawing

TREE = {"Europe": {"Nordic": ["Norway", "Sweden"], "Iberia": ["Spain"]}, "Asia": ["Japan"]}


def words(*values: str | None) -> Vocabulary:
    return Vocabulary(pl.Series(values, dtype=pl.String))


def test_a_tree_of_categories_is_drawn_with_its_records() -> None:
    hierarchy = Hierarchy.from_tree(words("Norway", "Japan", "Spain", "Sweden"), TREE)
    assert "\n".join(hierarchy_drawing(hierarchy, np.array([5, 1, 0, 2000]))) == (
        "*  (4 values, 2,006 records)\n"
        "├── Europe  (3 values, 2,005 records)\n"
        "│   ├── Nordic  (2 values, 2,005 records)\n"
        "│   │   ├── Norway  (5 records)\n"
        "│   │   └── Sweden  (2,000 records)\n"
        "│   └── Iberia  (1 value, 0 records)\n"
        "│       └── Spain  (0 records)\n"
        "└── Asia  (1 value, 1 record)\n"
        "    └── Japan  (1 record)"
    )
    assert hierarchy_drawing(hierarchy, values=False) == (
        "*  (4 values)",
        "├── Europe  (3 values)",
        "│   ├── Nordic  (2 values)",
        "│   └── Iberia  (1 value)",
        "└── Asia  (1 value)",
    )


def test_of_many_branches_the_last_ones_are_counted() -> None:
    vocabulary = Vocabulary(pl.Series(range(40)))
    hierarchy = Hierarchy.from_intervals(vocabulary, [2, 20])
    assert hierarchy_drawing(hierarchy, np.arange(40), most=3, values=False) == (
        "*  (40 values, 780 records)",
        "├── [0, 20)  (20 values, 190 records)",
        "│   ├── [0, 2)  (2 values, 1 record)",
        "│   ├── [2, 4)  (2 values, 5 records)",
        "│   └── … 8 more  (184 records)",
        "└── [20, 40)  (20 values, 590 records)",
        "    ├── [20, 22)  (2 values, 41 records)",
        "    ├── [22, 24)  (2 values, 45 records)",
        "    └── … 8 more  (504 records)",
    )


def test_what_would_move_the_cursor_is_not_printed() -> None:
    hierarchy = Hierarchy.from_columns([pl.Series(["a\n\x1b[2Jb", None, "c" * 99]), pl.Series(["*"] * 3)])
    assert hierarchy_drawing(hierarchy) == ("*  (3 values)", "├── a��[2Jb", "├── (missing)", f"└── {'c' * 59}…")


@given(
    st.lists(st.tuples(st.text("ab", max_size=4), st.integers(0, 9)), min_size=1, unique_by=lambda pair: pair[0]),
    st.integers(2, 5),
)
def test_every_value_is_drawn_or_counted_and_branches_add_up(pairs: list[tuple[str, int]], most: int) -> None:
    counts = np.array([count for _, count in pairs])
    hierarchy = Hierarchy.from_masks(words(*(word for word, _ in pairs)))
    whole = hierarchy_drawing(hierarchy, counts, most=10**6)
    assert sum("value" not in line for line in whole) == len(pairs)
    for drawing in (whole, hierarchy_drawing(hierarchy, counts, most=most)):
        for at, line in enumerate(drawing):
            below = [other for other in branches(drawing, at) if depth(other) == depth(line) + 1]
            assert not below or sum(map(records, below)) == records(line)
            assert len(below) <= (10**6 if drawing is whole else most)
    assert records(whole[0]) == counts.sum()


def branches(drawing: tuple[str, ...], at: int) -> list[str]:
    """The lines under a line."""
    under = []
    for line in drawing[at + 1 :]:
        if depth(line) <= depth(drawing[at]):
            break
        under.append(line)
    return under


def depth(line: str) -> int:
    return len(re.match(r"[│├└─ ]*", line)[0]) // 4  # type: ignore[index]


def records(line: str) -> int:
    return int(re.search(r"(\d+) records?\)$", line)[1])  # type: ignore[index]
