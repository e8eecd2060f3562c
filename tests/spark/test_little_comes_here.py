"""However many records there are on a cluster, little of them comes to the driver."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.anonymizers import methods
from shoal.backends.spark import SparkBackend
from shoal.backends.spark.spark_partitions import SparkPartitions
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, given_schema
from shoal.models import promises
from shoal.partitioned import judge_partitioned, read_partitioned_table
from shoal.partitioned.publish_table import publish_table
from shoal.partitioned.write_parts import Destination

_SCHEMA = {
    "kind": "table",
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "interval", "widths": [10, 30]}},
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
        "disease": "sensitive",
    },
}
_SIZES = (10_000, 100_000)


def test_ten_times_the_records_bring_no_more_to_the_driver(
    backend: SparkBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect, collected = SparkPartitions.collect, list[int]()

    def counting(rows: SparkPartitions, title: str) -> pl.DataFrame:
        found = collect(rows, title)
        collected.append(int(found.estimated_size()))
        return found

    monkeypatch.setattr(SparkPartitions, "collect", counting)
    brought = []
    for n in _SIZES:
        _check_and_publish(backend, n, tmp_path / str(n))
        brought.append(sum(collected))
        collected.clear()
    assert brought[1] < 1.5 * brought[0]
    assert brought[1] < 2 * _SIZES[1], "less than two bytes a record, for the check and the release together"


def _check_and_publish(backend: SparkBackend, n: int, folder: Path) -> None:
    folder.mkdir()
    drawn = np.random.default_rng(7)
    columns = {
        "age": drawn.integers(0, 90, n),
        "zip": drawn.integers(1000, 1100, n).astype(str),
        "disease": drawn.choice(["flu", "asthma", "cancer"], n),
    }
    pl.DataFrame(columns).write_parquet(folder / "people.parquet", row_group_size=10_000)
    schema = given_schema(_SCHEMA)
    assert isinstance(schema, TableSchema)
    models = [promises.read(each) for each in ("k-anonymity:k=2", "l-diversity:l=2", "t-closeness:t=0.9")]
    few = _FewGroups(backend._cluster.session, str(folder))
    with few:
        table, schema = read_partitioned_table(open_data(folder / "people.parquet", schema), schema, few)
        judge_partitioned(table, models)
        (folder / "release").mkdir()
        to = Destination(folder / "release", None)
        publish_table(table, schema, {}, models, methods.read("lattice"), to, withhold=Fraction(1, 2))


class _FewGroups(SparkBackend):
    """Brings only tables with few groups here."""

    @property
    def most_groups(self) -> int:
        return 100
