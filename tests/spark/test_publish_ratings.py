"""Ratings on a cluster are published as from memory: the same profiles, whoever makes them, or none at all."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.spark import SparkBackend
from shoal.backends.spark.spark_partitions import SparkPartitions
from shoal.data import Ratings
from shoal.datasets import generate_ratings, write_generated
from shoal.errors import ClusterError
from shoal.io.folders.release import read_release
from shoal.io.schemas import RatingsSchema
from shoal.io.schemas.schema_of import schema_of
from shoal.models import promises
from shoal.partitioned.rating_release.publish_ratings import publish_ratings
from shoal.partitioned.ratings import partitioned_ratings
from shoal.partitioned.ratings.ratings_by_user import ratings_by_user
from shoal.partitioned.write_parts import Destination
from shoal.randomness import Randomness
from spark_functions import KillsAnExecutor, KillsEveryExecutor, dying
from stated_parts import state_anew

_METHOD = "predictive:predictor=als:factors=2;sweeps=2"
_MOMENTS = ("shuffling records", "writing the release")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """A file of ratings, one a line."""
    file = tmp_path / "films.parquet"
    write_generated("ratings", file, users=60, items=15, ratings=500, seed=4)
    return file


def test_profiles_are_those_made_in_memory_though_executors_die(
    backend: SparkBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models, method = [promises.read("k-anonymity:k=4")], methods.read(_METHOD)
    data = generate_ratings(60, 15, 500, seed=4)
    schema, chance = schema_of(data, RatingsSchema()), Randomness(5, bytes(range(32)))
    assert isinstance(schema, RatingsSchema)
    deaths = {moment: KillsAnExecutor(tmp_path / f"killed while {moment}") for moment in _MOMENTS}
    for name in ("shuffle", "persist", "collect"):
        monkeypatch.setattr(SparkPartitions, name, dying(getattr(SparkPartitions, name), deaths))
    (tmp_path / "release").mkdir()
    on_cluster, to = ratings_by_user(partitioned_ratings(data, backend)), Destination(tmp_path / "release", None)
    made = publish_ratings(on_cluster, schema, {}, models, method, to, randomness=chance)
    assert all(each.marker.exists() for each in deaths.values())
    expected, ledger = road.publish(data, models, method, randomness=chance)
    assert made.certificate == replace(expected.certificate, engine="spark")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert dict(made.report) == pytest.approx(dict(ledger.report))
    found = read_release(tmp_path / "release").records
    assert isinstance(found, Ratings)
    assert isinstance(expected.records, Ratings)
    assert _profiles(found) == _profiles(expected.records)


def _profiles(ratings: Ratings) -> Counter:
    """Return the records without their pseudonyms, with how many people they stand for."""
    dense, items = ratings.observable.dense(), ratings.observable.items.values.cast(str).to_list()
    people = [1] * len(ratings) if ratings.people is None else ratings.people.tolist()
    return Counter(
        (frozenset((item, code) for item, code in zip(items, line, strict=True) if code >= 0), number)
        for line, number in zip(dense.tolist(), people, strict=True)
    )


def test_ratings_are_published_and_verified(backend: SparkBackend, films: Path, tmp_path: Path) -> None:
    session, release, ledger = backend._cluster.session, tmp_path / "release", tmp_path / "ledger"
    asked = {"models": ["k-anonymity:k=4"], "method": _METHOD}
    made = shoal.publish(films, out=release, ledger=ledger, engine=session, **asked)
    assert made.records_out == pl.read_parquet(films)["user"].n_unique()
    for engine in ("local", "stream", session):
        assert shoal.verify(release, engine=engine).holds
    for engine in ("local", "stream", session):
        found = shoal.verify(release, ledger, engine=engine)
        assert found.holds
        assert found.claimed == ()
    part = next((ledger / "links").iterdir())
    pl.read_parquet(part)[1:].write_parquet(part)
    state_anew(ledger)
    expected, found = (shoal.verify(release, ledger, engine=engine) for engine in ("local", session))
    assert expected.reasons == found.reasons != ()


def test_there_is_no_release_where_executors_die_again_and_again(
    backend: SparkBackend, films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = {"writing the release": KillsEveryExecutor()}
    monkeypatch.setattr(SparkPartitions, "collect", dying(SparkPartitions.collect, deaths))
    before = sorted(each.name for each in tmp_path.iterdir())
    asked = {"models": ["k-anonymity:k=4"], "method": _METHOD, "engine": backend._cluster.session}
    with pytest.raises(ClusterError):
        shoal.publish(films, out=tmp_path / "release", ledger=tmp_path / "ledger", **asked)
    assert sorted(each.name for each in tmp_path.iterdir()) == before
