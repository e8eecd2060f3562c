"""Whose records they are: what a schema says of it, and what a release states."""

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.data import Microdata
from shoal.errors import DataError, FileError, InputError, SchemaError
from shoal.io.folders.release import read_release

LINES = "patient,visit,age,zip,disease\n" + "".join(
    f"{patient},{number},{20 + patient % 3},{4000 + patient % 2},{('flu', 'gout', 'HIV')[number % 3]}\n"
    for patient in range(24)
    for number in range(patient % 3 + 1)
)
COLUMNS = (
    '[columns.patient]\nrole = "identifier"\n[columns.visit]\nrole = "drop"\n[columns.age]\nrole = "quasi-identifier"\n'
    '[columns.zip]\nrole = "quasi-identifier"\n[columns.disease]\nrole = "sensitive"\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "visits.csv").write_text(LINES)
    return tmp_path


def schema(folder: Path, said: str = "", columns: str = COLUMNS) -> Path:
    file = folder / "schema.toml"
    file.write_text(f'kind = "table"\n{said}\n{columns}')
    return file


def test_an_identifier_that_repeats_is_refused_with_a_hint(folder):
    with pytest.raises(SchemaError, match="'patient' repeats: 40 of 48 records") as refused:
        shoal.read(folder / "visits.csv", schema(folder))
    assert 'person = "patient"' in str(refused.value)
    assert 'unit = "record"' in str(refused.value)


def test_an_identifier_that_is_missing_for_several_does_not_repeat(tmp_path):
    (tmp_path / "people.csv").write_text("passport,age\n,30\n,31\nX1,32\n")
    columns = '[columns.passport]\nrole = "identifier"\n[columns.age]\nrole = "quasi-identifier"\n'
    assert shoal.read(tmp_path / "people.csv", schema(tmp_path, columns=columns)).records.n_people == 3


def test_a_person_is_named_by_a_column_or_several(folder):
    one = shoal.read(folder / "visits.csv", schema(folder, 'person = "patient"')).records
    two = shoal.read(folder / "visits.csv", schema(folder, 'person = ["patient", "visit"]')).records
    assert (len(one), one.n_people, two.n_people) == (48, 24, 48)
    assert isinstance(one, Microdata)
    assert isinstance(two, Microdata)
    assert one.persons is not None
    assert two.persons is None  # every record is of another


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ('person = "nobody"', "'nobody'"),
        ('person = "age"', "must be identifier, household or drop"),
        ('person = ["patient", "patient"]', "twice"),
        ('person = "patient"\nunit = "record"', "'unit'"),
        ('unit = "household"', "unit"),
        ('person = "patient"\npeople = "people.csv"', "'person'"),
    ],
)
def test_what_a_schema_says_of_people_must_make_sense(folder, said, wrong):
    with pytest.raises(SchemaError, match=wrong):
        shoal.read(folder / "visits.csv", schema(folder, said))


def test_a_person_without_a_name_is_refused(folder):
    (folder / "visits.csv").write_text(LINES + ",1,20,4000,flu\n")
    with pytest.raises(DataError, match="1 records have no value"):
        shoal.read(folder / "visits.csv", schema(folder, 'person = "patient"'))


@pytest.fixture
def release(folder: Path) -> Path:
    models = ["k-anonymity:k=3", "t-closeness:t=0.9"]
    shoal.publish(
        folder / "visits.csv",
        schema=str(schema(folder, 'person = "patient"')),
        models=models,
        out=str(folder / "release"),
        ledger=str(folder / "ledger"),
    )
    return folder / "release"


def test_a_release_states_how_many_people_its_classes_are_of(release):
    assert shoal.verify(release).holds
    records = read_release(release).records
    assert isinstance(records, Microdata)
    assert records.n_people == 4  # at least: those of the largest class
    assert "patient" not in (release / "data.csv").read_text()
    certificate = json.loads((release / "certificate.json").read_text())
    assert certificate["unit"] == "people"
    stated = pl.read_csv(release / "people.csv", infer_schema=False)
    assert stated.columns == ["record", "attribute", "people"]
    assert stated["record"].null_count() == 0  # how many people there are in all is not stated


