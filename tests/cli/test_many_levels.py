"""Codes of 300 characters, masked one by one, have more levels than a byte can count; every command takes them."""

import json
from pathlib import Path

import pytest

SCHEMA = """
kind = "table"
[columns.code]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[columns.age]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, str, Path]:
    """Eight places that the first three letters tell, with five people each, whom the last three tell apart."""
    lines = [
        f"{place:03b}{'x' * 294}{person:03d},{30 + place % 2},{'abc'[person % 3]}"
        for place in range(8)
        for person in range(5)
    ]
    (tmp_path / "d.csv").write_text("code,age,disease\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text(SCHEMA, encoding="utf-8")
    return tmp_path / "d.csv", "--schema", tmp_path / "s.toml"


def test_the_lattice_has_them_all(run, files) -> None:
    published = json.loads(run("lattice", *files, "-m", "k-anonymity:k=10", "--minimal", "--json").out)
    assert published["heights"] == [300, 1]
    assert published["nodes"] == 301 * 2
    assert published["minimal"] == [[298, 1], [299, 0]]


@pytest.mark.parametrize("method", ["lattice", "top-down", "specialization", "mondrian", "decomposition:degree=0.2"])
def test_methods_publish_them(run, files, tmp_path, method) -> None:
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    asked = (*files, "-m", "k-anonymity:k=10", "--method", method, "--out", out, "--ledger", ledger)
    assert run("publish", *asked).status == 0
    assert run("verify", out, "--ledger", ledger).status == 0
    assert run("measure", out, "--ledger", ledger).status == 0


def test_a_desk_gives_views_of_them(run, files, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DESK", str(tmp_path / "desk.sqlite"))
    for words in (
        ("init",),
        ("requester", "ann", "--trust", "1"),
        ("purpose", "first", "--priorities", "code:1;age:0.5"),
        ("dataset", "crowd", *files, "-m", "k-anonymity:k=10", "--purpose", "first"),
        ("request", "crowd", *files, "--requester", "ann", "--purpose", "first", "--out", tmp_path / "view"),
        ("audit", "--folders"),
    ):
        ran = run("desk", *words)
        assert ran.status == 0, ran.err
    assert run("verify", tmp_path / "view").status == 0
