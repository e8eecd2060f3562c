"""``shoal compare``: columns before and after."""

import json
from pathlib import Path

import pytest

from cli.files import write_table


@pytest.fixture
def pair(run, tmp_path: Path) -> tuple[Path, Path]:
    """A table that was published, and its ledger."""
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    asked = ("-m", "k-anonymity:k=2", "--out", out, "--ledger", ledger)
    assert run("publish", data, "--schema", schema, *asked).status == 0
    return out, ledger


def test_columns_and_two_together_are_printed_and_told_as_json(run, pair) -> None:
    told = json.loads(run("compare", pair[0], "--ledger", pair[1], "--json").out)
    names = [each["name"] for each in told["columns"]]
    assert told["names"] == names
    assert told["pair"] is None
    two = run("compare", pair[0], "--ledger", pair[1], "--column", names[0], "--pair", *names[:2])
    assert two.status == 0
    assert two.out.count("would have to move back") == 2
    assert " → " in two.out


def test_a_wrong_name_is_refused(run, pair) -> None:
    assert run("compare", pair[0], "--ledger", pair[1], "--column", "nothing").status == 2
