"""Ratings published where they are: release and ledger as from memory, proof-read on disk, refused with a reason."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.data import Ratings
from shoal.errors import FileError, GuaranteeError, InputError, WordingError
from shoal.io.folders.ledger import read_ledger
from shoal.io.folders.release import read_release
from shoal.jobs.verify import verify

_K = ["k-anonymity:k=4"]
_LITTLE = "200KiB"
"""So little memory that the ratings make several partitions and parts."""


@pytest.fixture(params=["numbers", "names"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    rng = np.random.default_rng(4)
    users, items = rng.integers(-3, 120, 1500), rng.integers(0, 25, 1500)
    frame = pl.DataFrame({"user": users, "item": items, "rating": rng.integers(1, 6, 1500)}).unique(["user", "item"])
    if request.param == "names":
        frame = frame.with_columns(pl.format("ü-{}", "user").alias("user"), pl.format("item {}", "item").alias("item"))
    frame.sample(fraction=1, shuffle=True, seed=1).write_csv(tmp_path / "ratings.csv")
    return tmp_path / "ratings.csv"


def test_what_is_published_on_disk_is_a_release_like_any_other(file: Path, tmp_path: Path) -> None:
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    made = shoal.publish(file, models=_K, method="predictive", out=out, ledger=ledger, engine="stream", memory=_LITTLE)
    local = shoal.publish(file, models=_K, method="predictive", out=tmp_path / "local")
    assert made.records_in == local.records_in == made.records_out
    assert made.kept.split(":")[0] == local.kept.split(":")[0]
    assert len([*(out / "data").iterdir()]) > 1
    assert not [*out.rglob(".*")]
    for engine in ("local", "stream"):
        assert verify(out, engine=engine, memory=_LITTLE).holds
    assert verify(out, ledger).holds


def test_a_ledger_in_parts_links_profiles_to_their_people(file: Path, tmp_path: Path) -> None:
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    shoal.publish(file, models=_K, method="predictive", out=out, ledger=ledger, engine="stream", memory=_LITTLE)
    kept, released, original = read_ledger(ledger), read_release(out).records, shoal.read(file).records
    assert isinstance(kept.original, Ratings)
    assert isinstance(released, Ratings)
    assert isinstance(original, Ratings)
    assert kept.original.users.values.to_list() == original.users.values.to_list()
    assert np.array_equal(kept.original.observable.codes, original.observable.codes)
    assert np.array_equal(kept.original.observable.indices, original.observable.indices)
    assert sorted(kept.links["row"].to_list()) == list(range(len(original)))
    named = original.users.take(kept.links["row"].to_numpy()).cast(pl.String).to_list()
    assert kept.links["user"].to_list() == named
    people = kept.links.group_by("pseudonym").len().sort("pseudonym")
    stated = pl.DataFrame({"pseudonym": released.users.values, "len": released.people}).sort("pseudonym")
    assert people["pseudonym"].to_list() == stated["pseudonym"].to_list()
    assert people["len"].to_list() == stated["len"].to_list()


def test_ratings_that_keep_a_promise_are_published_as_they_are(tmp_path: Path) -> None:
    lines = [(user, item, 1 + (item + user // 3) % 5) for user in range(30) for item in range(6)]
    frame = pl.DataFrame(lines, schema=["user", "item", "rating"], orient="row")
    frame.write_csv(tmp_path / "ratings.csv")
    schema, out = {"scale": [1, 5], "kind": "ratings"}, tmp_path / "release"
    models = ["k-anonymity:k=3", "k-epsilon:k=3,epsilon=1", "km-anonymity:k=3,m=1"]
    shoal.publish(tmp_path / "ratings.csv", schema, models, method="none", out=out, engine="stream", memory="20KiB")
    published = pl.read_parquet(out / "data")
    assert published["user"].n_unique() == 30
    assert not set(published["user"]) & set(map(str, range(30)))
    assert sorted(published.select("item", "rating").rows()) == sorted(frame.select("item", "rating").rows())
    for engine in ("local", "stream"):
        assert verify(out, engine=engine, memory="20KiB").holds
    with pytest.raises(GuaranteeError):
        shoal.publish(
            tmp_path / "ratings.csv", schema, ["k-anonymity:k=7"], method="none", out=tmp_path / "b", engine="stream"
        )
    assert not (tmp_path / "b").exists()


def test_a_harmed_release_is_refused_wherever_it_is_verified(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    shoal.publish(file, models=_K, method="predictive", out=out, engine="stream", memory=_LITTLE)
    part = next((out / "data").iterdir())
    part.write_bytes(part.read_bytes() + b"x")
    for engine in ("local", "stream"):
        with pytest.raises(FileError, match="altered"):
            verify(out, engine=engine)


def test_numbers_of_people_that_do_not_fit_are_refused_on_disk(file: Path, tmp_path: Path) -> None:
    from shoal.io.folders.certificate_file import file_sha256

    out = tmp_path / "release"
    shoal.publish(file, models=_K, method="predictive", out=out, engine="stream", memory=_LITTLE)
    lines, before = (out / "people.csv").read_text().splitlines(), file_sha256(out / "people.csv")
    for harmed in (
        lines[:-1],
        [*lines, "nobody,4"],
        [*lines[:-1], lines[-1].split(",")[0] + ",1"],
        [*lines, lines[-1]],
    ):
        (out / "people.csv").write_text("\n".join(harmed) + "\n")
        certificate = (out / "certificate.json").read_text()
        changed = file_sha256(out / "people.csv")
        (out / "certificate.json").write_text(certificate.replace(before, changed))
        before = changed
        for engine in ("local", "stream"):
            assert not _holds(out, engine)


def _holds(folder: Path, engine: str) -> bool:
    try:
        return verify(folder, engine=engine).holds  # type: ignore[arg-type]
    except InputError:
        return False


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"method": "align"}, "align"),
        ({"method": "graph"}, "graph"),
        ({"method": "predictive:variant=padded"}, "padded"),
        ({"method": "predictive", "seed": 1}, "seed"),
        ({"method": "predictive", "format": "csv"}, "Parquet"),
        ({"method": "predictive", "expand": True}, "expand"),
        ({"method": "none", "withhold": "2%"}, "withhold"),
        ({"method": "predictive", "models": ["k-epsilon:k=3,epsilon=1"]}, "k-anonymity"),
        ({"method": "predictive", "models": ["b-l-diversity:b=1,l=2"]}, "compares every profile"),
        ({"method": "none", "models": ["k-epsilon:k=3,epsilon=1,semantics=partition"]}, "neighborhood"),
        ({"method": "predictive", "accept": ["nothing"]}, "accept"),
    ],
)
def test_what_is_done_in_memory_alone_is_refused_with_the_reason(tmp_path: Path, settings: dict, why: str) -> None:
    lines = [(user, item, 1 + (item * user) % 5) for user in range(20) for item in range(6)]
    pl.DataFrame(lines, schema=["user", "item", "rating"], orient="row").write_csv(tmp_path / "ratings.csv")
    asked = {"models": _K, **settings}
    with pytest.raises(WordingError, match=why):
        shoal.publish(tmp_path / "ratings.csv", out=tmp_path / "release", engine="stream", **asked)
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize(
    ("method", "memory", "why"), [("predictive", "20KiB", "To group"), ("none", "12KiB", "To number")]
)
def test_users_too_many_for_this_process_are_refused(
    file: Path, tmp_path: Path, method: str, memory: str, why: str
) -> None:
    asked = {"models": _K, "method": method, "engine": "stream", "memory": memory}
    with pytest.raises(InputError, match=why):
        shoal.publish(file, out=tmp_path / "release", **asked)
    assert not (tmp_path / "release").exists()
