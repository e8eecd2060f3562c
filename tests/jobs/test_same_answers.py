"""Answers about tables do not depend on the order of rows, on how values are stored, or on levels that nobody has."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracles
import shoal
from shoal import road
from shoal.anonymizers import Mondrian
from shoal.data import Microdata
from shoal.errors import GuaranteeError, InputError
from shoal.io import Source
from shoal.io.folders.release import ReleaseFolder, write_release
from shoal.io.formats import formats
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.models import promises
from shoal.testing import tables

PROMISES = [
    "k-anonymity:k=2",
    "l-diversity:l=2",
    "l-diversity:l=2,kind=entropy",
    "l-diversity:l=1.5,kind=entropy",
    "l-diversity:l=2,kind=recursive,c=1",
    "l-diversity:l=2,kind=recursive,c=5",
    "p-sensitive:k=4,p=2",
    "p-plus-sensitive:k=4,p=2",
    "p-alpha-sensitive:k=4,p=2,alpha=1",
    "p-plus-alpha-sensitive:k=4,p=2,alpha=3/2",
    "t-closeness:t=0.2",
    "t-closeness:t=0.25,distance=ordered",
    "t-closeness:t=0.2,distance=hierarchical",
]
SCHEMA = """
kind = "table"
[columns.age]
role = "quasi-identifier"
[columns.town]
role = "quasi-identifier"
[columns.grade]
role = "sensitive"
type = "number"
categories = [["3", "2"], ["1"], ["0", "7"]]
hierarchy = { kind = "tree", tree = { high = ["2", "3"], low = ["0", "1", "7"], none = [""] } }
"""


def frame(seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    n = 60
    grades = [[0, 1, 2, 3, None][i] for i in chance.choice(5, n, p=[0.35, 0.3, 0.15, 0.1, 0.1])]
    ages = [[30, 40, None][i] for i in chance.integers(0, 3, n)]
    towns = [["Lund", "Ystad", None][i] for i in chance.choice(3, n, p=[0.5, 0.4, 0.1])]
    return pl.DataFrame({"age": ages, "town": towns, "grade": grades})


def answers(path: Path, schema: Path) -> list[Any]:
    published = shoal.check(path, PROMISES, schema)
    return [(verdict.promise, verdict.holds, dict(verdict.level), verdict.violations) for verdict in published.verdicts]


def disguised(data: pl.DataFrame) -> dict[str, pl.DataFrame]:
    towns = pl.Enum(["Nowhere", "Ystad", "Elsewhere", "Lund"])
    return {
        "shuffled.csv": data.sample(fraction=1, shuffle=True, seed=5),
        "backwards.parquet": data.reverse(),
        "sorted.csv": data.sort("grade", nulls_last=True),
        "floats.parquet": data.cast({"age": pl.Float64, "grade": pl.Float64}),
        "small.parquet": data.cast({"age": pl.Int8, "grade": pl.UInt8}),
        "levels.parquet": data.cast({"town": towns}),
        "categories.parquet": data.cast({"town": pl.Categorical}),
        "words.parquet": data.cast({"age": pl.String, "grade": pl.String}),
        "turned.csv": data.select("grade", "town", "age"),
    }


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_the_same_however_a_table_is_told(tmp_path, seed):
    schema = tmp_path / "schema.toml"
    schema.write_text(SCHEMA)
    data = frame(seed)
    data.write_csv(tmp_path / "plain.csv")
    expected = answers(tmp_path / "plain.csv", schema)
    for name, other in disguised(data).items():
        path = tmp_path / name
        if path.suffix == ".csv":
            other.write_csv(path)
        else:
            other.write_parquet(path)
        assert answers(path, schema) == expected, name


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_counting_person_by_person(tmp_path, seed):
    (tmp_path / "schema.toml").write_text(SCHEMA)
    frame(seed).write_csv(tmp_path / "plain.csv")
    records = shoal.read(tmp_path / "plain.csv", tmp_path / "schema.toml").records
    assert isinstance(records, Microdata)
    published = answers(tmp_path / "plain.csv", tmp_path / "schema.toml")
    assert [violations for *_, violations in published] == [
        oracles.violations(records, promises.read(wording)) for wording in PROMISES
    ]


def test_the_answers_are_not_all_alike(tmp_path):
    (tmp_path / "schema.toml").write_text(SCHEMA)
    frame(0).write_csv(tmp_path / "plain.csv")
    violations = {published[3] for published in answers(tmp_path / "plain.csv", tmp_path / "schema.toml")}
    assert len(violations) > 4


def test_a_shuffle_does_not_hide_a_group_of_one_value(tmp_path):
    """The plain case on which others fail: one group of three, all of one value, at the end or in between."""
    (tmp_path / "schema.toml").write_text(
        'kind = "table"\n[columns.group]\nrole = "quasi-identifier"\n[columns.ill]\nrole = "sensitive"\n'
    )
    rows = [("a", "flu"), ("a", "cold"), ("a", "flu"), ("b", "flu"), ("b", "flu"), ("b", "flu")]
    chance = np.random.default_rng(1)
    for _ in range(20):
        order = chance.permutation(len(rows))
        lines = "".join(f"{rows[i][0]},{rows[i][1]}\n" for i in order)
        (tmp_path / "data.csv").write_text("group,ill\n" + lines)
        verdict = shoal.check(tmp_path / "data.csv", ["l-diversity:l=2"], tmp_path / "schema.toml").verdicts[0]
        assert (verdict.holds, dict(verdict.level), verdict.violations) == (False, {"l": 1}, 3)


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("wording", PROMISES)
def test_mondrian_publishes_what_anybody_can_verify(tmp_path, wording, form):
    """Whatever a promise speaks of, categories, an order or a hierarchy, is published with the values."""
    (tmp_path / "schema.toml").write_text(SCHEMA)
    data = pl.concat([frame(3), frame(4)])
    data.write_csv(tmp_path / "plain.csv")
    settings = {"schema": str(tmp_path / "schema.toml"), "out": str(tmp_path / "release"), "format": form}
    shoal.publish(tmp_path / "plain.csv", models=[wording], method="mondrian", **settings)
    verified = shoal.verify(tmp_path / "release")
    assert verified.holds
    assert verified.records == 120
    promised = promises.read(wording)
    reached = verified.verdicts[0].level
    for letter, level in reached.items():
        asked = getattr(promised, letter)
        assert Fraction(str(level)) <= asked if letter == "t" else Fraction(str(level)) >= asked


@settings(max_examples=40, deadline=None)
@given(
    data=tables(min_records=2, others=False),
    form=st.sampled_from(["csv", "parquet"]),
    wording=st.sampled_from([wording for wording in PROMISES if "distance" in wording or "plus" in wording]),
)
def test_what_is_declared_of_any_sensitive_column_is_published_with_it(tmp_path_factory, data, form, wording):
    # a file does not tell an empty word from a missing one
    assume(not any("" in column.vocabulary.values.cast(pl.String).to_list() for column in data.sensitive))
    try:
        release, _ = road.publish(data, [promises.read(wording)], Mondrian())
    except (InputError, GuaranteeError):
        return
    folder = tmp_path_factory.mktemp("release")
    schema = TableSchema(columns={column.name: ColumnSchema(role=column.role) for column in data.columns})
    write_release(ReleaseFolder.of(release, Source(data, schema, (), data.names)), folder, formats.read(form))
    assert shoal.verify(folder).holds
