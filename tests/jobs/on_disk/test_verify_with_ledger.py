"""A release is compared with its ledger on disk as in memory: ratings, and tables that state numbers of people."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import FileError, WordingError
from shoal.jobs.verify import VerifyResult

_LITTLE = "200KiB"
"""So little memory that there are several partitions."""
_VISITS = {
    "kind": "table",
    "person": "patient",
    "columns": {"patient": "identifier", "age": "quasi-identifier", "disease": "sensitive"},
}


def both(release: Path, ledger: Path, memory: str = _LITTLE) -> VerifyResult:
    """Verify a release in memory and on disk, and return what was found where it is the same."""
    local, streamed = (shoal.verify(release, ledger, engine=each, memory=memory) for each in ("local", "stream"))
    assert (streamed.reasons, streamed.claimed, streamed.notes) == (local.reasons, local.claimed, local.notes)
    assert streamed.holds == local.holds
    assert streamed.to_json()["promises"] == local.to_json()["promises"]
    return streamed


def ratings(folder: Path, *, named: bool) -> Path:
    """Write ratings of which each user's are another's too."""
    lines = [(user, item, 1 + (item + user // 3) % 5) for user in range(60) for item in range(6)]
    frame = pl.DataFrame(lines, schema=["user", "item", "rating"], orient="row")
    if named:
        frame = frame.with_columns(pl.format("ü-{}", "user").alias("user"))
    frame.write_csv(folder / "ratings.csv")
    return folder / "ratings.csv"


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("method", ["none", "predictive"])
def test_ratings_are_compared_with_their_ledger_on_disk_as_in_memory(tmp_path: Path, method: str, named: bool) -> None:
    file, asked = ratings(tmp_path, named=named), {"models": ["k-anonymity:k=3"], "method": method}
    pairs = {engine: (tmp_path / f"of {engine}", tmp_path / f"ledger of {engine}") for engine in ("local", "stream")}
    for engine, (out, ledger) in pairs.items():
        shoal.publish(file, out=out, ledger=ledger, engine=engine, **asked)
        found = both(out, ledger)
        assert found.holds
        assert found.claimed == ()
    (release, ledger), (_, other) = pairs.values()
    assert not both(release, other).holds
    links = pl.read_parquet(ledger / "links.parquet")
    changes = {
        "gone": links[1:],
        "twice": pl.concat([links, links[:3]]),
        "renamed": links.with_columns(
            pl.when(pl.col("row") < 7).then(pl.lit("x")).otherwise("pseudonym").alias("pseudonym")
        ),
        "swapped": links.with_columns(pl.col("pseudonym").reverse()),
    }
    for change, changed in changes.items():
        changed.write_parquet(ledger / "links.parquet")
        assert both(release, ledger).holds == (change == "swapped"), change
    (ledger / "release.sha256").write_text("0" * 64 + "\n")
    assert "The certificate is not the one that was made with the ledger." in both(release, ledger).reasons


def test_a_ledger_of_other_data_or_in_memory_is_refused(tmp_path: Path) -> None:
    file, asked = ratings(tmp_path, named=True), {"models": ["k-anonymity:k=3"], "method": "none"}
    shoal.publish(file, out=tmp_path / "release", ledger=tmp_path / "ledger", **asked)
    visits(40, 1).write_csv(tmp_path / "visits.csv")
    settings = {"schema": _VISITS, "models": ["k-anonymity:k=2"], "method": "lattice"}
    shoal.publish(tmp_path / "visits.csv", out=tmp_path / "table", ledger=tmp_path / "of the table", **settings)
    for pair in (("release", "of the table"), ("table", "ledger")):
        for engine in ("local", "stream"):
            with pytest.raises(FileError, match="different kinds of data"):
                shoal.verify(tmp_path / pair[0], tmp_path / pair[1], engine=engine)
    in_memory = shoal.anonymize(file, **asked, ledger=True)[1]
    with pytest.raises(WordingError, match="This ledger is in memory"):
        shoal.verify(tmp_path / "release", in_memory, engine="stream")
    (tmp_path / "ledger" / "links.parquet").write_bytes(b"no links")
    for engine in ("local", "stream"):
        with pytest.raises(FileError, match="damaged"):
            shoal.verify(tmp_path / "release", tmp_path / "ledger", engine=engine)


def visits(n: int, seed: int) -> pl.DataFrame:
    """Return visits of patients, who may have come several times."""
    chance = np.random.default_rng(seed)
    patients = chance.integers(0, max(2, n // 2), n)
    patients[0] = patients[1]
    diseases = chance.choice(["flu", "cold", "none"], n)
    return pl.DataFrame({"patient": patients, "age": chance.integers(2, 5, n) * 10, "disease": diseases})


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**6),
    promise=st.sampled_from(["k-anonymity:k=2", "t-closeness:t=0.9"]),
    text=st.booleans(),
    fault=st.sampled_from(["none", "persons", "persons", "one person", "rows", "apart", "gone", "nobody named"]),
)
def test_people_of_classes_are_counted_on_disk_as_in_memory(tmp_path_factory, seed, promise, text, fault) -> None:
    folder: Path = tmp_path_factory.mktemp("visits")
    frame = visits(40, seed).with_columns(pl.format("p{}" if text else "{}", "patient").alias("patient"))
    frame.write_csv(folder / "visits.csv")
    out, ledger = folder / "out", folder / "ledger"
    shoal.publish(folder / "visits.csv", _VISITS, [promise], out=out, ledger=ledger, method="lattice")
    original, links = ledger / "original.parquet", ledger / "links.parquet"
    truth = pl.read_parquet(original)
    chance = np.random.default_rng(seed + 1)
    if fault == "persons":
        truth.with_columns(truth["patient"].shuffle(seed)).write_parquet(original)
    elif fault == "one person":
        at = int(chance.integers(truth.height))
        patients = pl.concat([truth["patient"][:at], truth["patient"][:1], truth["patient"][at + 1 :]])
        truth.with_columns(patients).write_parquet(original)
    elif fault == "rows":
        pl.read_parquet(links).with_columns(pl.col("row").reverse()).write_parquet(links)
    elif fault == "apart":
        truth.with_columns(pl.int_range(pl.len()).cast(truth["patient"].dtype).alias("patient")).write_parquet(original)
    elif fault == "gone":
        pl.read_parquet(links)[1:].write_parquet(links)
    elif fault == "nobody named":
        schema = ledger / "original.schema.toml"
        told = schema.read_text().replace('role = "identifier"', 'role = "drop"')
        schema.write_text(re.sub(r"person = \[[^]]*\]", 'unit = "record"', told))
        assert 'unit = "record"' in schema.read_text()
    found = both(out, ledger, "20KiB" if promise.startswith("k") else _LITTLE)
    if fault == "none":
        assert found.holds
        assert found.claimed == ()
    if fault in ("apart", "gone", "nobody named"):
        assert not found.holds


def test_a_release_in_parts_that_states_people_is_compared_with_its_ledger_in_parts(tmp_path: Path) -> None:
    visits(400, 3).write_csv(tmp_path / "visits.csv")
    asked = {"schema": _VISITS, "models": ["k-anonymity:k=5", "t-closeness:t=0.9"], "method": "lattice"}
    out, ledger = tmp_path / "out", tmp_path / "ledger"
    shoal.publish(tmp_path / "visits.csv", out=out, ledger=ledger, engine="stream", memory="50KiB", **asked)
    assert len([*(ledger / "links").iterdir()]) > 1
    found = both(out, ledger, "50KiB")
    assert found.holds
    assert found.claimed == ()
