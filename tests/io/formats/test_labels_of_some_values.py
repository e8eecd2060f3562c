"""A column of a survey file in which only some values have a label stays a column of numbers."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.io import read
from shoal.io.schemas import TableSchema

pyreadstat = pytest.importorskip("pyreadstat")


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_codes_are_kept_where_a_value_has_no_label(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"d.{suffix}"
    frame: Any = pl.DataFrame({"mood": [1.0, 3.0, 5.0, None], "sex": [1.0, 2.0, 1.0, None], "none": [None] * 4}).cast(
        {"none": pl.Float64}
    )
    labels: Any = {"mood": {1: "bad", 5: "good"}, "sex": {1: "f", 2: "m", 3: "never given"}, "none": {1: "x"}}
    getattr(pyreadstat, f"write_{suffix}")(frame, path, variable_value_labels=labels)
    columns = {name: {"role": "quasi-identifier"} for name in frame.columns}
    source = read(path, TableSchema(columns=columns))  # type: ignore[arg-type]
    assert source.records["mood"].values.to_list() == [1.0, 3.0, 5.0, None]  # type: ignore[index]
    assert source.records["sex"].values.to_list() == ["f", "m", "f", None]  # type: ignore[index]
    assert source.records["none"].values.null_count() == 4  # type: ignore[index]
    assert any("'mood' is read by its codes" in note for note in source.notes)
    assert not any("'sex'" in note and "codes" in note for note in source.notes)
