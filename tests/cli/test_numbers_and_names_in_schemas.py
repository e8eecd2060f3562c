"""Numbers beyond every count and names that no file has are bad input wherever a schema or a plan has them."""

import json
import time
from pathlib import Path

import pytest

from cli.files import write_table
from shoal.data.hierarchies.category_levels import MOST_LEVELS
from shoal.errors import InputError
from shoal.plan import Plan

TABLE = """
kind = "table"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = {}
[columns.zip]
role = "quasi-identifier"
[columns.visit]
role = "drop"
[columns.disease]
role = "sensitive"
"""
PLAIN = TABLE.replace("hierarchy = {}\n", "")
SCHEMAS = {
    "lines beyond every count": "skip_lines = 9223372036854775808\n" + PLAIN,
    "more lines than any file has": "skip_lines = 9223372036854775807\n" + PLAIN,
    "a zero byte in a hierarchy": TABLE.format('"h\\u0000.csv"'),
    "a zero byte in people": 'people = "p\\u0000.csv"\n' + PLAIN,
    "a hierarchy with a name that is too long": TABLE.format(f'"{"x" * 5000}.csv"'),
    "people with a name that is too long": f'people = "{"x" * 5000}"\n' + PLAIN,
    "widths of 400 digits": TABLE.format(f'{{ kind = "interval", widths = [1{"0" * 400}] }}'),
    "shares of 400 digits": TABLE.format(f'{{ kind = "frequency", shares = [1{"0" * 400}] }}'),
    "parts beyond every count": TABLE.format('{ kind = "quantile", parts = [9999999999999999999999] }'),
    "parts that would overflow": TABLE.format('{ kind = "quantile", parts = [4611686018427387904] }'),
    "a mark of 400 digits": f"null = [1{'0' * 400}]\n" + PLAIN,
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_a_schema_with_such_a_setting_is_bad_input(run, tmp_path: Path, case: str) -> None:
    data, schema = write_table(tmp_path)
    schema.write_text(SCHEMAS[case], encoding="utf-8")
    ran = run("check", data, "--schema", schema, "-m", "k-anonymity:k=2")
    assert ran.status == 2, ran.err
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 1000


def test_widths_and_parts_that_are_large_are_taken(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    for hierarchy in (
        '{ kind = "interval", widths = [5, 1000000] }',
        '{ kind = "quantile", parts = [1000000, 4] }',
    ):
        schema.write_text(TABLE.format(hierarchy), encoding="utf-8")
        assert run("check", data, "--schema", schema, "-m", "k-anonymity:k=2").status in (0, 1)


@pytest.mark.parametrize("setting", ["data", "schema", "out", "ledger", "secret"])
def test_a_plan_with_a_zero_byte_in_a_name_is_bad_input(run, tmp_path: Path, setting: str) -> None:
    plan = {"data": "d.csv", "models": ["k-anonymity:k=2"], "out": "o", setting: "a\0b"}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    assert run("publish", "--plan", tmp_path / "plan.json").status == 2
    with pytest.raises(InputError, match="zero byte"):
        Plan.of(**plan)


@pytest.mark.parametrize(("levels", "status"), [(300, 0), (MOST_LEVELS, 0), (MOST_LEVELS + 1, 2), (30_000, 2)])
def test_a_hierarchy_file_has_a_bounded_number_of_levels(run, tmp_path: Path, levels: int, status: int) -> None:
    lines = [f"v{i};" + ";".join(f"{level}-{i // 2}" for level in range(levels - 1)) + ";*" for i in range(12)]
    (tmp_path / "h.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    began = time.monotonic()
    ran = run("hierarchy", "check", tmp_path / "h.csv")
    assert ran.status == status, ran.err
    assert status == 0 or f"at most {MOST_LEVELS:,}" in ran.err
    (tmp_path / "d.csv").write_text("a,b\n" + "".join(f"v{i},x\n" for i in range(12)), encoding="utf-8")
    schema = (
        'kind = "table"\n[columns.a]\nrole = "quasi-identifier"\nhierarchy = "h.csv"\n[columns.b]\nrole = "sensitive"\n'
    )
    (tmp_path / "s.toml").write_text(schema, encoding="utf-8")
    ran = run("describe", tmp_path / "d.csv", "--schema", tmp_path / "s.toml")
    assert ran.status == status, ran.err
    assert time.monotonic() - began < 40


@pytest.mark.parametrize(("length", "status"), [(300, 0), (MOST_LEVELS, 0), (MOST_LEVELS + 1, 2), (100_000, 2)])
def test_masks_have_a_bounded_number_of_levels(run, tmp_path: Path, length: int, status: int) -> None:
    lines = "".join(f"{i:0{length}d},x\n" for i in range(4))
    (tmp_path / "d.csv").write_text(f"a,b\n{lines}", encoding="utf-8")
    schema = (
        'kind = "table"\n[columns.a]\nrole = "quasi-identifier"\ntype = "text"\nhierarchy = { kind = "mask" }\n'
        '[columns.b]\nrole = "sensitive"\n'
    )
    (tmp_path / "s.toml").write_text(schema, encoding="utf-8")
    ran = run("describe", tmp_path / "d.csv", "--schema", tmp_path / "s.toml")
    assert ran.status == status, ran.err
    assert status == 0 or f"at most {MOST_LEVELS:,}" in ran.err


NINES = "9" * 5000


@pytest.mark.parametrize(
    "words",
    [
        ("-m", f"k-anonymity:k={NINES}"),
        ("-m", NINES),
        ("-m", f"k-anonymity:{NINES}=2"),
        ("-m", "k-anonymity:k=2 " + "9 " * 5000),
        ("-m", "k-anonymity:k=2", "--duplicates", NINES),
        ("-m", "k-anonymity:k=2", "--schema", NINES),
    ],
)
def test_a_message_repeats_little_of_what_was_given(run, tmp_path: Path, words: tuple[str, ...]) -> None:
    data, schema = write_table(tmp_path)
    ran = run("check", data, "--schema", schema, *words, "--json")
    assert ran.status == 2
    assert len(ran.err) < 2500
    assert NINES not in ran.err + ran.out


@pytest.mark.parametrize("command", ["describe", "verify", "check"])
def test_data_with_a_name_that_is_too_long_are_bad_input(run, command: str) -> None:
    promise = ("-m", "k-anonymity:k=2") if command == "check" else ()
    for name in ("x" * 5000, "/".join(["y" * 100] * 50)):
        ran = run(command, name, *promise)
        assert ran.status == 2, ran.err
        assert len(ran.err) < 1000


@pytest.mark.parametrize("name", ["release.sha256", "secret.txt"])
@pytest.mark.parametrize("content", [b"", b"\n", b"garbage\n", b"\xff\xfe", b"0" * 63, b"g" * 64, b"00" * 4000])
def test_a_ledger_with_a_damaged_file_is_told_to_be_damaged(run, published, name: str, content: bytes) -> None:
    out, ledger = published
    before = (ledger / name).read_bytes()
    (ledger / name).write_bytes(content)
    try:
        for command in ("verify", "measure"):
            ran = run(command, out, "--ledger", ledger)
            assert ran.status == 2, ran.err
            assert "damaged" in ran.err
    finally:
        (ledger / name).write_bytes(before)


@pytest.fixture
def published(run, tmp_path: Path) -> tuple[Path, Path]:
    """Return a release and its ledger."""
    data, schema = write_table(tmp_path)
    out, ledger = tmp_path / "out", tmp_path / "ledger"
    asked = ("-m", "k-anonymity:k=5", "--out", out, "--ledger", ledger)
    assert run("publish", data, "--schema", schema, *asked).status == 0
    assert run("verify", out, "--ledger", ledger).status == 0
    return out, ledger
