"""However many records there are, little of them comes into this process."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.anonymizers import methods
from shoal.backends import Scannable
from shoal.backends.stream import StreamBackend
from shoal.backends.stream.streamed import Streamed
from shoal.errors import SchemaError
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, given_schema
from shoal.models import promises
from shoal.partitioned import column_values, judge_partitioned, read_partitioned_table, sums
from shoal.partitioned.column_values import values_of_columns
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination

_SCHEMA = {
    "kind": "table",
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 30]}},
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
        "disease": "sensitive",
        "who": "drop",
        "region": "drop",
    },
}


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of everything that comes into this process from now on."""
    sizes: list[int] = []
    collect = Streamed.collect

    def counting(rows: Streamed, title: str) -> pl.DataFrame:
        found = collect(rows, title)
        sizes.append(int(found.estimated_size()))
        return found

    monkeypatch.setattr(Streamed, "collect", counting)
    return sizes


_WITHOUT_WITHHOLDING = ("mondrian", "top-down:search=0")
_VISITS = {
    "kind": "table",
    "person": "who",
    "columns": {**_SCHEMA["columns"], "who": "identifier", "region": "stratum"},
}


@pytest.mark.parametrize(
    ("job", "schema"),
    [
        *((job, _SCHEMA) for job in ("check", "lattice", "none", *_WITHOUT_WITHHOLDING)),
        *((job, _VISITS) for job in _WITHOUT_WITHHOLDING),
    ],
)
def test_ten_times_the_records_bring_no_more_here(tmp_path: Path, collected: list[int], job: str, schema) -> None:
    sizes, few = [], 2_000 if job.startswith("top-down") else 20_000  # it takes longer
    for n in (few, 10 * few):
        _run(job, n, tmp_path / str(n), schema)
        sizes.append(sum(collected))
        collected.clear()
    assert sizes[1] < 1.5 * sizes[0]
    assert sizes[1] < 200_000, "bytes: less than one a record of the most"


def _run(job: str, n: int, folder: Path, described: dict[str, object]) -> None:
    folder.mkdir()
    schema = given_schema(described)
    assert isinstance(schema, TableSchema)
    models = [promises.read(each) for each in ("k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.9")]
    with _FewGroups(folder / "spill", 1 << 28, threads=1) as backend:
        file = open_data(_people(folder / "people.parquet", n), schema)
        table, schema = read_partitioned_table(file, schema, backend)
        if job == "check":
            judge_partitioned(table, models)
            return
        (folder / "release").mkdir()
        to, share = Destination(folder / "release", None), Fraction(0 if job in _WITHOUT_WITHHOLDING else 1, 2)
        publish_table(table, schema, {}, models, methods.read(job), to, withhold=share)


class _FewGroups(StreamBackend):
    """Brings only tables with few groups here."""

    @property
    def most_groups(self) -> int:
        return 100


def _people(file: Path, n: int) -> Path:
    drawn = np.random.default_rng(7)
    columns = {
        "age": drawn.integers(0, 90, n),
        "zip": drawn.integers(1000, 1100, n).astype(str),
        "disease": drawn.choice(["flu", "asthma", "cancer"], n),
        "who": drawn.integers(0, n // 2, n),
        "region": drawn.choice(["north", "south"], n),
    }
    pl.DataFrame(columns).write_parquet(file, row_group_size=10_000)
    return file


@dataclass
class _Batches:
    """Rows in batches of three."""

    frame: pl.DataFrame
    name = "rows"

    @property
    def rows(self) -> int:
        return self.frame.height

    @property
    def scan(self) -> pl.LazyFrame:
        return self.frame.lazy()

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        yield from self.frame.select(columns).iter_slices(3)


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[StreamBackend]:
    with StreamBackend(tmp_path / "spill", 4_000, threads=2) as backend:
        yield backend


def _file() -> Scannable:
    drawn = np.random.default_rng(3)
    texts = [*drawn.choice(["a", "b", "ü", ""], 599), None]
    return _Batches(pl.DataFrame({"number": drawn.integers(0, 40, 600), "text": texts}))


@pytest.mark.parametrize("room", [1 << 26, 1_200])
def test_values_are_the_same_wherever_they_are_merged(
    backend: StreamBackend, monkeypatch: pytest.MonkeyPatch, collected: list[int], room: int
) -> None:
    monkeypatch.setattr(column_values, "_LEAST_ROOM", room)
    file = _file()
    found = values_of_columns(backend, file, ["number", "text"])
    for name in ("number", "text"):
        expected = Counter(file.scan.collect()[name])
        assert dict(found[name].select("value", "records").iter_rows()) == expected
    if room < 1 << 26:
        assert max(collected) < 40_000, "bytes of 45 values in 512 parts"


def test_values_that_take_too_much_room_are_refused(
    backend: StreamBackend, monkeypatch: pytest.MonkeyPatch, collected: list[int]
) -> None:
    monkeypatch.setattr(column_values, "_LEAST_ROOM", 100)
    with pytest.raises(SchemaError, match=r"take 0 MiB.*'number'.*--memory"):
        values_of_columns(backend, _file(), ["number", "text"])


def test_sums_are_the_same_wherever_they_are_added_up(
    backend: StreamBackend, monkeypatch: pytest.MonkeyPatch, collected: list[int]
) -> None:
    frame = pl.DataFrame({"key": [1, 2, None] * 50, "kind": [1, 2] * 75, "number": range(150)})
    expected = frame.group_by("key", "kind").agg(pl.col("number").sum()).sort("key", "kind")
    for few in (1 << 20, 10):
        monkeypatch.setattr(sums, "_FEW", few)
        rows = backend.scan(_Batches(frame), *frame.columns)
        found = sums.sums_by_key(rows, ["key", "kind"], "adding up")
        assert found.sort("key", "kind").equals(expected)
    assert collected[-1] < collected[0] / 10
