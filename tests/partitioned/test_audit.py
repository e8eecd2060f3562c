"""The audit of insensitive columns objects to the same columns, for the same reasons, wherever the records are."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.backends.stream import StreamBackend
from shoal.column_audit import Objection, audit_columns
from shoal.data import Column, Hierarchy, Microdata, Role
from shoal.engines import LocalEngine
from shoal.partitioned import partitioned
from shoal.partitioned.audit import audit_release
from shoal.partitioned.generalization import generalized
from shoal.partitioned.kept_rows import RowsOfGroups, grouped_rows
from shoal.partitioned.label_uses import label_uses
from shoal.partitioned.write_parts import DRAWN

QI, INSENSITIVE = Role.QUASI_IDENTIFIER, Role.INSENSITIVE


class _SomeGroups(StreamBackend):
    """Works in little memory, and yet brings many groups here."""

    most = 1 << 20

    @property
    def most_groups(self) -> int:
        return self.most


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_SomeGroups]:
    folder: Path = tmp_path_factory.mktemp("backend") / "spill"
    with _SomeGroups(folder, 1_000_000, threads=1) as backend:
        yield backend


def table_of(seed: int) -> tuple[Microdata, tuple[int, ...], int]:
    """Return a table whose insensitive columns have to do with its quasi-identifiers in many ways, a node, and k."""
    chance = np.random.default_rng(seed)
    n = int(chance.choice([40, 200, 700, 1_500]))
    known = [chance.integers(0, int(chance.choice([2, 5, 12, 40, 90])), n) for _ in range(int(chance.integers(1, 5)))]
    read = [told(chance, known, n) for _ in range(int(chance.integers(1, 4)))]
    if len(read) > 2:
        read[-1] = (read[0] + read[1]) % 5
    columns = [quasi_identifier(chance, f"q{i}", values) for i, values in enumerate(known)]
    columns += [Column.encode(f"c{i}", INSENSITIVE, pl.Series(values)) for i, values in enumerate(read)]
    persons = chance.integers(0, max(2, n // 2), n) if chance.random() < 0.4 else None
    node = tuple(int(chance.integers(0, each.hierarchy.height + 1)) for each in columns if each.hierarchy is not None)
    order = chance.permutation(len(columns))
    return Microdata(tuple(columns[i] for i in order), persons), node, int(chance.choice([2, 3, 5]))


def told(chance: np.random.Generator, known: list[np.ndarray], n: int) -> np.ndarray:
    one, other = (known[int(chance.integers(0, len(known)))] for _ in range(2))
    ways = [
        chance.integers(0, 4, n),
        one // 3,
        one,
        np.where(chance.random(n) < 0.03, chance.integers(0, 30, n), one),
        one + chance.integers(-2, 3, n),
        (one + 7 * chance.integers(0, 2, n)) % 13,
        np.where(other == other.max(), one, chance.integers(0, 9, n)),
        (one + other) % 7,
        ((one > 5) & (other < 3)).astype(np.int64),
    ]
    return ways[int(chance.integers(0, len(ways)))]


def quasi_identifier(chance: np.random.Generator, name: str, values: np.ndarray) -> Column:
    outside = pl.Series(values) if chance.random() < 0.5 else pl.Series(values).cast(pl.String)
    column = Column.encode(name, QI, outside)
    codes = np.arange(len(column.vocabulary))
    levels = [column.vocabulary.values, *(pl.Series([f"{code // width}" for code in codes]) for width in (3, 9))]
    return column.with_hierarchy(Hierarchy.from_columns([*levels, pl.Series(["*"] * len(codes))]))


def in_memory(table: Microdata, node: tuple[int, ...], k: int) -> tuple[Objection, ...]:
    levels = iter(node)
    columns = [
        column.recoded(column.hierarchy.labels[level], column.hierarchy.generalized(column.codes, level))
        for column in table.quasi_identifiers
        for level in [next(levels)]
        if column.hierarchy is not None
    ]
    published = replace(table, persons=None).replaced(tuple(columns))
    return audit_columns(published, table, LocalEngine().group(published), k)


class _Numbered:
    """Draws numbers that keep the order of records, so that the first ones are a sample of them in memory too."""

    def __init__(self, table: Microdata) -> None:
        self.table = table

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        step = (1 << 60) // len(self.table)
        return rows.with_columns((pl.col("nothing") * step).cast(pl.UInt64).alias(DRAWN)).drop("nothing")


def elsewhere(table: Microdata, node: tuple[int, ...], k: int, backend: StreamBackend) -> tuple[Objection, ...]:
    number = Column.encode("nothing", INSENSITIVE, pl.Series(np.arange(len(table))))
    made = partitioned(replace(table, columns=(*table.columns, number)), backend)
    columns = {name: dtype for name, dtype in made.rows.columns.items() if name != f"c{len(table.columns)}"}
    renamed = made.rows.map_batches(
        _Renamed(f"c{len(table.columns)}"), {**columns, "nothing": pl.UInt64()}
    ).map_batches(_Numbered(table), {**columns, DRAWN: pl.UInt64()})
    labeled = generalized(replace(made, columns=made.columns[:-1], rows=renamed), node)
    grouped = RowsOfGroups(labeled.layout(sensitive=False), labeled.labeling, ())
    kept = grouped_rows(renamed, backend.shared(grouped), len(table)).persist("keeping")
    uses = label_uses(kept, labeled)
    leaving = labeled.leaving(kept, [use.records for use in uses])
    return audit_release(replace(leaving, n_people=table.n_people), uses, grouped, k)


class _Renamed:
    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.with_columns(pl.col(self.name).cast(pl.UInt64).alias("nothing")).drop(self.name)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_same_columns_are_objected_to_for_the_same_reasons(backend, seed: int) -> None:
    table, node, k = table_of(seed)
    assert elsewhere(table, node, k, backend) == in_memory(table, node, k)
