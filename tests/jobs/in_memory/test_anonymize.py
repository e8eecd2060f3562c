"""A frame in, a frame out: what leaves is what publishing would have written, and nothing of the originals."""

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal.errors import AuditRefused, FileError, PromiseNotKept, SchemaError, VacuousPromise, WordingError
from shoal.jobs.in_memory.release import Release

ROWS = 240
SCHEMA = {
    "name": "identifier",
    "age": "quasi-identifier",
    "sex": "quasi-identifier",
    "disease": "sensitive",
    "visits": "insensitive",
    "again": "insensitive",
}
SETTINGS: dict[str, Any] = {"models": "k-anonymity:k=5", "method": "mondrian"}


def people() -> pl.DataFrame:
    drawn = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "name": pl.Series([f"Quasimodo{i}" for i in range(ROWS)], dtype=pl.Categorical),
            "age": pl.Series(drawn.integers(20, 60, ROWS), dtype=pl.Int8),
            "sex": pl.Series(drawn.choice(["m", "f"], ROWS), dtype=pl.Enum(["f", "Esmeralda", "m"])),
            "disease": pl.Series(drawn.choice(["flu", "cold"], ROWS), dtype=pl.Categorical),
            "visits": pl.Series(drawn.integers(0, 2, ROWS), dtype=pl.UInt16),
            "again": pl.Series(drawn.integers(0, 2, ROWS), dtype=pl.Boolean),
        }
    )


def ratings() -> pl.DataFrame:
    drawn = np.random.default_rng(4)
    shape = (60, 6)
    users, items = (each.ravel() for each in np.indices(shape))
    kept = drawn.random(users.shape) < 0.7
    return pl.DataFrame(
        {
            "who": pl.Series(users[kept] + 1000, dtype=pl.Int32),
            "what": pl.Series([f"film {item}" for item in items[kept]], dtype=pl.Categorical),
            "stars": pl.Series(drawn.integers(1, 6, int(kept.sum())), dtype=pl.Int8),
        }
    )


LONG = {"layout": "long", "user": "who", "item": "what", "rating": "stars", "scale": [1, 5]}


def survey() -> tuple[pl.DataFrame, dict[str, object]]:
    wide = ratings().cast({"what": pl.String}).pivot("what", index="who", values="stars")
    return wide, {"layout": "wide", "id": ["who"], "scale": [1, 5]}


CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "table": (people(), SCHEMA, SETTINGS),
    "long": (ratings(), LONG, {"models": "k-anonymity:k=2", "method": "predictive", "accept": "empty"}),
    "wide": (*survey(), {"models": "k-epsilon:k=2,epsilon=1", "method": "align"}),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("held", ["polars", "pandas", "arrow"])
def test_it_is_what_publishing_would_have_written(tmp_path, case, held):
    frame, schema, settings = CASES[case]
    given = {"polars": frame, "pandas": frame.to_pandas(), "arrow": frame.to_arrow()}[held]
    shoal.publish(given, schema=schema, out=tmp_path / "r", ledger=tmp_path / "l", seed=3, **settings)
    written = shoal.open_release(tmp_path / "r")
    release, _ = shoal.anonymize(given, schema, seed=3, secret=tmp_path / "l" / "secret.txt", ledger=True, **settings)
    assert release.certificate == written.certificate
    assert release.schema.to_toml() == written.schema.to_toml()
    assert_frame_equal(release.to_polars(), written.to_polars())
    release.save(tmp_path / "again")
    for file in ("data.parquet", "schema.toml", "certificate.json"):
        assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "r" / file).read_bytes()


def test_columns_come_back_as_they_were():
    frame = people()
    release, _ = shoal.anonymize(frame, SCHEMA, ledger=True, **SETTINGS)
    back = release.to_polars()
    assert dict(back.schema) == {
        "record": pl.String,
        "age": pl.String,  # ages are intervals now
        "sex": pl.Enum(["f", "m"]),  # in their order, and only those that occur
        "disease": pl.Categorical,
        "visits": pl.UInt16,
        "again": pl.Boolean,
    }
    kept = ["disease", "visits", "again"]
    counts = [each.cast({"disease": pl.String}).group_by(kept).len().sort(kept) for each in (frame, back)]
    assert_frame_equal(*counts, check_column_order=False)


def test_ratings_come_back_in_their_layout_and_types():
    frame, schema, settings = CASES["long"]
    long = shoal.anonymize(frame, schema, ledger=True, **settings)[0].to_polars()
    assert long.columns == ["who", "what", "stars"]
    assert long.schema["what"] == pl.Categorical
    frame, schema, settings = CASES["wide"]
    wide = shoal.anonymize(frame, schema, ledger=True, **settings)[0].to_polars()
    assert set(wide.columns) == set(frame.columns)
    assert {wide.schema[name] for name in wide.columns if name != "who"} <= {pl.Int8, pl.Float64}


