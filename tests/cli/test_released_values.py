"""No file of a release names a value that does not occur in its data: who was left out stays unnamed."""

import csv
import json
import tomllib
from pathlib import Path

import pytest

import shoal
from cli.files import TABLE_SCHEMA

OTHERS = ("Leprosy", "Cholera", "Typhus", "99.5", "Elsewhere")
"""Values that are declared, or that only records have which are withheld."""
CATEGORIES = 'categories = [["Leprosy", "HIV"], ["Cholera"], ["Flu", "Cough", "Typhus"]]\n'
TREE = (
    'hierarchy = { kind = "tree", tree = { Grave = { Old = ["Leprosy"], New = ["HIV"] }, '
    'Gone = { Lost = ["Cholera"] }, Light = { Nose = ["Flu", "Typhus"], Throat = ["Cough"] } } }\n'
)
DECLARED = {
    "categories": (CATEGORIES, ("p-plus-alpha-sensitive:p=2,alpha=1,k=3", "p-plus-sensitive:p=2,k=3")),
    "an order": (CATEGORIES, ("k-anonymity:k=3", "t-closeness:t=0.9,distance=ordered")),
    "a tree": (TREE, ("k-anonymity:k=3", "t-closeness:t=0.9,distance=hierarchical")),
    "categories and a tree": (CATEGORIES + TREE, ("k-anonymity:k=3", "l-diversity:l=2,kind=distinct")),
    "numbers": ('categories = [["99.5", "1.0"], [], ["2", "3"]]\n', ("p-plus-alpha-sensitive:p=2,alpha=1,k=3",)),
}


def write_declared(folder: Path, declared: str, diseases: tuple[str, ...], last: str = "") -> tuple[Path, Path]:
    lines = ["name,age,zip,visit,disease"]
    lines += [f"p{i},{20 + i % 4},435{i % 3},x,{diseases[i % len(diseases)]}" for i in range(72)]
    data, schema = folder / "d.csv", folder / "s.toml"
    data.write_text("\n".join(lines) + "\n" + last, encoding="utf-8")
    schema.write_text(TABLE_SCHEMA + declared, encoding="utf-8")
    return data, schema


def words_of(folder: Path) -> str:
    return "\n".join(file.read_bytes().decode("utf-8", errors="replace") for file in folder.iterdir())


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("case", DECLARED)
def test_what_is_declared_and_does_not_occur_is_not_told(run, tmp_path: Path, case: str, form: str) -> None:
    declared, promises = DECLARED[case]
    diseases = ("1", "2", "3") if case == "numbers" else ("HIV", "Flu", "Cough")
    data, schema = write_declared(tmp_path, declared, diseases)
    models = [word for promise in promises for word in ("-m", promise)]
    out = tmp_path / "out"
    assert run("publish", data, "--schema", schema, *models, "--format", form, "--out", out).status == 0
    words = words_of(out)
    for word in (*OTHERS, "Lost", "Gone", "Old"):
        assert word not in words
    assert all(disease in words for disease in diseases)
    assert run("verify", out).status == 0


def test_values_of_withheld_records_are_not_told(run, tmp_path: Path) -> None:
    """The only one with a value is left out: nothing says that there was somebody with it."""
    data, schema = write_declared(tmp_path, CATEGORIES, ("HIV", "Flu", "Cough"), last="q,99,9999,x,Typhus\n")
    asked = ("-m", "p-plus-sensitive:p=2,k=3", "--withhold", "5%", "--method", "lattice", "--out", tmp_path / "out")
    assert run("publish", data, "--schema", schema, *asked).status == 0
    assert "Typhus" not in words_of(tmp_path / "out")
    assert run("verify", tmp_path / "out").status == 0


def test_weights_are_as_they_were_though_categories_are_empty(tmp_path: Path) -> None:
    """Values weigh by the number of categories: of three, the middle one without a value, and not of two."""
    data, schema = write_declared(tmp_path, CATEGORIES, ("HIV", "Flu", "Cough"))
    promise = "p-plus-alpha-sensitive:p=2,alpha=1,k=3"
    shoal.publish(data, schema=str(schema), models=[promise], method="mondrian", out=str(tmp_path / "out"))
    reached = json.loads((tmp_path / "out" / "certificate.json").read_text(encoding="utf-8"))["promises"][0]["level"]
    with (tmp_path / "out" / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    weight: dict[tuple[str, str], float] = {}
    for row in rows:
        group = row["age"], row["zip"]
        weight[group] = weight.get(group, 0) + {"HIV": 0, "Flu": 1, "Cough": 1}[row["disease"]]
    assert float(reached["alpha"]) == min(weight.values())
    published = tomllib.loads((tmp_path / "out" / "schema.toml").read_text(encoding="utf-8"))
    assert published["columns"]["disease"]["categories"] == [["HIV"], [], ["Flu", "Cough"]]
