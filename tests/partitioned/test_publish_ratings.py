"""Ratings that are not in memory are published as those that are: the same profiles, levels and losses."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_memory import made_or_error
from shoal import road
from shoal.anonymizers import methods
from shoal.backends.stream import StreamBackend
from shoal.backends.stream.streamed import Streamed
from shoal.data import Ratings
from shoal.datasets import generate_ratings
from shoal.engines import LocalEngine, judge
from shoal.errors import InternalError
from shoal.io.folders.release import read_release
from shoal.io.ratings.long import long_layout
from shoal.io.read import open_long
from shoal.io.schemas import RatingsSchema, read_schema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.tables.profile_sizes import people_by_record
from shoal.jobs.verify import verify
from shoal.models import Verdict, promises
from shoal.partitioned.rating_release.publish_ratings import publish_ratings
from shoal.partitioned.rating_release.released_ratings import ReleasedRatings, judge_released
from shoal.partitioned.ratings import PartitionedRatings, partitioned_ratings, read_partitioned_ratings
from shoal.partitioned.ratings.ratings_by_user import ratings_by_user
from shoal.partitioned.write_parts import Destination
from shoal.randomness import Randomness
from shoal.testing import ratings


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamBackend]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with StreamBackend(folder, 4_000) as backend:
        yield backend


@settings(max_examples=60, deadline=None)
@given(
    data=ratings(min_records=2, max_records=14, max_sensitive=0),
    wording=st.sampled_from(["k-anonymity:k=2", "k-anonymity:k=3"]),
    method=st.sampled_from(["predictive", "predictive:boost=0.4", "predictive:variant=simple", "none"]),
)
def test_what_is_published_is_what_is_published_from_memory(
    backend, tmp_path_factory, data: Ratings, wording: str, method: str
) -> None:
    folder, chance = tmp_path_factory.mktemp("release"), Randomness(5, bytes(range(32)))
    models, chosen = [promises.read(wording)], methods.read(method)
    schema = schema_of(data, RatingsSchema())
    assert isinstance(schema, RatingsSchema)
    in_memory = made_or_error(lambda: road.publish(data, models, chosen, randomness=chance))
    partitioned, to = ratings_by_user(partitioned_ratings(data, backend)), Destination(folder, None)
    made = made_or_error(lambda: publish_ratings(partitioned, schema, {}, models, chosen, to, randomness=chance))
    if isinstance(in_memory, str) or isinstance(made, str):
        assert made == in_memory
        return
    expected, ledger = in_memory
    assert isinstance(expected.records, Ratings)
    assert made.certificate == replace(expected.certificate, engine="stream")
    assert made.group_sizes == dict(ledger.group_sizes)
    assert dict(made.report) == pytest.approx(dict(ledger.report))
    found = read_release(folder).records
    assert isinstance(found, Ratings)
    assert _profiles(found) == _profiles(expected.records)
    assert verify(folder).holds
    judged = judge_released(_on_disk(folder, backend), models)
    in_memory = judge(found, models, LocalEngine())
    assert judged.n_groups == in_memory.n_groups
    assert [_plain(each) for each in judged.verdicts] == [_plain(each) for each in in_memory.verdicts]


def _on_disk(folder: Path, backend: StreamBackend) -> PartitionedRatings | ReleasedRatings:
    schema = read_schema(folder / "schema.toml")
    assert isinstance(schema, RatingsSchema)
    file = open_long(folder / "data", schema)
    assert file is not None
    records = read_partitioned_ratings(file, long_layout(file, schema), backend)
    return records if schema.people is None else ReleasedRatings(records, people_by_record(folder / "people.csv"))


def _plain(verdict: Verdict) -> tuple:
    return verdict.promise, verdict.holds, dict(verdict.level), verdict.violations, verdict.remarks


def _profiles(ratings: Ratings) -> Counter:
    """Return the records without their pseudonyms, with how many people they stand for."""
    dense, items = ratings.observable.dense(), ratings.observable.items.values.cast(str).to_list()
    people = [1] * len(ratings) if ratings.people is None else ratings.people.tolist()
    return Counter(
        (frozenset((item, code) for item, code in zip(items, line, strict=True) if code >= 0), number)
        for line, number in zip(dense.tolist(), people, strict=True)
    )


def _lost(rows: pl.DataFrame) -> pl.DataFrame:
    return rows[1:]


def _twice(rows: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([rows, rows[:1]])


@pytest.mark.parametrize(("method", "spoil"), [("none", _lost), ("predictive", _lost), ("predictive", _twice)])
def test_nothing_is_published_where_a_user_is_lost_or_comes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, spoil: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    shuffle, first = Streamed.shuffle, list[int]()

    def spoil_once(part: pl.DataFrame, number: int) -> pl.DataFrame:
        first.extend([] if first or not part.height else [number])
        return spoil(part) if first == [number] else part

    def spoiled(rows: Streamed, by: str, n: int, said: str) -> Streamed:
        made = shuffle(rows, by, n, said)
        return made.map_partitions(spoil_once, made.columns) if said == "shuffling records" else made

    monkeypatch.setattr(Streamed, "shuffle", spoiled)
    films, to = generate_ratings(60, 20, 500, seed=3), Destination(tmp_path / "release", None)
    to.release.mkdir()
    schema = schema_of(films, RatingsSchema())
    assert isinstance(schema, RatingsSchema)
    models = [] if method == "none" else [promises.read("k-anonymity:k=5")]
    with StreamBackend(tmp_path / "spill", 1 << 24, threads=1) as backend:
        whole = ratings_by_user(partitioned_ratings(films, backend))
        with pytest.raises(InternalError, match="lost or written twice"):
            publish_ratings(whole, schema, {}, models, methods.read(method), to)
    assert first, "something was spoiled"
    assert not (to.release / "certificate.json").exists()
