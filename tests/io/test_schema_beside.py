"""A schema that lies beside the data under their name is taken, told and kept."""

import shutil
import tomllib
from pathlib import Path

import pytest

import shoal
from shoal.assumed import assumptions
from shoal.datasets.generators.write_generated import write_generated
from shoal.errors import SchemaError
from shoal.io import RatingsSchema, TableSchema, read, read_schema
from shoal.io.schema_beside import schema_beside
from shoal.jobs.hierarchy import suggest_hierarchy


@pytest.fixture
def people(tmp_path: Path) -> Path:
    write_generated("table", tmp_path / "people.parquet", rows=60, seed=1)
    return tmp_path / "people.parquet"


def test_what_generate_wrote_is_read_without_another_word(people: Path) -> None:
    with assumptions() as told:
        source = read(people)
    assert told == [source.notes[0]]
    assert "people.schema.toml was taken, which lies beside the data" in told[0]
    assert source.schema_file == people.with_name("people.schema.toml")
    assert source.schema == read(people, read_schema(people.with_name("people.schema.toml"))).schema


def test_a_schema_that_is_given_wins(people: Path) -> None:
    written = read_schema(people.with_name("people.schema.toml"))
    assert isinstance(written, TableSchema)
    plain = written.model_copy(
        update={
            "columns": {name: each.model_copy(update={"hierarchy": None}) for name, each in written.columns.items()}
        }
    )
    with assumptions() as told:
        source = read(people, plain)
    assert told == []
    assert source.schema_file is None
    assert all(column.hierarchy is None for column in source.records.columns)  # type: ignore[union-attr]


def test_jobs_take_it_and_the_plan_keeps_which_was_taken(people: Path, tmp_path: Path) -> None:
    assert not shoal.check(people, ["k-anonymity:k=2"]).holds
    result = shoal.publish(people, models=["k-anonymity:k=2"], out=tmp_path / "r", ledger=tmp_path / "l")
    assert any("people.schema.toml was taken" in note for note in result.notes)
    plan = tomllib.loads((tmp_path / "l" / "plan.toml").read_text())
    assert plan["schema"] == str(people.with_name("people.schema.toml"))


def test_describe_and_hierarchies_take_it_too(people: Path) -> None:
    description = shoal.describe(people)
    assert description.facts["kind"] == "table"
    assert "people.schema.toml" in description.notes[0]
    with assumptions() as told:
        suggest_hierarchy(people, column="age")
    assert "people.schema.toml was taken" in told[0]


def test_a_faulty_schema_beside_the_data_is_named_and_not_passed_over(people: Path) -> None:
    beside = people.with_name("people.schema.toml")
    beside.write_text('kind = "table"\n[columns.nobody]\nrole = "drop"\n')
    for job in (read, shoal.describe):
        with pytest.raises(SchemaError, match=r"people\.schema\.toml was taken"):
            job(people)


def test_compressed_data_have_the_schema_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "r.schema.toml").touch()
    for name in ("r.csv", "r.csv.gz", "r.parquet", "r.zip"):
        assert schema_beside(tmp_path / name) is None  # there are no such data
        (tmp_path / name).touch()
        assert schema_beside(tmp_path / name) == tmp_path / "r.schema.toml"


def test_a_file_called_schema_alone_is_taken_with_the_data_of_a_release_only(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b,c\n" + "".join(f"{i % 3},{i},{i % 5}\n" for i in range(9)))
    shutil.copy(tmp_path / "data.csv", tmp_path / "other.csv")
    schema = RatingsSchema(layout="long", user="a", item="b", rating="c")
    (tmp_path / "schema.toml").write_text(schema.to_toml())
    assert read(tmp_path / "data.csv").schema.user == "a"  # type: ignore[union-attr]
    with pytest.raises(SchemaError):
        read(tmp_path / "other.csv")
