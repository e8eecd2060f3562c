"""Everything that is wrong with a hierarchy file is named, by its lines."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.io import read_hierarchy
from shoal.io.hierarchy_faults import hierarchy_faults
from shoal.io.hierarchy_lines import hierarchy_lines

FIELD = st.sampled_from(["a", "b", "c", "*", ""])
SQUARE = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), min_size=1))
RAGGED = st.lists(st.lists(FIELD, min_size=1, max_size=4), min_size=1, max_size=6)


@given(rows=SQUARE | RAGGED)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_can_be_read_if_and_only_if_it_has_no_faults(rows: list[list[str]], tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("\n".join(";".join(row) for row in rows), encoding="utf-8")
    try:
        faults = hierarchy_faults(hierarchy_lines(path))
    except HierarchyError:  # nothing but blank lines
        with pytest.raises(HierarchyError):
            read_hierarchy(path)
        return
    if faults:
        with pytest.raises(HierarchyError):
            read_hierarchy(path)
    else:
        assert read_hierarchy(path).n_values == len(hierarchy_lines(path))


CASES = {
    "ragged": ("a;x;*\nb;*\n\nc;y;z;*\n", [("2 lines have another number of levels than the first line", (2, 4))]),
    "twice": ("a;*\nb;*\na;*\n;*\n;*\n", [("2 lines list values that an earlier line lists already", (3, 5))]),
    "crossed": (
        "a;x;p;*\nb;x;q;*\nc;y;q;*\nd;x;p;*\ne;x;r;*\n",
        [("Levels 1 and 2 do not nest: 1 label of level 1 has more than one label above", (2, 5))],
    ),
    "crossed on two levels": (
        "a;x;p;*\nb;x;q;*\nc;y;q;+\nd;y;q;*\n",
        [
            ("Levels 1 and 2 do not nest: 1 label of level 1 has more", (2,)),
            ("Levels 2 and 3 do not nest: 1 label of level 2 has more", (3,)),
            ("The last level has 2 different labels; it must have one root", (3,)),
        ],
    ),
    "several roots": ("a;x\nb;y\nc;y\nd;z\n", [("The last level has 3 different labels", (1, 4))]),
    "values alone": ("a\nb\n", [("The last level has 2 different labels", (2,))]),
    "everything": (
        "a;x\na;y;*\n",
        [
            ("1 line has another number of levels than the first line, which has 2", (2,)),
            ("1 line lists a value", (2,)),
        ],
    ),
    "nothing": ("a;x;*\nb;x;*\n;y;*\n", []),
}


@pytest.mark.parametrize("case", CASES)
def test_faults_are_named_with_their_lines(case: str, tmp_path: Path) -> None:
    text, expected = CASES[case]
    (tmp_path / "h.csv").write_text(text, encoding="utf-8")
    found = hierarchy_faults(hierarchy_lines(tmp_path / "h.csv"))
    assert len(found) == len(expected)
    for fault, (phrase, lines) in zip(found, expected, strict=True):
        assert phrase in fault.sentence
        assert fault.lines == lines


def test_marks_that_mean_null_are_the_missing_value(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("?;u;*\n99;u;*\n;u;*\na;u;*\n", encoding="utf-8")
    assert [line.value for line in hierarchy_lines(tmp_path / "h.csv", ("?", 99))] == [None, None, None, "a"]
