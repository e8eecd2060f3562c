"""``shoal hierarchy``: from a suggestion through an edited file to a schema that uses it, and no value on the way."""

import json
import stat
from pathlib import Path

import pytest

from cli.files import TABLE_SCHEMA, write_table

DISEASES = ("Influenza", "Asthmatic", "Hepatitis")


@pytest.fixture
def table(tmp_path: Path) -> tuple[Path, Path]:
    return write_table(tmp_path)


def test_a_suggestion_is_written_checked_drawn_and_used(run, tmp_path: Path, table: tuple[Path, Path]) -> None:
    data, schema = table
    out = tmp_path / "age.csv"
    ran = run("hierarchy", "suggest", data, "--schema", schema, "--column", "age", "--out", out)
    assert ran.status == 0, ran.err
    assert out.read_text(encoding="utf-8-sig").splitlines()[0] == "20;[20, 25);[20, 30);[20, 40);*"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600, "it lists the values of a column"
    ran = run("hierarchy", "check", out, "--data", data, "--schema", schema, "--column", "age")
    assert (ran.status, ran.err) == (0, "")
    assert "45 values on 5 levels" in ran.out
    ran = run("hierarchy", "draw", out)
    assert ran.status == 0
    assert "├── [20, 40)  (20 values)\n│   ├── [20, 30)  (10 values)\n" in ran.out
    assert "labels per level: 45 → 9 → 5 → 3 → 1" in ran.out
    schema.write_text(TABLE_SCHEMA.replace("[columns.zip]", 'hierarchy = "age.csv"\n[columns.zip]'), encoding="utf-8")
    published = json.loads(run("describe", data, "--schema", schema, "--json").out)
    assert [column["levels"] for column in published["columns"] if column["name"] == "age"] == [4]


def test_suggest_shows_how_coarse_levels_are_and_no_value(run, table: tuple[Path, Path]) -> None:
    data, schema = table
    ran = run("hierarchy", "suggest", data, "--schema", schema, "--column", "disease", "--json")
    assert json.loads(ran.out) == {
        "kind": "frequency",
        "levels": [
            {"level": 0, "labels": 3, "fewest_records": 20, "most_records": 20},
            {"level": 1, "labels": 1, "fewest_records": 60, "most_records": 60},
        ],
        "out": None,
    }
    ran = run("hierarchy", "suggest", data, "--schema", schema, "--column", "disease")
    assert ran.status == 0
    assert not any(disease in ran.out + ran.err for disease in DISEASES)


@pytest.mark.parametrize(
    ("column", "settings", "first"),
    [
        ("age", ("--widths", "10,50"), "20;[20, 30);[0, 50);*"),
        ("age", ("--kind", "interval", "--widths", "10"), "20;[20, 30);*"),
        ("age", ("--kind", "quantile", "--parts", "2"), "20;[20, 34];*"),
        ("age", ("--kind", "mask"), "20;2*;*"),
        ("visit", ("--kind", "date"), "2024-03-01;*"),
        ("visit", ("--kind", "mask"), "2024-03-01;2024-03-0*;*"),
        ("disease", ("--shares", "0.4"), "Asthmatic;Asthmatic | Hepatitis | Influenza;*"),
        ("zip", (), "4350;[4350, 4352);[4348, 4352);[4344, 4352);*"),
    ],
)
def test_the_owner_may_say_how_to_group(run, tmp_path, table, column, settings, first) -> None:
    data, schema = table
    out = tmp_path / "h.csv"
    ran = run("hierarchy", "suggest", data, "--schema", schema, "--column", column, *settings, "--out", out)
    assert ran.status == 0, ran.err
    assert out.read_text(encoding="utf-8-sig").splitlines()[0] == first
    assert run("hierarchy", "check", out, "--data", data, "--schema", schema, "--column", column).status == 0


