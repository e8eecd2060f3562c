"""Releases whose records stand for several people each, from the terminal."""

import json
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def data_file(tmp_path: Path) -> Path:
    chance = np.random.default_rng(1)
    lines = ["user,item,rating"]
    for user in range(39):
        lines += [f"u{user},i{item},{chance.integers(1, 6)}" for item in range(6) if item == 0 or chance.random() < 0.4]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "data.csv"


def published(run, data_file: Path, *more: str) -> Path:
    out = data_file.parent / "release"
    ran = run(
        "publish", data_file, "-m", "k-anonymity:k=4", "--method", "predictive", "--out", out,
        "--ledger", data_file.parent / "ledger", "--seed", "1", "--json", *more,
    )  # fmt: skip
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert told["records_in"] == told["records_out"]
    return out


def test_a_release_says_how_many_people_a_profile_stands_for(run, data_file):
    release = published(run, data_file)
    people = [line.split(",") for line in (release / "people.csv").read_text().splitlines()[1:]]
    assert all(int(number) >= 4 for _, number in people)
    verified = json.loads(run("verify", release, "--json").out)
    assert verified["holds"]
    assert verified["records"] == sum(int(number) for _, number in people)
    checked = json.loads(run("check", release, "-m", "k-anonymity:k=4", "--json").out)
    assert checked["promises"][0]["level"] == verified["promises"][0]["level"]
    assert run("measure", release, "--ledger", data_file.parent / "ledger").status == 0


def test_numbers_of_people_that_were_altered_are_refused(run, data_file):
    release = published(run, data_file)
    people = release / "people.csv"
    people.write_text(people.read_text().replace(",4\n", ",40\n").replace(",5\n", ",50\n"))
    assert run("verify", release).status == 2
    people.unlink()
    assert run("verify", release).status == 2


def test_numbers_of_people_must_fit_the_records(run, data_file):
    release = published(run, data_file)
    good = (release / "people.csv").read_text()
    first = good.splitlines()[1]
    name = first.split(",")[0]
    broken = [
        good + "somebody,4\n",
        good.replace(first + "\n", ""),
        good.replace(first, f"{name},0"),
        good.replace(first, f"{name},x"),
        good + first + "\n",
        "record\n",
        "",
        "\x00\xff",
    ]
    for bad in broken:
        (release / "people.csv").write_text(bad)
        ran = run("check", release, "-m", "k-anonymity:k=4")
        assert ran.status == 2, bad
        assert name not in ran.err, "no value of a record is told"


def test_expanded_releases_have_a_record_for_each_person(run, data_file):
    release = published(run, data_file, "--expand")
    assert not (release / "people.csv").exists()
    assert (
        json.loads(run("verify", release, "--json").out)["records"] == 39
    )  # one of 40 rated nothing and is not in the file
    assert run("measure", release, "--ledger", data_file.parent / "ledger").status == 0


def test_what_stands_for_several_is_not_published_again(run, data_file, tmp_path):
    release = published(run, data_file)
    ran = run("publish", release, "-m", "k-anonymity:k=2", "--out", tmp_path / "second")
    assert ran.status == 2
    assert not (tmp_path / "second").exists()
