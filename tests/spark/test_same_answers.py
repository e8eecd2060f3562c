"""Tables are judged on Spark as in this process."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.backends.spark import SparkBackend
from shoal.engines import LocalEngine, judge
from shoal.io.formats.data_files import open_data
from shoal.io.schemas import TableSchema, given_schema
from shoal.jobs.read import read
from shoal.models import promises
from shoal.partitioned import judge_partitioned, read_partitioned_table

_PROMISES = ("k-anonymity:k=3", "l-diversity:l=2,kind=entropy", "t-closeness:t=0.3", "p-sensitive:p=2")


@pytest.mark.parametrize("file", ["people.parquet", "people.csv"])
def test_verdicts_are_those_of_the_table_in_memory(
    backend: SparkBackend, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = np.random.default_rng(5)
    people = pl.DataFrame(
        {
            "patient": drawn.integers(0, 900, 2000),
            "age": drawn.integers(20, 30, 2000),
            "sex": drawn.choice(["f", "m"], 2000),
            "disease": drawn.choice(["flu", "asthma", "diabetes"], 2000),
        }
    )
    monkeypatch.chdir(tmp_path)
    people.write_parquet("people.parquet") if file.endswith("parquet") else people.write_csv("people.csv")
    columns = {"patient": "identifier", "age": "quasi-identifier", "sex": "quasi-identifier", "disease": "sensitive"}
    schema = {"kind": "table", "person": "patient", "columns": {name: {"role": role} for name, role in columns.items()}}
    models = [promises.read(each) for each in _PROMISES]
    described = given_schema(schema)
    assert isinstance(described, TableSchema)
    table, _ = read_partitioned_table(open_data(file, described), described, backend)
    found = judge_partitioned(table, models)
    expected = judge(read(file, schema).records, models, LocalEngine())
    assert [(each.level, each.violations) for each in found.verdicts] == [
        (each.level, each.violations) for each in expected.verdicts
    ]
    assert found.n_groups == expected.n_groups
