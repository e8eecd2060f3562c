"""Partial padding from the terminal."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    lines = [
        f"u{user},i{item},{1 + user * item % 5}" for user in range(40) for item in range(10) if user % (item + 1) < 2
    ]
    (tmp_path / "data.csv").write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    return tmp_path / "data.csv"


@pytest.mark.parametrize("boost", ["0.3", "30%"])
def test_a_share_of_the_cells_is_published(run, data_file, boost) -> None:
    out = data_file.parent / "release"
    asked = ("-m", "k-anonymity:k=4", "--method", "predictive", "--out", out, "--seed", 1)
    assert run("publish", data_file, *asked, "--boost", boost).status == 0
    profiles = len((out / "people.csv").read_text().splitlines()) - 1
    assert len((out / "data.csv").read_text().splitlines()) - 1 == 3 * profiles
    assert json.loads((out / "certificate.json").read_text())["method"].split(",").count("boost=0.3") == 1
    assert run("verify", out).status == 0


def test_a_method_that_pads_nothing_takes_no_boost(run, data_file) -> None:
    asked = ("-m", "k-anonymity:k=4", "--method", "align", "--out", data_file.parent / "release", "--boost", "0.3")
    ran = run("publish", data_file, *asked)
    assert ran.status == 2
    assert "no setting 'boost'" in ran.err
    assert not (data_file.parent / "release").exists()
