"""Where a schema is missing, the refusal gives the call that writes one, as it is to be typed."""

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import SchemaError

FRAME = pl.DataFrame({"age": [30, 41, 30], "town": ["a", "b", "b"]})


def test_a_frame_is_described_in_python():
    with pytest.raises(SchemaError) as refused:
        shoal.read(FRAME)
    assert '`shoal.describe(frame, out="schema.toml")`' in str(refused.value)


def test_a_path_with_spaces_is_quoted(tmp_path: Path):
    path = tmp_path / "my survey.csv"
    FRAME.write_csv(path)
    with pytest.raises(SchemaError) as refused:
        shoal.read(path)
    assert f"`shoal describe '{path}' --out '{path.with_suffix('.schema.toml')}'`" in str(refused.value)
