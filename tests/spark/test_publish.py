"""Tables are published on Spark as from memory, whole or not at all, also if executors die on the way."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import made_or_error, records_without_names, schema_without_file
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.spark import SparkBackend
from shoal.backends.spark.spark_partitions import SparkPartitions
from shoal.data import Microdata
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, given_schema
from shoal.jobs.read import read
from shoal.jobs.verify import verify
from shoal.models import promises
from shoal.partitioned import partitioned, read_partitioned_table
from shoal.partitioned.publish_table import PartitionedRelease, publish_table
from shoal.partitioned.write_parts import Destination
from shoal.progress import listening
from shoal.randomness import Randomness
from shoal.testing import tables
from spark_functions import KillsAnExecutor, dying

_PROMISES = ("k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.4")
_SCHEMA = {
    "kind": "table",
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 30]}},
        "sex": "quasi-identifier",
        "disease": "sensitive",
    },
}
_N = 3_000


@pytest.fixture(scope="module")
def several(backend: SparkBackend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkBackend]:
    """The same cluster with so little memory for tasks that small tables are in several partitions."""
    folder = tmp_path_factory.mktemp("several")
    with SparkBackend(backend._cluster.session, str(folder), task_memory=1 << 18) as several:
        yield several
    assert not os.listdir(folder)


@settings(max_examples=2, deadline=None)
@given(
    table=tables(min_records=4, others=False),
    wordings=st.lists(st.sampled_from(_PROMISES), min_size=1, max_size=2, unique=True),
    withhold=st.sampled_from([Fraction(0), Fraction(1, 2)]),
    method=st.sampled_from(["lattice", "none"]),
)
def test_random_tables_are_published_as_from_memory(
    backend: SparkBackend, tmp_path_factory, table: Microdata, wordings, withhold, method
) -> None:
    folder = tmp_path_factory.mktemp("release")
    models, method = [promises.read(each) for each in wordings], methods.read(method)
    schema = schema_without_file(table)
    to = Destination(folder, None)
    in_memory = made_or_error(lambda: road.publish(table, models, method, withhold=withhold))
    made = made_or_error(
        lambda: publish_table(partitioned(table, backend), schema, {}, models, method, to, withhold=withhold)
    )
    if isinstance(in_memory, str) or isinstance(made, str):
        assert made == in_memory
        return
    expected, ledger = in_memory
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="spark")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))
    assert records_without_names(pl.read_parquet(folder / "data")) == records_without_names(expected.records.frame())


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    drawn = np.random.default_rng(5)
    columns = {
        "age": drawn.integers(20, 90, _N),
        "sex": drawn.choice(["f", "m"], _N),
        "disease": drawn.choice(["flu", "asthma", "diabetes"], _N),
    }
    file = tmp_path_factory.mktemp("people") / "people.parquet"
    pl.DataFrame(columns).write_parquet(file)
    return file


def _published(backend: SparkBackend, people: Path, folder: Path, *, method: str) -> PartitionedRelease:
    """Publish with a ledger, and check that release and ledger are whole."""
    release, ledger = folder / "release", folder / "ledger"
    release.mkdir()
    ledger.mkdir()
    schema = given_schema(_SCHEMA)
    assert isinstance(schema, TableSchema)
    table, schema = read_partitioned_table(open_data(people, schema), schema, backend, numbered=True)
    models = [promises.read(each) for each in ("k-anonymity:k=16", "l-diversity:l=2")]
    to, share = Destination(release, ledger), Fraction(1, 4)
    made = publish_table(table, schema, {}, models, methods.read(method), to, withhold=share)
    published = pl.read_parquet(release / "data")
    published = published.rename({published.columns[0]: "pseudonym"})
    assert published.height == made.certificate.records == _N - made.report["records withheld"]
    assert published["pseudonym"].n_unique() == published.height
    links = pl.read_parquet(ledger / "links")
    assert set(links["pseudonym"]) == set(published["pseudonym"])
    assert links["row"].n_unique() == links.height == published.height
    joined = links.join(published, on="pseudonym").join(pl.read_parquet(people).with_row_index("row"), on="row")
    assert (joined["sex"] == joined["sex_right"]).all()
    assert (joined["disease"] == joined["disease_right"]).all()
    assert verify(release).holds
    return made


def test_files_are_published_in_parts_without_traces(several: SparkBackend, people: Path, tmp_path: Path) -> None:
    heard: Counter[str] = Counter()

    class Ear:
        def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
            heard[name] += total or 0
            return name

        def advance(self, token: object, amount: int) -> None:
            heard[str(token)] -= amount

        def end(self, token: object) -> None: ...

    with listening(Ear()):
        made = _published(several, people, tmp_path, method="lattice")
    written = sorted(str(each.relative_to(tmp_path / "release")) for each in (tmp_path / "release").rglob("*"))
    parts = [each for each in written if each.startswith("data/")]
    assert written == ["certificate.json", "data", *parts, "schema.toml"]
    assert parts == [f"data/part-{number:05d}.parquet" for number in range(len(parts))]
    assert len(parts) > 1
    assert sorted(each.name for each in (tmp_path / "ledger").iterdir()) == ["links"]
    assert {"grouping records", "drawing pseudonyms", "shuffling records", "writing the release"} <= heard.keys()
    assert not any(heard.values()), "every task that was announced is told when it is done"
    models = [promises.read(each) for each in ("k-anonymity:k=16", "l-diversity:l=2")]
    records = read(people, _SCHEMA).records
    expected, ledger = road.publish(records, models, methods.read("lattice"), withhold=Fraction(1, 4))
    assert made.certificate == replace(expected.certificate, engine="spark")
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))


@pytest.mark.parametrize("method", ["mondrian", "top-down:search=0", "microaggregation:method=mdav,blocks=400"])
def test_groups_recoded_locally_are_those_made_in_memory(
    several: SparkBackend, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    secret = Randomness(1, bytes(range(32)))  # by which microaggregation distinguishes equal records
    monkeypatch.setattr("shoal.road.pipeline._for_method", lambda *_: secret)
    monkeypatch.setattr(Randomness, "with_secret", lambda _: secret)
    schema, models = given_schema(_SCHEMA), [promises.read(each) for each in ("k-anonymity:k=16", "l-diversity:l=2")]
    assert isinstance(schema, TableSchema)
    table, schema = read_partitioned_table(open_data(people, schema), schema, several)
    assert several.most_records < _N, "so that there are several segments"
    made = publish_table(table, schema, {}, models, methods.read(method), Destination(tmp_path, None))
    expected, ledger = road.publish(read(people, _SCHEMA).records, models, methods.read(method))
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="spark")
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))
    assert records_without_names(pl.read_parquet(tmp_path / "data")) == records_without_names(expected.records.frame())
    assert verify(tmp_path).holds


_VISITS = {
    "kind": "table",
    "person": "who",
    "columns": {**_SCHEMA["columns"], "who": "identifier", "region": "stratum", "sex": "quasi-identifier"},
}


@pytest.mark.parametrize("method", ["top-down:search=0", "microaggregation:method=mdav,blocks=400"])
def test_people_and_strata_are_recoded_locally_as_in_memory(
    several: SparkBackend, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    secret = Randomness(1, bytes(range(32)))
    monkeypatch.setattr("shoal.road.pipeline._for_method", lambda *_: secret)
    monkeypatch.setattr(Randomness, "with_secret", lambda _: secret)
    drawn, file = np.random.default_rng(6), tmp_path / "visits.parquet"
    who, region = drawn.integers(0, _N // 2, _N), drawn.choice(["north", "south"], _N, p=[0.2, 0.8])
    pl.read_parquet(people).with_columns(pl.Series("who", who), pl.Series("region", region)).write_parquet(file)
    schema, models = given_schema(_VISITS), [promises.read(each) for each in ("k-anonymity:k=16", "t-closeness:t=0.3")]
    assert isinstance(schema, TableSchema)
    table, schema = read_partitioned_table(open_data(file, schema), schema, several)
    assert several.most_records < _N // 2, "so that there are several segments"
    (tmp_path / "release").mkdir()
    made = publish_table(table, schema, {}, models, methods.read(method), Destination(tmp_path / "release", None))
    expected, ledger = road.publish(read(file, _VISITS).records, models, methods.read(method))
    assert isinstance(expected.records, Microdata)
    assert made.certificate == replace(expected.certificate, engine="spark")
    assert {name: ledger.report[name] for name in made.report} == pytest.approx(dict(made.report))
    assert records_without_names(pl.read_parquet(tmp_path / "release" / "data")) == records_without_names(
        expected.records.frame()
    )
    assert verify(tmp_path / "release").holds


_MOMENTS = ("grouping what is published", "drawing pseudonyms", "shuffling records", "writing the release")


def test_executors_that_die_in_the_middle_of_it_change_nothing(
    several: SparkBackend, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = {moment: KillsAnExecutor(tmp_path / f"killed while {moment}") for moment in _MOMENTS}
    for name in ("shuffle", "persist", "collect"):
        monkeypatch.setattr(SparkPartitions, name, dying(getattr(SparkPartitions, name), deaths))
    _published(several, people, tmp_path, method="lattice")
    assert all(each.marker.exists() for each in deaths.values())