def test_pandas_gets_its_own_types_back():
    frame = pd.DataFrame(
        {
            "age": np.repeat(np.arange(20, 24), 10).astype("int16"),
            "level": pd.Categorical(["low", "high"] * 20, categories=["low", "mid", "high"], ordered=True),
            "kind": pd.Categorical(["a", "b"] * 20),
            "count": pd.array([1, None] * 20, dtype="Int32"),
            "gaps": [1.0, np.nan] * 20,
            "text": ["x", None] * 20,
            "flag": pd.array([True, None] * 20, dtype="boolean"),
            "day": pd.to_datetime(["2024-01-01", "2024-01-02"] * 20),
            "zone": pd.to_datetime(["2024-01-01", "2024-01-02"] * 20).tz_localize("Europe/Berlin"),
        }
    )
    schema = {"age": "quasi-identifier", **dict.fromkeys(frame.columns[1:], "insensitive")}
    release = shoal.anonymize(frame, schema, "k-anonymity:k=5", method="none")
    back = release.to_pandas().drop(columns="record")
    order = ["age", "level"]
    expected = frame.assign(level=frame["level"].cat.remove_unused_categories()).sort_values(order)
    pd.testing.assert_frame_equal(back.sort_values(order, ignore_index=True), expected.reset_index(drop=True))
    assert release.to_arrow().num_rows == 40
    assert release.to_pandas().index.equals(pd.RangeIndex(40))


def test_nothing_of_the_originals_travels_with_a_release(tmp_path):
    frame = people().with_columns(pl.col("disease").cast(pl.Enum(["flu", "cold", "Frollo"])))
    release, ledger = shoal.anonymize(frame, SCHEMA, ledger=True, **SETTINGS)
    shown = pickle.dumps(release) + f"{release!r}{release}{ledger!r}".encode() + release.to_arrow().schema.serialize()
    release.save(tmp_path / "r")
    for each in (tmp_path / "r").iterdir():
        shown += each.read_bytes()
    for secret in (b"Quasimodo", b"Esmeralda", b"Frollo", ledger.truth.secret):
        assert secret is not None
        assert secret not in shown
    again = pickle.loads(pickle.dumps(release))
    assert_frame_equal(again.to_polars(), release.to_polars())


def test_items_that_only_withheld_people_rated_do_not_travel():
    alike = pl.DataFrame(
        {"user": [1, 1, 2, 2, 3], "item": ["a", "b", "a", "b", "Quasimodo"], "rating": [5, 1, 5, 1, 5]}
    )
    release = shoal.anonymize(alike, None, "k-anonymity:k=2", method="none", withhold="40%")
    assert b"Quasimodo" not in pickle.dumps(release)
    assert set(release.to_polars()["item"]) == {"a", "b"}


def test_the_owner_measures_and_attacks_without_folders(tmp_path):
    release, ledger = shoal.anonymize(people(), SCHEMA, ledger=True, **SETTINGS)
    release.save(tmp_path / "r", format="csv")
    ledger.save(tmp_path / "l", tmp_path / "r")
    folders = tmp_path / "r", tmp_path / "l"
    assert shoal.verify(*folders).holds
    assert shoal.verify(release, ledger).holds
    assert shoal.measure(release, ledger).measures == shoal.measure(*folders).measures
    assert shoal.attack(release, ledger).to_json() == shoal.attack(*folders).to_json()
    assert shoal.report(release, ledger, tmp_path / "page.html").holds
    assert shoal.lookup(release, people().head(1)).compared == 2
    with pytest.raises(FileError, match=r"ledger must be in|exists|already"):
        ledger.save(tmp_path / "l", tmp_path / "r")


def test_a_ledger_is_not_saved_for_the_release_of_another(tmp_path):
    release, _ = shoal.anonymize(people(), SCHEMA, ledger=True, **SETTINGS)
    _, other = shoal.anonymize(people(), SCHEMA, ledger=True, **SETTINGS)
    release.save(tmp_path / "r")
    with pytest.raises(FileError, match="was not made with this ledger"):
        other.save(tmp_path / "l", tmp_path / "r")
    assert not (tmp_path / "l").exists()


