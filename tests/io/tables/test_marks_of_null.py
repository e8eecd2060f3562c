"""A number that means null means it however numbers are written."""

from pathlib import Path

import pytest

from shoal.io import read
from shoal.io.schemas import TableSchema


@pytest.mark.parametrize("mark", [99, 99.0])
def test_a_number_is_null_in_a_table_however_it_is_written(tmp_path: Path, mark: float) -> None:
    (tmp_path / "t.csv").write_text("age,zip\n20,4711\n99,099\n99.0,99\n9.9e1,4712\n30,4711\n", encoding="utf-8")
    columns = {name: {"role": "quasi-identifier"} for name in ("age", "zip")}
    table = read(tmp_path / "t.csv", TableSchema(columns=columns, null=[mark])).records  # type: ignore[arg-type]
    assert table["age"].values.to_list() == [20, None, None, None, 30]  # type: ignore[index]
    assert table["zip"].values.to_list() == ["4711", "099", None, "4712", "4711"]  # type: ignore[index]
