"""Everything that is wrong with a hierarchy file is named, by its lines."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import HierarchyError, SchemaError
from shoal.io import read, read_hierarchy
from shoal.io.hierarchies.faults import hierarchy_faults
from shoal.io.hierarchies.lines import hierarchy_lines
from shoal.io.schemas import TableSchema
from shoal.jobs.hierarchy import check_hierarchy

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
    "ragged": ("a;x;*\nb;*\n\nc;y;z;*\n", [("2 lines do not have 3 levels as the first line does", (2, 4))]),
    "twice": ("a;*\nb;*\na;*\n;*\n;*\n", [("2 lines list values that an earlier line already lists", (3, 5))]),
    "crossed": (
        "a;x;p;*\nb;x;q;*\nc;y;q;*\nd;x;p;*\ne;x;r;*\n",
        [("Levels 1 and 2 do not nest: 1 label of level 1 has more than one parent", (2, 5))],
    ),
    "crossed on two levels": (
        "a;x;p;*\nb;x;q;*\nc;y;q;+\nd;y;q;*\n",
        [
            ("Levels 1 and 2 do not nest: 1 label of level 1 has more", (2,)),
            ("Levels 2 and 3 do not nest: 1 label of level 2 has more", (3,)),
            ("The last level has 2 different labels; it must have one, the root", (3,)),
        ],
    ),
    "several roots": ("a;x\nb;y\nc;y\nd;z\n", [("The last level has 3 different labels", (1, 4))]),
    "values alone": ("a\nb\n", [("The last level has 2 different labels", (2,))]),
    "everything": (
        "a;x\na;y;*\n",
        [
            ("1 line does not have 2 levels as the first line does", (2,)),
            ("1 line lists a value", (2,)),
        ],
    ),
    "another value": (
        "a;b;*\nb;b;*\nc;C;*\n;a;*\n",
        [("2 lines have labels that are the name of another value", (1, 4))],
    ),
    "another number": (
        "30;31.0;*\n31;x;*\n",
        [
            ("1 line has a label that is the name of another value", (1,)),
            ("1 line has a label that reads as an interval", (1,)),
        ],
    ),
    "a number among codes": ("30;31.0;*\n31;x;*\nA;x;*\n", [("1 line has a label that reads as an interval", (1,))]),
    "misread": (
        "5;[0, 5);*\n4;[0, 5);*\n7;8 | 9;*\nx;[0, 5);*\n",
        [
            (
                "2 lines have labels that read as an interval, set, time or masked code that does not",
                (1, 3),
            )
        ],
    ),
    "misread codes": (
        "4350;435*;*\n4411;43**;*\n13053;130*;*\n2024-01-05;2023;*\n",
        [("2 lines have labels that read as an interval", (2, 4))],
    ),
    "empty": ("a;;*\nb;B;*\n;;*\n", [("1 line has an empty label, which would be read as a missing value", (1,))]),
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


@pytest.mark.parametrize("tree", [{"E": ["f"], " E": ["m"]}, {"E": ["f", " f"], "G": ["m"]}])
def test_what_differs_only_by_spaces_around_it_is_found_before_the_work(tree: dict, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("sex\nf\n m\nm \n", encoding="utf-8")
    schema = schema_of(sex={"role": "quasi-identifier", "hierarchy": {"kind": "tree", "tree": tree}})
    with pytest.raises(HierarchyError, match="1 line has spaces around a value or label"):
        read(tmp_path / "d.csv", schema)
    with pytest.raises(SchemaError, match="no spaces around it"):
        schema_of(sex={"role": "sensitive", "categories": [["f"], [" f"]]})


def schema_of(**columns: Any) -> TableSchema:
    return TableSchema(columns=columns)


def told_above(data: Path, schema: TableSchema) -> list[str]:
    """The labels of the first column on level 1."""
    records: Any = read(data, schema).records
    hierarchy = records.columns[0].hierarchy
    return hierarchy.labels[1].take(hierarchy.maps[1]).to_list()


@pytest.mark.parametrize("listed", ["30.0;a;*\n31.0;a;*\n32;b;*\n", "3e1;a;*\n31;a;*\n32.;b;*\n"])
@pytest.mark.parametrize("values", ["30\n31\n32\n", "30\n31.0\n32.00\n"])
def test_numbers_are_the_same_however_they_are_written(listed: str, values: str, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(listed, encoding="utf-8")
    (tmp_path / "d.csv").write_text("age\n" + values, encoding="utf-8")
    schema = schema_of(age={"role": "quasi-identifier", "hierarchy": str(tmp_path / "h.csv")})
    assert told_above(tmp_path / "d.csv", schema) == ["a", "a", "b"]
    assert check_hierarchy(tmp_path / "h.csv", data=tmp_path / "d.csv", schema=schema, column="age").holds


def test_numbers_beyond_doubles_are_told_apart(tmp_path: Path) -> None:
    large = [2**53, 2**53 + 1]
    (tmp_path / "h.csv").write_text(f"{large[0]}.0;a;*\n{large[1]}.0;b;*\n", encoding="utf-8")
    (tmp_path / "d.csv").write_text(f"n\n{large[0]}\n{large[1]}\n", encoding="utf-8")
    schema = schema_of(n={"role": "quasi-identifier", "hierarchy": str(tmp_path / "h.csv")})
    assert told_above(tmp_path / "d.csv", schema) == ["a", "b"]


def test_marks_that_mean_null_are_the_missing_value(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("?;u;*\n99;u;*\n;u;*\na;u;*\n", encoding="utf-8")
    assert [line.value for line in hierarchy_lines(tmp_path / "h.csv", ("?", 99))] == [None, None, None, "a"]