def test_it_refuses_what_publishing_refuses():
    with pytest.raises(PromiseNotKept):
        shoal.anonymize(people(), SCHEMA, "k-anonymity:k=5", method="none")
    with pytest.raises(AuditRefused):
        shoal.anonymize(people(), {**SCHEMA, "name": "insensitive"}, **SETTINGS)
    with pytest.raises(VacuousPromise):
        shoal.anonymize(survey()[0], survey()[1], "k-epsilon:k=2,epsilon=9", method="none")
    with pytest.raises(WordingError, match="at least one promise"):
        shoal.anonymize(people(), SCHEMA)
    with pytest.raises(SchemaError):
        shoal.anonymize(people(), {"age": "quasi-identifier"}, "k-anonymity:k=5")
    with pytest.raises(WordingError, match="withhold"):
        shoal.anonymize(people(), SCHEMA, "k-anonymity:k=5", withhold="a lot")


def test_records_of_several_people_state_their_number():
    frame = people().with_columns(name=pl.Series([f"p{i // 2}" for i in range(ROWS)]))
    schema = {"columns": SCHEMA, "person": "name"}
    release, ledger = shoal.anonymize(frame, schema, ledger=True, **SETTINGS)
    assert release.states_people
    assert shoal.verify(release, ledger).holds


def test_the_owner_is_warned_where_there_is_no_ledger_to_say_it():
    coarse: dict[str, Any] = {"models": "k-anonymity:k=100", "method": "mondrian", "accept": ["visits", "again"]}
    with pytest.warns(UserWarning, match="Less than 50 %"):
        shoal.anonymize(people(), SCHEMA, **coarse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, ledger = shoal.anonymize(people(), SCHEMA, ledger=True, **coarse)
    assert any("Less than 50 %" in warning for warning in ledger.warnings)


def test_what_was_published_is_had_as_a_frame(tmp_path):
    result = shoal.publish(people(), schema=SCHEMA, out=tmp_path / "r", **SETTINGS)
    assert isinstance(result.data(), Release)
    assert result.data().to_pandas()["sex"].cat.ordered
    (tmp_path / "r" / "data.parquet").write_bytes(b"")
    with pytest.raises(FileError, match="altered"):
        result.data()


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["Esmeralda of Paris", "north", "south"])])
@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive"])
def test_what_is_withheld_is_not_beneath_missing_values_either(dtype, role):
    places = ["Esmeralda of Paris", *[None, "north", "south"] * 8]
    frame = pl.DataFrame({"place": pl.Series(places, dtype=dtype), "sex": ["m", *["f"] * 24]})
    schema = {"place": role, "sex": "quasi-identifier"}
    release = shoal.anonymize(frame, schema, "k-anonymity:k=5", method="none", withhold="10%")
    assert set(release.to_polars()["place"]) == {None, "north", "south"}
    for leaves in (release, release.to_polars(), release.to_pandas(), release.to_arrow()):
        assert b"Esmeralda" not in pickle.dumps(leaves)


@pytest.mark.parametrize("schema", [LONG, {**LONG, "sensitive": ["film 1"]}])
def test_of_items_that_nobody_rates_any_more_nothing_is_left(schema):
    rated = ratings().filter(pl.col("what").is_in(["film 0", "film 1"])).with_columns(pl.col("what").cast(pl.String))
    rated = rated.unique("who").with_columns(stars=pl.lit(3, pl.Int8))
    alone = pl.DataFrame({"who": [1], "what": ["Esmeralda of Notre-Dame de Paris"], "stars": [1]}, rated.schema)
    release = shoal.anonymize(
        pl.concat([rated, alone]), schema, "k-anonymity:k=2", method="none", withhold="10%", accept="vacuous"
    )
    assert release.certificate.records == rated.height
    for leaves in (release, release.to_polars(), release.to_arrow()):
        assert b"Esmeralda" not in pickle.dumps(leaves)


def test_a_survey_with_demographics_is_one_frame_where_a_line_is_a_person(tmp_path):
    drawn = np.random.default_rng(5)
    frame = pl.DataFrame({"who": [f"Quasimodo{i}" for i in range(60)], "age": drawn.choice([20, 30], 60)})
    frame = frame.with_columns(pl.Series(f"q{i}", drawn.integers(1, 3, 60)) for i in range(3))
    schema = {
        "kind": "ratings", "layout": "wide", "scale": [1, 2], "id": ["who"], "items": ["q0", "q1", "q2"],
        "columns": {"age": "quasi-identifier"},
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # little is left of so few people
        release = shoal.anonymize(frame, schema, "k-anonymity:k=5")
    published = release.to_polars()
    counts = published.group_by("age", "q0", "q1", "q2").len()["len"]
    assert published.height == 60
    assert (counts >= 5).all()
    release.save(tmp_path / "release")
    assert shoal.verify(tmp_path / "release").holds
    assert_frame_equal(shoal.open_release(tmp_path / "release").to_polars(), published)
