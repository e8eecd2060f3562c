"""Weights, households and strata of a sample, as they are read and published."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.data import Column, Microdata, Role
from shoal.errors import DataError, SchemaError
from shoal.io import Source
from shoal.io.schemas import ColumnSchema, TableSchema
from shoal.io.tables.sample_columns import weight_classes

_ROLES = {"id": "identifier", "age": "quasi-identifier", "region": "stratum", "hid": "household", "wgt": "weight"}


def schema(**settings: Any) -> TableSchema:
    return TableSchema(columns={name: ColumnSchema(role=Role(role)) for name, role in _ROLES.items()}, **settings)


def written(folder: Path, rows: list[tuple[object, ...]]) -> Path:
    path = folder / "sample.csv"
    pl.DataFrame(rows, schema=list(_ROLES), orient="row").write_csv(path)
    return path


def sample(folder: Path) -> Path:
    return written(folder, [(i, 20 + i % 4, "north" if i % 3 else "south", i // 2, 1.5 + i % 7) for i in range(60)])


def test_each_role_is_read(tmp_path: Path) -> None:
    source = shoal.read(sample(tmp_path), schema())
    table = source.records
    assert isinstance(table, Microdata)
    assert table.weights is not None
    assert table.weights.tolist() == [1.5 + i % 7 for i in range(60)]
    assert table.households is not None
    assert len(np.unique(table.households)) == 30
    assert [column.name for column in table.observable] == ["age", "region"]
    assert [column.name for column in table.quasi_identifiers] == ["age"]
    assert any("add up to 264" in note for note in source.notes)
    assert any("30 households" in note for note in source.notes)


@pytest.mark.parametrize("weight", [0, -1, 1e16])
def test_weights_are_positive(tmp_path: Path, weight: float) -> None:
    with pytest.raises(DataError, match="1 weights"):
        shoal.read(written(tmp_path, [(1, 20, "a", 1, weight), (2, 21, "a", 1, 3)]), schema())


def test_weights_are_numbers(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="numbers"):
        shoal.read(written(tmp_path, [(1, 20, "a", 1, "many"), (2, 21, "a", 1, "few")]), schema())


@pytest.mark.parametrize("at", [2, 3, 4])
def test_no_record_is_without_its_stratum_household_or_weight(tmp_path: Path, at: int) -> None:
    row: list[object] = [2, 21, "a", 1, 3]
    row[at] = None
    with pytest.raises(DataError, match="1 records have no value"):
        shoal.read(written(tmp_path, [(1, 20, "a", 1, 2), tuple(row)]), schema())


@pytest.mark.parametrize("role", ["weight", "household"])
def test_a_sample_has_one_column_of_weights_and_one_of_households(role: str) -> None:
    columns = {name: ColumnSchema(role=Role(role)) for name in ("one", "other")}
    with pytest.raises(SchemaError, match=f"only one column can have the role {role}"):
        TableSchema(columns=columns)


def test_classes_of_weights_need_weights() -> None:
    with pytest.raises(SchemaError, match="weight_classes"):
        TableSchema(columns={"age": ColumnSchema(role=Role.QUASI_IDENTIFIER)}, weight_classes=3)


@pytest.mark.parametrize("role", ["weight", "household", "stratum"])
def test_how_a_sample_was_drawn_is_never_generalized(role: str) -> None:
    with pytest.raises(SchemaError, match="has no hierarchy"):
        TableSchema(columns={"age": {"role": role, "hierarchy": {"kind": "mask"}}})  # type: ignore[dict-item]


@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=60), st.integers(1, 8))
def test_classes_of_weights_are_few_ordered_and_keep_the_total(weights: list[float], number: int) -> None:
    column = Column.encode("wgt", Role.WEIGHT, pl.Series(weights))
    (made,) = weight_classes([column], number)
    assert made.name == "wgt_class"
    assert made.role is Role.STRATUM
    assert len(made.vocabulary) <= number
    given = sorted(zip(weights, made.values, strict=True))
    assert all(one[1] <= other[1] for one, other in pairwise(given)), "larger weights, higher class"
    assert len(set(given)) == len({weight for weight, _ in given}), "equal weights are in one class"
    assert abs(made.values.to_numpy().sum() - sum(weights)) <= 0.0051 * sum(weights)


def published(source: Source, folder: Path) -> None:
    shoal.publish(source, models=["k-anonymity:k=5"], method="mondrian", out=folder / "out", ledger=folder / "l")


def test_weights_and_households_never_leave(tmp_path: Path) -> None:
    published(shoal.read(sample(tmp_path), schema()), tmp_path)
    assert pl.read_csv(tmp_path / "out" / "data.csv").columns == ["record", "age", "region"]
    assert shoal.verify(tmp_path / "out").holds
    names = {finding.attack for finding in shoal.attack(tmp_path / "out", tmp_path / "l").findings}
    assert "sample-risk:threshold=0.09" in names
    alone = shoal.attack(tmp_path / "out")
    assert "ledger" in alone.reasons["sample-risk:threshold=0.09"]


def test_weights_are_published_in_classes_where_asked(tmp_path: Path) -> None:
    asked = schema(weight_classes=2)
    published(shoal.read(sample(tmp_path), asked), tmp_path)
    data = pl.read_csv(tmp_path / "out" / "data.csv")
    assert data.columns == ["record", "age", "region", "wgt_class"]
    assert data["wgt_class"].n_unique() == 2
    assert data.group_by("age", "region", "wgt_class").len()["len"].to_numpy().min() >= 5
    assert shoal.verify(tmp_path / "out", ledger=tmp_path / "l").holds
    certificate = json.loads((tmp_path / "out" / "certificate.json").read_text())
    assert certificate["promises"][0]["level"]["k"] >= 5


def test_names_suggest_how_a_sample_was_drawn(tmp_path: Path) -> None:
    columns = {column["name"]: column for column in shoal.describe(sample(tmp_path)).columns}
    for name, role in (("hid", "household"), ("wgt", "weight")):
        assert role in [each["role"] for each in columns[name]["suggested_roles"]]
    assert [each["role"] for each in columns["age"]["suggested_roles"]] == ["quasi-identifier"]


def test_weights_scaled_to_the_sample_are_not_said_to_be_of_a_population(tmp_path: Path) -> None:
    path = tmp_path / "scaled.csv"
    path.write_text("age,wgt\n" + "".join(f"{20 + row},{0.5 + row % 2}\n" for row in range(10)))
    roles = {"age": {"role": "quasi-identifier"}, "wgt": {"role": "weight"}}
    notes = shoal.read(path, {"kind": "table", "columns": roles}).notes
    assert any(
        "of 10 records add up to 10: weights that are scaled to the size of the sample" in note for note in notes
    )
    assert not any("a sample of about" in note for note in notes)
