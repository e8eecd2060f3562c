"""Data in a database: read once, by one statement that reads, without a word of the credentials."""

import sqlite3
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from postgres_server import postgres_server, why_there_is_none
from shoal.errors import FileError, InputError, MissingExtraError, SchemaError, WordingError
from shoal.io import RatingsSchema, TableSchema, read
from shoal.io.formats import Location
from shoal.io.formats.data_files import open_data

WAYS = ["sqlite", "sqlite+pysqlite"]
PEOPLE = [("ann", 30, 1.5, "2020-01-02"), ("bob", None, 2.0, None), ("eve", 31, None, "2021-01-02")]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "a b.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (name TEXT, age INTEGER, income REAL, born DATE)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", PEOPLE)
        connection.execute('CREATE TABLE "odd name" (x INTEGER, "into" TEXT)')
    connection.close()
    return path


def asked(way: str, path: Path, query: str | None = None) -> pl.DataFrame:
    file = open_data(Location(f"{way}:///{path}", query=query))
    return file.frame(*file.names) if file.rows else pl.DataFrame(schema=file.scan.collect_schema())


@pytest.mark.parametrize("way", WAYS)
def test_a_table_or_a_query_is_read(way: str, database: Path) -> None:
    assert asked(way, database, "people").rows() == PEOPLE
    assert asked(way, database, "SELECT age FROM people WHERE name LIKE '%n%' AND ':x' = ':x';").rows() == [(30,)]
    assert asked(way, database, "WITH a AS (SELECT 1 AS b) SELECT b FROM a").rows() == [(1,)]
    assert asked(way, database, "odd name").columns == ["x", "into"]
    assert asked(way, database, "SELECT 'delete; into' AS a -- update;").rows() == [("delete; into",)]


@pytest.mark.parametrize("way", WAYS)
def test_without_a_query_an_only_table_is_taken(way: str, database: Path, tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"There are 2 tables in the database a b\.db: 'odd name', 'people'"):
        asked(way, database)
    with sqlite3.connect(tmp_path / "one.db") as connection:
        connection.execute("CREATE TABLE only_one AS SELECT 1 AS a")
    connection.close()
    assert asked(way, tmp_path / "one.db").rows() == [(1,)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM people",
        "SELECT 1; DELETE FROM people",
        "WITH a AS (SELECT 1) DELETE FROM people",
        "PRAGMA writable_schema = 1",
        "ATTACH 'x.db' AS x",
        "SELECT * INTO copy FROM people",
        "DROP TABLE people",
        "/* SELECT */ DELETE FROM people",
        "",
    ],
)
def test_what_does_more_than_read_is_refused(way: str, query: str, database: Path) -> None:
    before = database.read_bytes()
    with pytest.raises(InputError):
        asked(way, database, query)
    assert database.read_bytes() == before
    assert not list(database.parent.glob("x.db"))


@pytest.mark.parametrize("way", WAYS)
def test_faults_are_told_without_the_query_or_the_data(way: str, database: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="failed") as caught:
        asked(way, database, "SELECT secret FROM people WHERE name = 'ann'")
    assert "secret" not in str(caught.value)
    with pytest.raises(FileError, match=r"There is no file for the database none\.db"):
        asked(way, tmp_path / "none.db", "people")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at" * 20)
    with pytest.raises(FileError, match="not possible to connect"):
        asked(way, tmp_path / "text.db", "people")
    with pytest.raises(SchemaError, match="two columns named 'age'") if way != "sqlite" else pytest.raises(InputError):
        asked(way, database, "SELECT age, age FROM people")
    with pytest.raises(SchemaError, match=r"'b' of the database a b\.db is not of a simple type"):
        asked(way, database, "SELECT x'00ff' AS b")


def test_credentials_are_never_said() -> None:
    for url, error in (
        ("postgresql://ann:hunter2@127.0.0.1:9/db", FileError),
        ("no+such://ann:hunter2@h/db", InputError),
    ):
        with pytest.raises((error, MissingExtraError)) as caught:
            open_data(Location(url, query="people"))
        assert "hunter2" not in str(caught.value)
        assert "ann" not in str(caught.value)
    with pytest.raises(WordingError, match="which knows no sheet"):
        open_data(Location("sqlite:///a.db", sheet="people"))


VALUES = {
    "INTEGER": st.integers(-(2**63), 2**63 - 1),
    "REAL": st.floats(allow_nan=False, allow_infinity=False),
    "TEXT": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
}


