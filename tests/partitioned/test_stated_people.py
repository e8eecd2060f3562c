"""Numbers of people that a release states are read and judged on disk as in memory, and refused there alike."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import DataError, WordingError

_SCHEMA = """kind = "table"
people = "people.csv"
[columns]
record.role = "identifier"
age.role = "quasi-identifier"
zip.role = "quasi-identifier"
disease.role = "sensitive"
"""
_PROMISES = ["k-anonymity:k=2", "l-diversity:l=2", "l-diversity:l=1.5,kind=entropy", "t-closeness:t=0.4"]


@st.composite
def _releases(draw: st.DrawFn) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return records and lines of people, which fit them or not."""
    n = draw(st.integers(2, 14))
    columns = {name: draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n)) for name in ("age", "disease")}
    frame = pl.DataFrame({"record": [f"r{i}" for i in range(n)], "zip": "z", **columns})
    persons = pl.Series(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    lines = _lines(frame, persons, ["age"], None)
    if draw(st.booleans()):
        lines = pl.concat([lines, _lines(frame, persons, ["age", "disease"], "disease")])
    fault = draw(st.sampled_from(["none", "none", "none", "more", "less", "gone", "twice", "nobody", "other"]))
    return frame, _with_fault(lines, fault, draw(st.integers(0, lines.height - 1)))


def _lines(frame: pl.DataFrame, persons: pl.Series, by: list[str], attribute: str | None) -> pl.DataFrame:
    counted = frame.with_columns(persons.alias("person")).group_by(by, maintain_order=True)
    counted = counted.agg(pl.col("record").first(), pl.col("person").n_unique().alias("people"))
    return counted.select("record", pl.lit(attribute, pl.String).alias("attribute"), pl.col("people").cast(pl.Int64))


def _with_fault(lines: pl.DataFrame, fault: str, at: int) -> pl.DataFrame:
    here = pl.int_range(pl.len()) == at
    if fault in ("more", "less"):
        changed = pl.col("people") + (5 if fault == "more" else -1)
        return lines.with_columns(pl.when(here).then(changed).otherwise("people").alias("people"))
    if fault == "gone":
        return lines.filter(~here)
    if fault == "twice":
        return pl.concat([lines, lines[at : at + 1]])
    if fault in ("nobody", "other"):
        name, other = ("record", "r99") if fault == "nobody" else ("attribute", "age")
        return lines.with_columns(pl.when(here).then(pl.lit(other)).otherwise(name).alias(name))
    return lines


@settings(max_examples=60, deadline=None)
@given(release=_releases(), promise=st.sampled_from(_PROMISES))
def test_what_is_stated_is_judged_or_refused_alike(tmp_path_factory, release, promise) -> None:
    folder: Path = tmp_path_factory.mktemp("release")
    frame, lines = release
    frame.write_parquet(folder / "data.parquet")
    lines.write_csv(folder / "people.csv")
    (folder / "schema.toml").write_text(_SCHEMA)
    found = []
    for engine in ("local", "stream"):
        try:
            result = shoal.check(folder / "data.parquet", promise, folder / "schema.toml", engine=engine).to_json()
            found.append({key: result[key] for key in ("holds", "records", "people", "unit", "promises")})
        except (DataError, WordingError) as error:
            found.append(str(error))
    assert found[0] == found[1]


def test_visits_are_published_and_verified_on_disk(tmp_path: Path) -> None:
    chance = np.random.default_rng(3)
    n = 400
    visits = pl.DataFrame(
        {
            "patient": [f"p{i}" for i in chance.integers(0, 150, n)],
            "age": chance.integers(20, 60, n),
            "disease": chance.choice(["flu", "cold", "none"], n),
        }
    )
    visits.write_csv(tmp_path / "visits.csv")
    schema = {
        "kind": "table",
        "person": "patient",
        "columns": {
            "patient": "identifier",
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [5, 20]}},
            "disease": "sensitive",
        },
    }
    made = [
        shoal.publish(
            tmp_path / "visits.csv",
            schema,
            ["k-anonymity:k=5", "t-closeness:t=0.5"],
            method="lattice",
            out=tmp_path / engine,
            ledger=tmp_path / f"ledger of {engine}",
            withhold="5%",
            engine=engine,
        )
        for engine in ("local", "stream")
    ]
    compared = ("records_out", "groups", "cells_changed", "distortion", "loss", "original_and_unique", "group_sizes")
    for name in compared:
        assert getattr(made[0], name) == pytest.approx(getattr(made[1], name)), name
    verified = shoal.verify(tmp_path / "stream", engine="stream")
    assert verified.holds
    assert verified.to_json()["promises"] == shoal.verify(tmp_path / "local").to_json()["promises"]
    with pytest.raises(WordingError, match="published"):
        shoal.publish(
            tmp_path / "stream" / "data",
            tmp_path / "stream" / "schema.toml",
            ["k-anonymity:k=5"],
            method="lattice",
            out=tmp_path / "again",
            engine="stream",
        )