def test_the_schema_builds_what_is_suggested(run, tmp_path: Path, table: tuple[Path, Path]) -> None:
    data, schema = table
    for column, kind in (("age", "quantile"), ("age", "interval"), ("visit", "date"), ("disease", "frequency")):
        described = TABLE_SCHEMA.replace('hierarchy = { kind = "mask" }\n', "")
        head = f"[columns.{column}]\n"
        schema.write_text(described.replace(head, f'{head}hierarchy = {{ kind = "{kind}" }}\n'), encoding="utf-8")
        place = ("--schema", schema, "--column", column)
        out = tmp_path / f"{column}-{kind}.csv"
        assert run("hierarchy", "suggest", data, *place, "--kind", kind, "--out", out).status == 0
        declared = run("hierarchy", "draw", "--data", data, *place, "--values", "--most", 99).out
        assert declared == run("hierarchy", "draw", out, "--data", data, *place, "--most", 99).out


def test_a_hierarchy_that_the_schema_names_may_still_have_to_be_made_or_mended(run, tmp_path, table) -> None:
    data, schema = table
    named = TABLE_SCHEMA.replace('{ kind = "mask" }', '"zip.csv"').replace(
        "[columns.zip]", 'hierarchy = "age.csv"\n[columns.zip]'
    )
    schema.write_text(named, encoding="utf-8")
    (tmp_path / "age.csv").write_text("no;hierarchy\nat;all\n", encoding="utf-8")
    out = tmp_path / "zip.csv"
    ask = ("--schema", schema, "--column", "zip")
    assert run("hierarchy", "suggest", data, *ask, "--out", out).status == 0
    assert run("hierarchy", "check", out, "--data", data, *ask).status == 0
    assert run("hierarchy", "draw", out, "--data", data, *ask).status == 0
    assert run("hierarchy", "draw", "--data", data, *ask).status == 0
    assert run("hierarchy", "draw", "--data", data, "--schema", schema, "--column", "age").status == 2


def test_faults_are_named_by_lines_and_counts_alone(run, tmp_path: Path, table: tuple[Path, Path]) -> None:
    data, schema = table
    file = tmp_path / "disease.csv"
    file.write_text("Influenza;air;x\nZebulon;air;y\nInfluenza;other;y\n", encoding="utf-8")
    place = ("--data", data, "--schema", schema, "--column", "disease")
    ran = run("hierarchy", "check", file, *place)
    assert ran.status == 1
    assert "1 line lists a value that an earlier line already lists. Line 3." in ran.out
    assert "Levels 1 and 2 do not nest: 1 label of level 1 has more than one parent" in ran.out
    assert "The last level has 2 different labels; it must have one, the root" in ran.out
    assert "Values of the column 'disease' that are not listed: 2 of 3; 40 of 60 records have them" in ran.out
    assert "Listed values that do not occur in the data: 1 of 2." in ran.out
    assert not any(value in ran.out + ran.err for value in (*DISEASES, "Zebulon"))
    published = json.loads(run("hierarchy", "check", file, *place, "--json").out)
    assert published["holds"] is False
    assert (published["values"], published["levels"]) == (3, 3)
    assert [fault["lines"] for fault in published["faults"]] == [[3], [2], [1], []]


