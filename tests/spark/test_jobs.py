"""The public functions on Spark: the same answers, from files and from DataFrames."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.backends.spark import SparkBackend
from shoal.datasets import write_generated
from shoal.errors import ClusterError, InputError, ShoalError, WordingError
from shoal.jobs.asked_engine import OpenCluster
from shoal.jobs.engine_choice import opened_backend

_COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 30]}},
    "sex": "quasi-identifier",
    "disease": "sensitive",
}
_MODELS = ["k-anonymity:k=5", "l-diversity:l=2"]


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of people, in the folder in which the test runs."""
    monkeypatch.chdir(tmp_path)
    drawn, n = np.random.default_rng(5), 1000
    columns = {
        "age": drawn.integers(20, 90, n),
        "sex": drawn.choice(["f", "m"], n),
        "disease": drawn.choice(["flu", "asthma"], n),
    }
    pl.DataFrame(columns).write_parquet("people.parquet")
    return "people.parquet"


def test_a_file_is_checked_published_and_verified(backend: SparkBackend, people: str, tmp_path: Path) -> None:
    session = backend._cluster.session
    expected = shoal.check(people, _MODELS, _COLUMNS, engine="local")
    found = shoal.check(people, _MODELS, _COLUMNS, engine=session)
    assert [(each.level, each.violations) for each in found.verdicts] == [
        (each.level, each.violations) for each in expected.verdicts
    ]
    settings = {"models": _MODELS, "withhold": "5%", "method": "lattice"}
    in_memory = shoal.publish(people, _COLUMNS, out="local", engine="local", **settings)
    made = shoal.publish(people, _COLUMNS, out="release", ledger="ledger", engine=session, **settings)
    for name in ("records_out", "groups", "loss", "group_sizes"):
        assert getattr(made, name) == getattr(in_memory, name)
    assert sorted(os.listdir("release")) == ["certificate.json", "data", "schema.toml"]
    assert 'engine = "spark"' in Path("ledger/plan.toml").read_text()
    assert shoal.verify("release", engine=session).holds
    assert shoal.verify("release", "ledger", engine=session).holds
    assert shoal.verify("release", "ledger").holds, "without Spark"
    assert not [each for each in os.listdir(tmp_path) if each.startswith(".")]


def test_a_dataframe_is_checked_and_published_where_it_is(backend: SparkBackend, people: str) -> None:
    frame = backend._cluster.session.read.parquet(os.path.abspath(people))
    expected = shoal.check(people, _MODELS, _COLUMNS)
    assert [each.level for each in shoal.check(frame, _MODELS, _COLUMNS).verdicts] == [
        each.level for each in expected.verdicts
    ]
    with pytest.raises(WordingError, match=r"shoal\.anonymize works in memory"):
        shoal.anonymize(frame, _COLUMNS, _MODELS)  # type: ignore[call-overload]
    made = shoal.publish(frame, _COLUMNS, models=_MODELS, out="release", method="mondrian")
    assert made.records_out == 1000
    assert shoal.verify("release").holds


def test_a_dataframe_is_published_with_a_ledger(backend: SparkBackend, people: str) -> None:
    session = backend._cluster.session
    pl.read_parquet(people).with_row_index("who").with_columns(
        day=pl.date(2020, 1, 1) + pl.duration(days=pl.col("who") % 7)
    ).write_parquet(people)
    columns = {**_COLUMNS, "who": "identifier", "day": "drop"}
    frame = session.read.parquet(os.path.abspath(people)).repartition(5)
    settings = {"models": _MODELS, "method": "lattice", "withhold": "5%"}
    made = shoal.publish(frame, columns, out="release", ledger="ledger", **settings)
    assert made.records_in == 1000
    _refuse_other_rows(people, "who")
    assert sorted(os.listdir("ledger")) == [
        "hierarchies.json",
        "links",
        "original",
        "original.schema.toml",
        "parts.json",
        "plan.toml",
        "release.sha256",
        "report.json",
    ]
    for engine in ("local", "stream", session):
        found = shoal.verify("release", "ledger", engine=engine)
        assert found.holds
        assert found.claimed == ()
    assert shoal.measure("release", "ledger").measures


def _refuse_other_rows(people: str, name: str) -> None:
    """Check that a ledger has every row of a file, and leads from a pseudonym to the row that it was made of."""
    original, truth = pl.read_parquet("ledger/original"), pl.read_parquet(people)
    assert original.sort(name).select(truth.columns).cast(truth.schema).equals(truth.sort(name))
    links = pl.read_parquet("ledger/links")
    released = pl.read_parquet("release/data").join(links, left_on="record", right_on="pseudonym")
    assert released.height == links.height
    assert original["disease"].gather(released["row"]).equals(released["disease"])


