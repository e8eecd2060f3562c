"""A run can be repeated: from the plan in its ledger, and with the same loss whatever the shuffle."""

import json
from pathlib import Path

import pytest

from cli.files import write_table


def test_the_plan_in_a_ledger_means_the_same_from_any_folder(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "elsewhere").mkdir()
    write_table(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    asked = (
        "people.csv",
        "--schema",
        "people.toml",
        "-m",
        "k-anonymity:k=5",
        "--out",
        "o",
        "--ledger",
        "l",
        "--seed",
        3,
    )
    assert run("publish", *asked).status == 0
    first = (tmp_path / "here" / "o" / "data.csv").read_bytes()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ran = run("publish", "--plan", tmp_path / "here" / "l" / "plan.toml", "--force")
    assert ran.status == 0, ran.err
    assert (tmp_path / "here" / "o" / "data.csv").read_bytes() == first
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_distortion_does_not_depend_on_the_shuffle(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path, rows=500)
    told = set()
    for seed in range(12):
        out = tmp_path / f"o{seed}"
        ran = run("publish", data, "--schema", schema, "-m", "k-anonymity:k=3", "--out", out, "--seed", seed, "--json")
        told.add(json.loads(ran.out)["distortion"])
    assert len(told) == 1
