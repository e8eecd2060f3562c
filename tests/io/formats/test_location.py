"""What is said of where data are: names to print have no credentials, and plans keep none."""

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import FileError, WordingError
from shoal.io import read
from shoal.io.formats.location import Location
from shoal.plan import Plan

SECRET = "hunter2"
URLS = [
    f"postgresql://ann:{SECRET}@db.example/people",
    f"postgresql+psycopg://ann:a@b/{SECRET}#?@db.example:5432/people",
    f"postgresql://db.example/people?user=ann&password={SECRET}",
    f"snowflake://ann@account/people?private_key={SECRET}&warehouse=w",
    f"mssql+pyodbc:///?odbc_connect=DRIVER%3DX%3BUID%3Dann%3BPWD%3D{SECRET}",
    f"mysql://db.example/people?pw={SECRET}",
    f"mysql://db.example/people?charset=utf8;auth={SECRET}",
    f"postgresql://db.example/people;Password={SECRET}",
    f"duckdb:///md:people#{SECRET}",
]


@pytest.mark.parametrize("url", URLS)
def test_credentials_are_neither_named_nor_kept(url: str) -> None:
    location = Location(url, query="people")
    assert SECRET not in repr(location) + location.name + location.without_password().path
    assert location.without_password().query == "people"
    plan = Plan.of(data=url, query="people", models=["k-anonymity:k=2"], out="o")
    assert SECRET not in repr(plan) + str(plan) + plan.absolute().to_toml()
    assert plan.location == location


def test_settings_that_cannot_be_secret_are_kept() -> None:
    url = "postgresql://ann@db.example/people?sslmode=require&passfile=x&host=/run/postgresql"
    kept = "postgresql://ann@db.example/people?sslmode=require&host=/run/postgresql"
    assert Location(url).without_password().path == kept
    assert Location("sqlite:///a#b;c.db").without_password().path == "sqlite:///a#b;c.db"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=6))
def test_whatever_the_password_it_is_not_kept(password: str) -> None:
    marked = f"§{password}§"
    assert "§" not in Location(f"mysql://ann:{marked}@host/db").without_password().path


def test_a_plan_keeps_where_the_data_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = {"models": ["k-anonymity:k=2"], "out": "o"}
    kept = {
        data: Plan.of(data=data, **plan).absolute().data for data in ("d/*.csv", "sqlite:///a.db", "-", "(in memory)")
    }
    assert kept == {
        "d/*.csv": f"{tmp_path}/d/*.csv",
        "sqlite:///a.db": f"sqlite:///{tmp_path}/a.db",
        "-": "-",
        "(in memory)": "(in memory)",
    }
    (tmp_path / "p.toml").write_text(
        'data = "sqlite:///a.db"\nquery = "people"\nmodels = ["k-anonymity:k=2"]\nout = "o"\n'
    )
    assert Plan.read(tmp_path / "p.toml").location == Location(f"sqlite:///{tmp_path}/a.db", query="people")


def test_a_location_is_a_part_of_a_plan_and_is_said_once() -> None:
    plan = Plan.of(data=Location("a.xlsx", sheet="s"), models=["k-anonymity:k=2"], out="o")
    assert (plan.data, plan.sheet) == ("a.xlsx", "s")
    with pytest.raises(WordingError, match="'sheet' is said of the data and in the plan"):
        Plan.of(data=Location("a.xlsx", sheet="s"), sheet="t", models=["k-anonymity:k=2"], out="o")


def test_standard_input_is_read_once_and_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def piped(text: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    piped(b"user,item,rating\na,x,1\nb,x,2\n")
    assert [len(read("-").records) for _ in range(2)] == [2, 2]
    piped(b"user,item,rating\na,x,1\na,y,2\n")
    assert len(read("-").records) == 1
    piped(b"")
    with pytest.raises(FileError, match="standard input is empty"):
        read("-")


@pytest.mark.parametrize("setting", ["sheet", "query"])
def test_what_is_said_in_vain_is_refused(setting: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("user,item,rating\na,x,1\na,y,2\n")
    with pytest.raises(WordingError, match=f"a.csv is read as CSV, which knows no {setting}. Leave out --{setting}"):
        read(Location(str(tmp_path / "a.csv"), **{setting: "x"}))


def test_the_format_may_be_said(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("user,item,rating\na,x,1\na,y,2\n")
    with pytest.raises(FileError, match="damaged"):
        read(tmp_path / "a.parquet")
    assert len(read(Location(str(tmp_path / "a.parquet"), format="csv")).records) == 1
    with pytest.raises(WordingError, match=r"There is no format named 'dbase'. Known are: csv"):
        read(Location(str(tmp_path / "a.parquet"), format="dbase"))


def test_python_says_it_in_read(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("user,item,rating\na,x,1\na,y,2\n")
    source = shoal.read(tmp_path / "a.parquet", format_in="csv")
    assert len(source.records) == 1
    with pytest.raises(WordingError, match="which knows no sheet"):
        shoal.read(tmp_path / "a.parquet", format_in="csv", sheet="x")
    with pytest.raises(WordingError, match="not at a path, and have no query"):
        shoal.read(source, query="x")
