"""Labels of columns and codes come out as they went in, as far as what they label is published."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.io import RatingsSchema, TableSchema, read, read_schema

pyreadstat = pytest.importorskip("pyreadstat")
READERS = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta}
WRITERS = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}
FORMATS = {"sav": "spss", "dta": "stata"}

PEOPLE = pl.DataFrame(
    {
        "id": range(8),
        "sex": [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0],
        "age": [20.0, 21.0, 30.0, 31.0, 20.0, 21.0, 30.0, 31.0],
        "ill": [1.0, 2.0, 9.0, 1.0, 2.0, 1.0, 2.0, 1.0],
        "mood": [1.0, 3.0, 5.0, 3.0, 1.0, 3.0, 5.0, 3.0],
    }
)
TEXTS: dict[str, Any] = {"sex": "Sex of the respondent", "age": "Age in years", "id": "Number of the passport"}
VALUES: dict[str, Any] = {
    "id": {0: "Ann", 1: "Bob"},
    "sex": {1: "female", 2: "male", 3: "diverse"},
    "ill": {1: "flu", 2: "cold", 9: "refused"},
    "mood": {1: "bad", 5: "good"},
}
ROLES = {"id": "identifier", "sex": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive", "mood": "drop"}
SCHEMA: Any = {name: {"role": role} for name, role in ROLES.items()}


def people(folder: Path, ending: str) -> Path:
    path = folder / f"people.{ending}"
    more = {"missing_ranges": {"ill": [9]}} if ending == "sav" else {}
    WRITERS[ending](PEOPLE, path, column_labels=TEXTS, variable_value_labels=VALUES, **more)
    return path


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_whole_numbers_stay_whole_and_labels_are_kept_with_the_schema(ending: str, tmp_path: Path) -> None:
    source = read(people(tmp_path, ending), TableSchema(columns=SCHEMA))
    assert source.records["age"].values.dtype == pl.Int64  # type: ignore[index]
    assert source.schema.labels["sex"].text == "Sex of the respondent"
    assert source.schema.labels["sex"].values == {"1": "female", "2": "male", "3": "diverse"}
    (tmp_path / "again.toml").write_text(source.schema.to_toml(), encoding="utf-8")
    assert read_schema(tmp_path / "again.toml") == source.schema
    missing = source.records["ill"].values.null_count()  # type: ignore[index]
    assert missing == (1 if ending == "sav" else 0)  # declared as missing in the file


@pytest.mark.parametrize("ending", ["sav", "dta"])
@pytest.mark.parametrize("written", ["sav", "dta", "csv"])
def test_a_release_has_the_labels_of_what_it_publishes_and_no_others(ending: str, written: str, tmp_path: Path) -> None:
    out, format_ = tmp_path / "out", FORMATS.get(written, "csv")
    source = read(people(tmp_path, ending), TableSchema(columns=SCHEMA))
    shoal.publish(source, models=["k-anonymity:k=2"], method="none", out=str(out), format=format_)
    schema = read_schema(out / "schema.toml")
    assert schema.labels["sex"].values == {"1": "female", "2": "male"}  # nobody is diverse
    assert schema.labels.keys() == {"sex", "age", "ill"}
    assert not re.search("Ann|passport|diverse", "".join(each.read_text("latin-1") for each in out.iterdir()))
    assert shoal.verify(str(out)).holds
    if written == "csv":
        return
    data, meta = READERS[written](out / f"data.{written}", output_format="polars")
    assert set(data["sex"]) == {1, 2}
    assert meta.variable_value_labels["sex"] == {1: "female", 2: "male"}
    assert meta.column_names_to_labels["sex"] == "Sex of the respondent"
    back = shoal.read(str(out)).records
    assert set(back["sex"].values) == {"female", "male"}  # type: ignore[index]


def test_generalized_labels_are_text(tmp_path: Path) -> None:
    schema = {**SCHEMA, "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10]}}}
    source, out = read(people(tmp_path, "sav"), TableSchema(columns=schema)), str(tmp_path / "out")
    shoal.publish(source, models=["k-anonymity:k=4"], method="lattice", out=out, format="spss")
    data, meta = READERS["sav"](f"{out}/data.sav", output_format="polars")
    assert data["age"].dtype == pl.String
    assert meta.column_names_to_labels["age"] == "Age in years"


@pytest.mark.parametrize("written", ["sav", "dta"])
def test_codes_that_stay_codes_come_back_as_codes(written: str, tmp_path: Path) -> None:
    """Where every published value has a label, but the column was read by its codes."""
    frame = pl.DataFrame({"mood": [1.0, 1.0, 5.0, 5.0, 3.0], "sex": [1.0, 1.0, 2.0, 2.0, 1.0]})
    WRITERS[written](frame, tmp_path / f"a.{written}", variable_value_labels={"mood": VALUES["mood"]})
    columns: Any = {name: {"role": "quasi-identifier"} for name in frame.columns}
    source, out = read(tmp_path / f"a.{written}", TableSchema(columns=columns)), tmp_path / "out"
    shoal.publish(
        source, models=["k-anonymity:k=2"], method="none", out=str(out), format=FORMATS[written], withhold="20%"
    )
    assert sorted(shoal.read(str(out)).records["mood"].values) == [1, 1, 5, 5]  # type: ignore[index]


def test_ratings_keep_the_labels_of_their_scale(tmp_path: Path) -> None:
    answers = pl.DataFrame({"q1": [1.0, 1.0, 5.0, 5.0], "q2": [2.0, 2.0, 4.0, 4.0]})
    labels: Any = {"q1": {1: "never", 5: "always", 99: "no answer"}}
    pyreadstat.write_sav(answers, tmp_path / "a.sav", column_labels={"q2": "Do you?"}, variable_value_labels=labels)
    source, out = read(tmp_path / "a.sav", RatingsSchema(layout="wide", scale=(1, 5))), tmp_path / "out"
    shoal.publish(source, models=["k-anonymity:k=2"], method="none", out=str(out), format="spss")
    data, meta = pyreadstat.read_sav(out / "data.sav", output_format="polars")
    assert meta.variable_value_labels == {"q1": {1: "never", 5: "always"}}
    assert meta.column_names_to_labels["q2"] == "Do you?"
    assert sorted(data["q2"]) == [2, 2, 4, 4]


@pytest.mark.parametrize(
    ("name", "format_"), [("zip code", "spss"), ("zip code", "stata"), ("x" * 33, "stata"), ("é" * 33, "spss")]
)
def test_names_that_a_program_does_not_know_are_refused_with_a_way_out(name: str, format_: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{name}\n1\n1\n", encoding="utf-8")
    source = read(tmp_path / "a.csv", TableSchema(columns={name: {"role": "quasi-identifier"}}))  # type: ignore[arg-type]
    settings: Any = {"models": ["k-anonymity:k=2"], "method": "none", "out": str(tmp_path / "out")}
    with pytest.raises(shoal.errors.SchemaError, match=f"cannot have a column named '{name}'.*--format csv"):
        shoal.publish(source, format=format_, **settings)
    assert not (tmp_path / "out").exists()
    shoal.publish(source, format="csv", **settings)


@pytest.mark.parametrize(("written", "letters"), [("sav", 127), ("dta", 80)])
def test_a_label_of_a_column_that_is_too_long_is_shortened_by_whole_letters_and_told(
    written: str, letters: int, tmp_path: Path
) -> None:
    schema: Any = {
        "kind": "table",
        "columns": {"a": {"role": "quasi-identifier"}},
        "labels": {"a": {"text": "ü" * 300}},
    }
    made = shoal.publish(
        data=pl.DataFrame({"a": [1, 1]}),
        schema=schema,
        models="k-anonymity:k=2",
        out=tmp_path / "out",
        format=FORMATS[written],
    )
    meta = READERS[written](str(tmp_path / "out" / f"data.{written}"))[1]
    assert meta.column_names_to_labels["a"] == "ü" * (letters - 1) + "…"
    assert any("Labels of the column 'a' are longer" in each for each in made.notes)


@pytest.mark.parametrize("written", ["sav", "dta"])
def test_values_whose_labels_a_file_cannot_hold_are_written_as_text(written: str, tmp_path: Path) -> None:
    words = ["ü" * 100 + mark for mark in "xy"]  # the same in the first 120 bytes
    schema: Any = {
        "kind": "table",
        "columns": {"a": {"role": "quasi-identifier"}, "b": {"role": "insensitive"}},
        "labels": {
            "a": {"values": {"1": words[0], "2": words[1]}},
            "b": {"values": {"1.5": "half", "99999999999": "x"}},
        },
    }
    frame = pl.DataFrame({"a": words * 2, "b": [1.5, 99999999999.0] * 2})
    plan: Any = {"models": "k-anonymity:k=2", "out": tmp_path / "out", "format": FORMATS[written]}
    shoal.publish(data=frame, schema=schema, **plan)
    assert sorted(shoal.open_release(tmp_path / "out").to_polars()["a"]) == sorted(words * 2)
    shoal.verify(tmp_path / "out")
