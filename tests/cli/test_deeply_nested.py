"""Settings nested however deep, and numbers of any length, are bad input and no fault."""

from pathlib import Path

import pytest

from cli.files import TABLE_SCHEMA, write_table
from shoal.errors import FileError, InputError
from shoal.io import TableSchema
from shoal.io.folders.ledger import read_ledger

DEEP = 100_000
KEYS = ".x" * 3000
SCHEMAS = {
    "lists in a list": f"deep = {'[' * DEEP}{']' * DEEP}\n" + TABLE_SCHEMA,
    "a list that is never closed": f"deep = {'[' * DEEP}\n" + TABLE_SCHEMA,
    "tables in a table": f"deep = {'{a=' * DEEP}1{'}' * DEEP}\n" + TABLE_SCHEMA,
    "categories in categories": TABLE_SCHEMA + f"categories = {'[' * 400}{']' * 400}\n",
    "a tree that is too high": TABLE_SCHEMA + f'[columns.disease.hierarchy]\nkind = "tree"\ntree{KEYS} = ["Flu"]\n',
    "a number with ten thousand digits": f"skip_lines = {'9' * 10_000}\n" + TABLE_SCHEMA,
    "a setting called self": "self = 1\n" + TABLE_SCHEMA,
}
PLANS = {
    "plan.toml": f"data = {'[' * DEEP}{']' * DEEP}\n",
    "plan.json": f'{{"data": {"[" * DEEP}{"]" * DEEP}}}',
    "long.toml": f"seed = {'9' * 10_000}\n",
    "cls.toml": 'cls = 1\ndata = "x"\nout = "y"\nmodels = []\n',
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_a_schema_that_is_nested_too_deeply_is_bad_input(run, tmp_path: Path, case: str) -> None:
    data, schema = write_table(tmp_path)
    schema.write_text(SCHEMAS[case], encoding="utf-8")
    ran = run("check", data, "--schema", schema, "-m", "k-anonymity:k=2")
    assert ran.status == 2, ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(("levels", "status"), [(200, 0), (201, 2), (300, 2), (480, 2)])
def test_a_tree_of_any_height_is_published_or_refused(run, tmp_path: Path, levels: int, status: int) -> None:
    data, schema = write_table(tmp_path)
    leaves = '["Influenza", "Asthmatic", "Hepatitis"]'
    tree = f'[columns.disease.hierarchy]\nkind = "tree"\ntree{"".join(f".x{i}" for i in range(levels))} = {leaves}\n'
    schema.write_text(TABLE_SCHEMA + tree, encoding="utf-8")
    ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=2", "--out", tmp_path / "out")
    assert ran.status == status, ran.err
    assert (tmp_path / "out").exists() == (status == 0)
    assert status == 2 or run("verify", tmp_path / "out").status == 0


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_is_nested_too_deeply_is_bad_input(run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PLANS[name], encoding="utf-8")
    ran = run("publish", "--plan", tmp_path / name)
    assert ran.status == 2, ran.err


def test_a_schema_in_python_that_is_nested_too_deeply_is_bad_input() -> None:
    tree: object = ["Flu"]
    for _ in range(5000):
        tree = {"x": tree}
    with pytest.raises(InputError):
        TableSchema(columns={"a": {"role": "sensitive", "hierarchy": {"kind": "tree", "tree": tree}}})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["report.json", "hierarchies.json"])
def test_a_ledger_that_is_nested_too_deeply_is_damaged(run, tmp_path: Path, name: str) -> None:
    data, schema = write_table(tmp_path)
    folders = ("--out", tmp_path / "out", "--ledger", tmp_path / "ledger")
    assert run("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", *folders).status == 0
    (tmp_path / "ledger" / name).write_text("[" * DEEP, encoding="utf-8")
    with pytest.raises(FileError, match="damaged"):
        read_ledger(tmp_path / "ledger")
