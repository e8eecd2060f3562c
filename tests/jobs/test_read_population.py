"""The people from whom those of a table were drawn."""

from pathlib import Path

import pytest

import shoal
from shoal.attacks import Exposure, TableRisk
from shoal.data import Microdata
from shoal.errors import WordingError
from shoal.jobs.exposed import exposed
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