def test_a_release_in_parquet_states_the_same(folder):
    said = str(schema(folder, 'person = "patient"'))
    out = folder / "other"
    shoal.publish(folder / "visits.csv", schema=said, models=["k-anonymity:k=3"], out=str(out), format="parquet")
    assert shoal.verify(out).people is None


def _forged(release: Path, text: str) -> None:
    """Write other numbers, and a certificate that fits them."""
    import hashlib

    (release / "people.csv").write_text(text)
    certificate = json.loads((release / "certificate.json").read_text())
    certificate["people"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (release / "certificate.json").write_text(json.dumps(certificate))


def test_numbers_that_cannot_be_are_refused(release):
    lines = (release / "people.csv").read_text().splitlines()
    classes = [at for at, line in enumerate(lines) if line.split(",")[1] == ""]
    first = classes[0]
    record = lines[first].split(",")[0]
    many = [*lines[:first], f"{record},,1000", *lines[first + 1 :]]
    for wrong in (
        many,  # more people than records
        lines[:first] + lines[first + 1 :],  # a class without a number
        [*lines, lines[first]],  # a class twice
        [lines[0], ",,24", *lines[1:]],  # a number of no class
        # fewer people with values than there are people
        [*lines[: len(classes) + 1], *(f"{line.rsplit(',', 1)[0]},1" for line in lines[len(classes) + 1 :])],
        [*lines[:first], f"{record},,0", *lines[first + 1 :]],
        [*lines[:first], f"{record},,three", *lines[first + 1 :]],
        [*lines[:first], "nobody,,3", *lines[first + 1 :]],
        [*lines, f"{record},age,3"],  # nothing is stated of what is not sensitive
        [line for line in lines if not line.endswith("disease,1")],
    ):
        _forged(release, "\n".join(wrong) + "\n")
        if wrong != lines:
            with pytest.raises(InputError, match=r"people\.csv does not fit"):
                shoal.verify(release)


def test_a_release_that_lacks_its_numbers_is_refused(release):
    (release / "people.csv").unlink()
    with pytest.raises(FileError, match=r"no file people\.csv"):
        shoal.verify(release)


def test_a_promise_that_needs_numbers_that_are_not_stated_cannot_be_asked(folder):
    out = folder / "plain"
    said = str(schema(folder, 'person = "patient"'))
    shoal.publish(folder / "visits.csv", schema=said, models=["k-anonymity:k=3"], out=str(out))
    assert shoal.check(out / "data.csv", ["k-anonymity:k=3"], out / "schema.toml").holds
    with pytest.raises(InputError, match="do not say how many do"):
        shoal.check(out / "data.csv", ["t-closeness:t=0.5"], out / "schema.toml")


def test_records_can_be_protected_where_the_owner_says_so(folder):
    said = str(schema(folder, 'unit = "record"'))
    shoal.publish(folder / "visits.csv", schema=said, models=["k-anonymity:k=3"], out=str(folder / "records"))
    verified = shoal.verify(folder / "records")
    assert (verified.holds, verified.unit, verified.records, verified.people) == (True, "records", 48, 48)
    certificate = json.loads((folder / "records" / "certificate.json").read_text())
    assert certificate["unit"] == "records"
    certificate["unit"] = "people"
    (folder / "records" / "certificate.json").write_text(json.dumps(certificate))
    assert not shoal.verify(folder / "records").holds


def test_a_ledger_keeps_whose_records_they_are(release):
    found = {each.attack: each for each in shoal.attack(release, ledger=release.parent / "ledger").findings}
    assert found["risk:model=prosecutor"].targets == 24