def test_of_many_lines_the_first_ones_are_named(run, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;*\n" * 31, encoding="utf-8")
    ran = run("hierarchy", "check", tmp_path / "h.csv")
    assert ran.status == 1
    assert "Lines 2, 3, 4, 5," in ran.out
    assert "20, 21 and 10 more.\n        List each value on one line.\n" in ran.out


def test_what_is_odd_is_no_fault(run, tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_text("a;A;x;x;+;*\nb;B;y;y;+;*\n", encoding="utf-8")
    ran = run("hierarchy", "check", file)
    assert ran.status == 0
    assert "Level 1 is as fine as level 0" in ran.out
    assert "Level 4 is as coarse as the root" in ran.out


def test_a_missing_value_must_be_listed_too(run, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("town,n\nOslo,1\n?,2\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text(
        'kind = "table"\nnull = ["?"]\n[columns.town]\nrole = "quasi-identifier"\n[columns.n]\nrole = "drop"\n',
        encoding="utf-8",
    )
    place = ("--data", tmp_path / "d.csv", "--schema", tmp_path / "s.toml", "--column", "town")
    (tmp_path / "h.csv").write_text("Oslo;*\n", encoding="utf-8")
    ran = run("hierarchy", "check", tmp_path / "h.csv", *place)
    assert ran.status == 1
    assert "one that begins with nothing for the missing value" in ran.out
    assert run("hierarchy", "draw", tmp_path / "h.csv", *place).status == 2
    (tmp_path / "h.csv").write_text("Oslo;*\n?;*\n", encoding="utf-8")
    assert run("hierarchy", "check", tmp_path / "h.csv", *place).status == 0
    assert "(missing)  (1 record)" in run("hierarchy", "draw", tmp_path / "h.csv", *place).out


def test_draw_shows_values_of_the_data_only_when_asked(run, table: tuple[Path, Path]) -> None:
    data, schema = table
    place = ("--data", data, "--schema", schema, "--column", "zip")
    drawn = run("hierarchy", "draw", *place).out
    assert drawn.startswith("*  (40 values, 60 records)\n└── 4***  (40 values, 60 records)\n")
    assert "4350" not in drawn
    assert "4350" in run("hierarchy", "draw", *place, "--values").out
    published = json.loads(run("hierarchy", "draw", *place, "--json").out)
    assert published["labels"] == [40, 4, 1, 1, 1]
    assert "\n".join(published["drawing"]) in drawn


def test_a_hierarchy_is_replaced_only_by_force_and_other_files_never(run, tmp_path, table) -> None:
    data, schema = table
    ask = ("hierarchy", "suggest", data, "--schema", schema, "--column", "age", "--out")
    out = tmp_path / "age.csv"
    assert run(*ask, out).status == 0
    before = out.read_bytes()
    assert run(*ask, out, "--widths", "10").status == 2
    assert out.read_bytes() == before
    assert run(*ask, out, "--widths", "10", "--force").status == 0
    assert out.read_bytes() != before
    original = data.read_bytes()
    assert run(*ask, data, "--force").status == 2
    assert data.read_bytes() == original


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "shoe"), "no column 'shoe'"),
        (("suggest", "DATA", "--column", "age"), "Write a schema"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "disease", "--kind", "interval"), "column of numbers"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "disease", "--kind", "date"), "column of dates"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "disease", "--kind", "quantile"), "numbers or dates"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "age", "--widths", "5,x"), "Numbers between commas"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "age", "--widths", "5,7"), "do not nest"),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "age", "--widths", "nan"), "positive and finite"),
        (
            ("suggest", "DATA", "--schema", "SCHEMA", "--column", "age", "--kind", "mask", "--widths", "5"),
            "--widths are",
        ),
        (("suggest", "DATA", "--schema", "SCHEMA", "--column", "age", "--parts", "4", "--widths", "5"), "--widths are"),
        (("check", "nowhere.csv"), "cannot be read"),
        (("check", "DATA", "--data", "DATA"), "is not named"),
        (("check", "DATA", "--column", "age"), "no data are given"),
        (("draw",), "nothing to draw"),
        (("draw", "DATA", "--column", "age"), "no data are given"),
        (("draw", "DATA", "--data", "DATA"), "is not named"),
        (("draw", "--data", "DATA", "--schema", "SCHEMA", "--column", "age"), "declares no hierarchy"),
    ],
)
def test_bad_usage_is_refused_in_a_sentence(run, table, arguments: tuple[str, ...], phrase: str) -> None:
    data, schema = table
    names = {"DATA": str(data), "SCHEMA": str(schema)}
    ran = run("hierarchy", *(names.get(argument, argument) for argument in arguments))
    assert ran.status == 2
    assert phrase in ran.err
    assert not any(disease in ran.err for disease in DISEASES)


def test_ratings_have_no_hierarchies(run, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("user,item,rating\n1,2,3\n2,2,5\n", encoding="utf-8")
    ran = run("hierarchy", "suggest", tmp_path / "r.csv", "--column", "item")
    assert ran.status == 2
    assert "these data are ratings" in ran.err
