"""The people from whom those of a table were drawn."""

from pathlib import Path

import pytest

import shoal
from shoal.attacks import Exposure, TableRisk
from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.jobs.attack import exposed
from shoal.randomness import Randomness

SCHEMA = """
kind = "table"
[columns.age]
role = "quasi-identifier"
[columns.town]
role = "quasi-identifier"
[columns.illness]
role = "sensitive"
"""
PEOPLE = "age;town;illness\n20;4350;flu\n21;4350;gout\n40;4411;flu\n41;4412;cold\n"
REGISTER = "name,town,age\nAda,4350,20\nBob,4350,21\nCyd,4350,22\nDan,4411,40\nEve,4412,41\nFay,9999,20\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.toml").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "register.csv").write_text(REGISTER, encoding="utf-8")
    return tmp_path


def test_a_register_needs_only_the_quasi_identifiers(folder: Path) -> None:
    exposure = exposed(folder / "people.csv", schema=folder / "people.toml", population=folder / "register.csv")
    assert isinstance(exposure.population, Microdata)
    assert [column.name for column in exposure.population.quasi_identifiers] == ["town", "age"]
    assert journalist(exposure) == pytest.approx(1.0)


def test_a_release_is_held_against_the_register_as_it_stands(folder: Path) -> None:
    out, ledger = folder / "release", folder / "ledger"
    shoal.publish(
        folder / "people.csv",
        schema=str(folder / "people.toml"),
        models=["k-anonymity:k=2"],
        method="mondrian",
        out=str(out),
        ledger=str(ledger),
    )
    # [20, 21] in 4350 is one of two people, and [40, 41] in [4411, 4412] too; with the ledger and without
    assert journalist(exposed(out, ledger, population=folder / "register.csv")) == pytest.approx(1 / 2)
    assert journalist(exposed(out, population=folder / "register.csv")) == pytest.approx(1 / 2)


def test_ratings_have_no_population(folder: Path) -> None:
    (folder / "ratings.csv").write_text("user,item,rating\na,x,1\nb,x,2\n", encoding="utf-8")
    with pytest.raises(WordingError, match="Only tables are drawn from a population"):
        exposed(folder / "ratings.csv", population=folder / "register.csv")


def journalist(exposure: Exposure) -> float:
    return TableRisk("journalist").run(exposure, Randomness(1)).main


def test_people_outside_are_read_with_every_column_that_is_published(folder: Path) -> None:
    (folder / "outside.csv").write_text("illness,age,shoe,town\nflu,30,9,4350\n", encoding="utf-8")
    exposure = exposed(folder / "people.csv", schema=folder / "people.toml", outside=folder / "outside.csv")
    assert isinstance(exposure.outside, Microdata)
    assert {column.name for column in exposure.outside.quasi_identifiers} == {"illness", "age", "town"}
    found = shoal.attack(
        folder / "people.csv",
        None,
        ["linkability:left=age,right=town+illness,control=outside"],
        schema=folder / "people.toml",
        outside=folder / "outside.csv",
    ).findings[0]
    # 21 is the age nearest to 30, and nobody of 21 has flu in 4350
    assert (found.control_of, found.control, found.details["people_outside"]) == ("people outside the release", 0, 1)
    with pytest.raises(WordingError, match="lacks columns"):
        shoal.attack(
            folder / "people.csv", None, ["linkability"], schema=folder / "people.toml", outside=folder / "register.csv"
        )


def test_people_outside_are_told_of_tables_only(folder: Path) -> None:
    (folder / "ratings.csv").write_text("user,item,rating\n1,1,5\n2,1,4\n", encoding="utf-8")
    with pytest.raises(WordingError, match="these data are ratings"):
        exposed(folder / "ratings.csv", outside=folder / "people.csv")