def test_originals_do_not_come_through_this_process(
    backend: SparkBackend, people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shoal.backends.spark.spark_partitions import SparkPartitions
    from shoal.io.formats.tabular_file import TabularFile
    from spark_functions import KillsAnExecutor, dying

    def refuse(*_: object) -> None:
        raise AssertionError("rows came through this process")

    pl.read_parquet(people).with_row_index("who").write_parquet(people)
    deaths = {"keeping the originals": KillsAnExecutor(Path("killed").absolute())}
    monkeypatch.setattr(SparkPartitions, "collect", dying(SparkPartitions.collect, deaths))
    monkeypatch.setattr(TabularFile, "batches", refuse)
    monkeypatch.setattr("shoal.backends.spark.backend._LARGEST_BATCH", 130)
    columns, session = {**_COLUMNS, "who": "identifier"}, backend._cluster.session
    asked = {"models": _MODELS, "method": "lattice", "withhold": "5%", "engine": session}
    shoal.publish(people, columns, out="release", ledger="ledger", **asked)
    assert Path("killed").exists()
    assert len(os.listdir("ledger/original")) == 8, "what whoever died had written is no part"
    assert pl.read_parquet("ledger/original")["who"].to_list() == list(range(1000))
    _refuse_other_rows(people, "who")
    assert shoal.verify("release", "ledger", engine=session).holds
    monkeypatch.undo()


def test_limits_are_those_of_the_data_in_memory(backend: SparkBackend, people: str, tmp_path: Path) -> None:
    session = backend._cluster.session
    expected = shoal.limits(people, schema=_COLUMNS).reached
    assert shoal.limits(people, schema=_COLUMNS, engine=session).reached == expected
    frame = session.read.parquet(os.path.abspath(people))
    assert shoal.limits(frame, schema=_COLUMNS).reached == expected
    write_generated("ratings", tmp_path / "films.csv", users=60, items=3, ratings=120, seed=2)
    for given in ({"k": 2}, {"epsilon": 1}):
        in_memory = shoal.limits("films.csv", given, engine="local").to_json()
        found = shoal.limits("films.csv", given, engine=session).to_json()
        assert {**found, "seconds": 0} == {**in_memory, "seconds": 0}


def test_people_strata_and_columns_outside_the_promises_count_as_in_memory(
    backend: SparkBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    drawn, n = np.random.default_rng(6), 600
    age, who = drawn.integers(2, 6, n) * 10, drawn.integers(0, 250, n)
    columns = {"who": who, "age": age, "region": np.where(who < 120, "north", "south"), "day": drawn.integers(0, 5, n)}
    columns["disease"] = drawn.choice(["flu", "asthma"], n)
    pl.DataFrame(columns).write_csv("visits.csv")
    roles = {"who": "identifier", "age": "quasi-identifier", "region": "stratum", "disease": "sensitive"}
    schema = {"kind": "table", "person": "who", "columns": {**roles, "day": "insensitive"}}
    asked = {"schema": schema, "models": ["k-anonymity:k=5", "l-diversity:l=2"], "method": "lattice", "withhold": "20%"}
    engines = {"local": "local", "spark": backend._cluster.session}
    made = {
        name: shoal.publish("visits.csv", out=name, ledger=f"ledger of {name}", engine=each, **asked)
        for name, each in engines.items()
    }
    for name in ("records_out", "groups", "loss", "group_sizes"):
        assert getattr(made["spark"], name) == getattr(made["local"], name)
    assert shoal.verify("spark").holds
    for release in ("spark", "local"):  # which states numbers of people
        for ledger in ("spark", "local"):
            pair = release, f"ledger of {ledger}"
            found, expected = (shoal.verify(*pair, engine=each) for each in (engines["spark"], "local"))
            assert found.holds == (release == ledger)
            assert (found.reasons, found.claimed) == (expected.reasons, expected.claimed)


def test_the_command_begins_a_cluster_and_ends_it(people: str, tmp_path: Path) -> None:
    Path("schema.toml").write_text(
        'kind = "table"\n[columns]\nage = "quasi-identifier"\nsex = "quasi-identifier"\ndisease = "sensitive"\n'
    )
    command = [
        sys.executable,
        "-c",
        "from shoal.cli.main import main; main()",
        "check",
        people,
        "--schema",
        "schema.toml",
        "--model",
        _MODELS[0],
        "--json",
    ]
    cluster = ["--engine", "spark", "--spark-master", "local[1]"]
    env = {name: each for name, each in os.environ.items() if "SPARK" not in name}  # of the session of these tests
    in_memory, found = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=False, timeout=300, env=env)
        for more in ([], cluster)
    )
    assert found.returncode == in_memory.returncode == 1, found.stderr
    assert found.stdout, found.stderr
    assert json.loads(found.stdout)["promises"] == json.loads(in_memory.stdout)["promises"]
    assert sorted(os.listdir(tmp_path)) == ["people.parquet", "schema.toml"]