@given(data=st.data(), n=st.integers(1, 6))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_both_ways_read_the_same(data: st.DataObject, n: int, tmp_path: Path) -> None:
    columns = {kind: data.draw(st.lists(st.none() | values, min_size=n, max_size=n)) for kind, values in VALUES.items()}
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE IF EXISTS t")
        connection.execute(f"CREATE TABLE t ({', '.join(f'c{kind} {kind}' for kind in columns)})")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", list(zip(*columns.values(), strict=True)))
    connection.close()
    one, other = (asked(way, path, "t") for way in WAYS)
    assert one.equals(other)
    assert one.rows() == list(zip(*columns.values(), strict=True))


def test_types_that_show_late_are_found(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, None)] * 70_000 + [(2.5, "late")])
    connection.close()
    for way in WAYS:
        frame = asked(way, tmp_path / "a.db", "t")
        assert frame.schema == {"a": pl.Float64, "b": pl.String}
        assert frame.row(-1) == (2.5, "late")


def test_a_release_from_a_database_is_published_and_its_plan_repeats_it(database: Path, tmp_path: Path) -> None:
    columns: Any = {"age": {"role": "quasi-identifier"}, "name": {"role": "identifier"}}
    schema = TableSchema(query="SELECT name, 30 AS age FROM people", columns=columns)
    (tmp_path / "schema.toml").write_text(schema.to_toml(), encoding="utf-8")
    out, ledger = str(tmp_path / "out"), str(tmp_path / "ledger")
    url, said = f"sqlite:///{database}", str(tmp_path / "schema.toml")
    settings: Any = {"models": ["k-anonymity:k=3"], "method": "none", "accept": ["empty"]}
    shoal.publish(url, schema=said, out=out, ledger=ledger, **settings)
    assert shoal.verify(out).holds
    plan = tomllib.loads((tmp_path / "ledger" / "plan.toml").read_text(encoding="utf-8"))
    assert plan["data"] == url
    with pytest.raises(WordingError, match="another query than --query"):
        read(Location(url, query="people"), schema)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    why = why_there_is_none()
    if why is not None:
        pytest.skip(why)
    with postgres_server() as url:
        yield url


def test_postgresql_is_read_and_never_written(postgres: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE ratings (who text, item int, stars numeric(3, 1), day date, tags text[])")
        connection.execute(
            "INSERT INTO ratings VALUES ('a', 1, 1.5, '2020-01-02', '{}'), ('b', 2, 3, '2020-01-03', NULL)"
        )
        connection.execute("CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM ratings RETURNING 1'")
    query = "SELECT who, item, stars, day FROM ratings WHERE who LIKE '%' AND item::text <> ':x' ORDER BY who"
    file = open_data(Location(postgres, query=query))
    assert file.frame(*file.names).rows() == [("a", 1, 1.5, date(2020, 1, 2)), ("b", 2, 3.0, date(2020, 1, 3))]
    schema = RatingsSchema(user="who", item="item", rating="stars", scale=(1, 5), step=0.5, query=query)
    assert read(postgres, schema).records.n_ratings == 2  # type: ignore[union-attr]
    with pytest.raises(SchemaError, match="'tags' of the database postgres is not of a simple type"):
        open_data(Location(postgres, query="ratings"))
    with pytest.raises(FileError, match="failed"):  # a function that writes
        open_data(Location(postgres, query="SELECT wipe()"))
    assert open_data(Location(postgres, query="SELECT who FROM ratings")).rows == 2
    wrong = postgres.replace("tests:", "tests:wrong-")
    with pytest.raises(FileError, match="not possible to connect") as caught:
        open_data(Location(wrong, query="ratings"))
    assert "wrong-" not in str(caught.value)


@pytest.mark.parametrize("settings", ["uri=true", "uri=true&mode=rwc"])
def test_a_url_with_settings_of_its_own_is_only_read_too(settings: str, database: Path, tmp_path: Path) -> None:
    assert open_data(Location(f"sqlite:///file:{database}?{settings}", query="people")).rows == len(PEOPLE)
    with pytest.raises(FileError):
        open_data(Location(f"sqlite:///file:{tmp_path}/missing.db?{settings}", query="people"))
    assert not (tmp_path / "missing.db").exists()


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        ("postgres://ann:hunter2@db/people", r"Write the URL as postgresql://"),
        ("https://ann:hunter2@example.org/people.csv", "Fetch the file"),
        ("postgresql:/ann:hunter2@db/people", "Write a URL as postgresql://user@host/name"),
        ("postgresql:ann:hunter2@db", "Write a URL as postgresql://user@host/name"),
    ],
)
def test_a_url_that_is_not_quite_one_is_told_without_its_password(url: str, cure: str) -> None:
    with pytest.raises(InputError, match=cure) as refusal:
        read(url)
    assert "hunter2" not in str(refusal.value)
