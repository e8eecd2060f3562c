"""Generated data are written in every format that there is, and read back with the schema beside them."""

from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.data import Microdata, Records
from shoal.datasets import write_generated
from shoal.errors import SchemaError
from shoal.io.formats.registry import writable_formats

SIZES: dict[str, dict[str, Any]] = {
    "ratings": {"users": 20, "items": 9, "ratings": 70, "seed": 1},
    "survey": {"respondents": 20, "issues": 5, "sensitive": 1, "seed": 1},
    "table": {"rows": 30, "seed": 1},
}


# names such as marital-status are none of SPSS and Stata
EVERY = [(kind, each.ending) for kind in SIZES for each in writable_formats()]
HELD = [(kind, ending) for kind, ending in EVERY if kind != "table" or ending not in (".sav", ".dta")]


@pytest.mark.parametrize(("kind", "ending"), HELD)
def test_generated_data_are_the_same_in_every_format(kind: str, ending: str, tmp_path: Path) -> None:
    schema = write_generated(kind, tmp_path / f"data{ending}", **SIZES[kind])
    expected = write_generated(kind, tmp_path / "expected.parquet", **SIZES[kind])
    one = shoal.read(str(tmp_path / f"data{ending}"), str(schema)).records
    other = shoal.read(str(tmp_path / "expected.parquet"), str(expected)).records
    assert told(one) == told(other)


@pytest.mark.parametrize("ending", [".sav", ".dta"])
def test_names_that_a_program_does_not_know_are_refused(ending: str, tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="cannot have a column named 'marital-status'"):
        write_generated("table", tmp_path / f"data{ending}", **SIZES["table"])
    assert not list(tmp_path.iterdir())


def told(records: Records) -> object:
    if isinstance(records, Microdata):
        return records.frame().rows()
    parts = (records.observable, records.sensitive)  # type: ignore[attr-defined]
    return [(part.items.values.to_list(), part.dense().tolist()) for part in parts]