def test_ratings_are_checked(backend: SparkBackend, tmp_path: Path) -> None:
    drawn = np.random.default_rng(2)
    rows = {(user, int(item)): int(drawn.integers(1, 6)) for user in range(60) for item in drawn.integers(0, 3, 2)}
    users, items = zip(*rows, strict=True)
    file = tmp_path / "films.csv"
    pl.DataFrame({"user": users, "item": items, "rating": list(rows.values())}).write_csv(file)
    promise = "k-epsilon:k=2,epsilon=1"
    expected = shoal.check(str(file), promise, engine="local")
    found = shoal.check(str(file), promise, engine=backend._cluster.session)
    assert [(each.level, each.violations) for each in found.verdicts] == [
        (each.level, each.violations) for each in expected.verdicts
    ]


def test_ratings_in_a_dataframe_stay_on_its_cluster(
    backend: SparkBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = backend._cluster.session
    write_generated("ratings", tmp_path / "films.parquet", users=60, items=8, ratings=240, seed=3)
    frame = session.read.parquet(str(tmp_path / "films.parquet"))
    named = {"kind": "ratings", "user": "user", "item": "item", "rating": "rating", "scale": [1, 5]}
    promise = "k-epsilon:k=2,epsilon=1"
    in_memory = shoal.check("films.parquet", promise, named, engine="local")
    assert shoal.check(frame, promise, named).verdicts == in_memory.verdicts
    expected, found = (shoal.limits(data, {"k": 2}, schema=named).to_json() for data in ("films.parquet", frame))
    assert {**found, "seconds": 0} == {**expected, "seconds": 0}
    made = shoal.publish(frame, named, models=["k-anonymity:k=5"], out="release", ledger="ledger")
    assert made.records_in == 60
    assert shoal.verify("release", ledger="ledger").holds
    for schema, why in (
        ({**named, "layout": "wide"}, "one a row"),
        (None, "needs the schema"),
    ):
        with pytest.raises(ShoalError, match=why):
            shoal.check(frame, promise, schema)


def test_what_a_killed_run_left_is_removed_or_told(backend: SparkBackend, tmp_path: Path) -> None:
    from shoal.assumed import assumptions

    session, place = backend._cluster.session, tmp_path / "staging"
    place.mkdir()
    (place / ".shoal-staging-00").mkdir()
    (place / ".shoal-staging-00.lock").touch()
    with opened_backend(1 << 30, OpenCluster(session, str(place))) as there:
        assert there.name == "spark"
        assert not (place / ".shoal-staging-00").exists()
    assert not os.listdir(place)
    (place / "shoal-00").mkdir()
    with assumptions() as told, opened_backend(1 << 30, OpenCluster(session, place.as_uri())):
        assert len(os.listdir(place)) == 2
    assert "holds 1 folder of other runs" in told[0]
    assert os.listdir(place) == ["shoal-00"]


def test_folders_that_executors_do_not_see_are_refused(
    backend: SparkBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shoal.backends.spark import seen_folders
    from spark_functions import sees_nothing

    backend.refuse_unseen(tmp_path)
    assert not os.listdir(tmp_path)
    monkeypatch.setattr(seen_folders, "_unseen", sees_nothing)
    with pytest.raises(InputError, match="Executors do not see"):
        backend.refuse_unseen(tmp_path / "")
    assert not os.listdir(tmp_path)
    from pyspark.sql import DataFrameWriter

    writing = DataFrameWriter.parquet

    def elsewhere(writer: DataFrameWriter, path: str) -> None:
        writing(writer, f"{path}-on-the-disk-of-an-executor")
        os.mkdir(path.removeprefix("file:"))

    monkeypatch.setattr(DataFrameWriter, "parquet", elsewhere)
    session = backend._cluster.session
    blocks = session.range(5).selectExpr("1 AS place", "binary('x') AS block")
    with SparkBackend(session, str(tmp_path)) as other, pytest.raises(ClusterError, match="are not there"):
        other._cluster.staging.write(blocks, str(tmp_path / "rows"))
