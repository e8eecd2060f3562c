"""How many people stand behind a record is claimed by a release, said so by ``verify``, and checked by the ledger."""

import csv
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cli.files import open_desk, write_survey, write_table

CLAIMED = "claimed         "


def write_ratings(folder: Path) -> Path:
    chance = np.random.default_rng(3)
    cells = [(user, item, chance.integers(1, 6)) for user in range(30) for item in range(8) if chance.random() < 0.7]
    lines = [f"user-{user:02d},film-{item},{rating}" for user, item, rating in cells]
    (folder / "likes.csv").write_text("\n".join(["user,item,rating", *lines]) + "\n", encoding="utf-8")
    return folder / "likes.csv"


@pytest.fixture
def profiles(run, tmp_path: Path) -> Path:
    """Return a folder with a predictive release of k = 3 and its ledger."""
    words = ("-m", "k-anonymity:k=3", "--method", "predictive", "--out", tmp_path / "o", "--ledger", tmp_path / "l")
    ran = run("publish", write_ratings(tmp_path), *words)
    assert ran.status == 0, ran.err
    return tmp_path


def forge(release: Path, people: int) -> None:
    """Let every profile stand for so many people, and the certificate agree."""
    with (release / "people.csv").open(encoding="utf-8", newline="") as file:
        (head, *lines) = list(csv.reader(file))
    with (release / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *([name, people] for name, _ in lines)])
    published = json.loads((release / "certificate.json").read_text(encoding="utf-8"))
    published["people"]["sha256"] = hashlib.sha256((release / "people.csv").read_bytes()).hexdigest()
    published["records"] = people * len(lines)
    published["promises"][0]["level"]["k"] = people
    (release / "certificate.json").write_text(
        json.dumps(published, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def test_verify_says_that_counts_of_people_are_the_publishers_word(run, profiles: Path) -> None:
    """A release alone cannot show that a forged count is one; so it must not seem to."""
    forge(profiles / "o", 100)
    ran = run("verify", profiles / "o")
    assert ran.status == 0
    assert "k = 100" in ran.out
    assert (
        f"{CLAIMED}How many people stand behind its records and classes is the publisher's word (people.csv)" in ran.out
    )
    assert "not who made them" in ran.out
    claimed = json.loads(run("verify", profiles / "o", "--json").out)["claimed"]
    assert ["people.csv" in claim for claim in claimed] == [True, False]


def test_with_the_ledger_forged_counts_are_found(run, profiles: Path) -> None:
    honest = run("verify", profiles / "o", "--ledger", profiles / "l")
    assert honest.status == 0
    assert CLAIMED not in honest.out
    assert "The ledger agrees" in honest.out
    assert json.loads(run("verify", profiles / "o", "--ledger", profiles / "l", "--json").out)["claimed"] == []
    records = pl.read_csv(profiles / "o" / "people.csv").height
    forge(profiles / "o", 100)
    forged = run("verify", profiles / "o", "--ledger", profiles / "l")
    assert forged.status == 1
    assert f"{records} records stand for another number of people than the ledger says." in forged.out
    assert "The certificate is not the one that was made with the ledger." in forged.out
    published = json.loads(run("verify", profiles / "o", "--ledger", profiles / "l", "--json").out)
    assert (published["holds"], len(published["reasons"])) == (False, 2)


def test_the_owners_report_tells_of_forged_counts(run, profiles: Path) -> None:
    forge(profiles / "o", 100)
    page = profiles / "report.html"
    words = ("--ledger", profiles / "l", "--out", page, "--attack", "structure:items=1", "--json")
    ran = run("report", profiles / "o", *words)
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["holds"] is False
    assert "another number of people" in page.read_text(encoding="utf-8")


def test_counts_are_compared_with_a_ledger_that_kept_no_hash(run, profiles: Path) -> None:
    (profiles / "l" / "release.sha256").unlink()
    honest = run("verify", profiles / "o", "--ledger", profiles / "l")
    assert honest.status == 0
    assert "How many people" not in honest.out
    assert "not who made them" in honest.out
    forge(profiles / "o", 100)
    assert run("verify", profiles / "o", "--ledger", profiles / "l").status == 1


@pytest.mark.parametrize("kind", ["table", "ratings"])
def test_of_a_record_a_person_the_ledger_finds_what_was_added_taken_away_and_changed(
    run, tmp_path: Path, kind: str
) -> None:
    data, schema = (write_table if kind == "table" else write_survey)(tmp_path)
    model, method = ("k-anonymity:k=5", "mondrian") if kind == "table" else ("k-epsilon:k=2,epsilon=1", "none")
    out, ledger = tmp_path / "o", tmp_path / "l"
    words = ("-m", model, "--method", method, "--out", out, "--ledger", ledger)
    assert run("publish", data, "--schema", schema, *words).status == 0
    alone = run("verify", out)
    assert "is the publisher's word (one each): a release alone cannot show it." in alone.out
    assert run("verify", out, "--ledger", ledger).status == 0
    lines = (out / "data.csv").read_text(encoding="utf-8").splitlines()
    last = lines[-1].partition(",")[2]
    changes = {
        "1 records of the release are not in the ledger.": [*lines, f"r0000000000zz,{last}"],
        "1 records of the ledger are not in the release.": lines[:-1],
        "The certificate is not the one that was made with the ledger.": [*lines[:1], *lines[:0:-1]],
    }
    for found, changed in changes.items():
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(out, copy)
        (copy / "data.csv").write_text("\n".join(changed) + "\n", encoding="utf-8")
        published = json.loads((copy / "certificate.json").read_text(encoding="utf-8"))
        published["data"]["sha256"] = hashlib.sha256((copy / "data.csv").read_bytes()).hexdigest()
        published["records"] = len(changed) - 1
        (copy / "certificate.json").write_text(json.dumps(published), encoding="utf-8")
        ran = run("verify", copy, "--ledger", ledger)
        assert ran.status == 1
        assert found in ran.out


def test_a_ledger_of_other_data_is_not_its_ledger(run, profiles: Path) -> None:
    data, schema = write_table(profiles)
    words = ("-m", "k-anonymity:k=5", "--out", profiles / "o2", "--ledger", profiles / "l2")
    assert run("publish", data, "--schema", schema, *words).status == 0
    assert run("verify", profiles / "o", "--ledger", profiles / "l2").status == 2
    assert run("verify", profiles / "o", "--ledger", profiles / "nowhere").status == 2
    again = run("publish", data, "--schema", schema, *words, "--force")
    assert again.status == 0
    shutil.copytree(profiles / "l2", profiles / "l3")
    assert run("publish", data, "--schema", schema, *words, "--force").status == 0
    ran = run("verify", profiles / "o2", "--ledger", profiles / "l3")
    assert ran.status == 1
    assert "60 records of the release are not in the ledger." in ran.out


def test_a_view_of_the_desk_is_checked_by_its_ledger(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, schema = open_desk(run, tmp_path, monkeypatch)
    files = (data, "--schema", schema, "--out", tmp_path / "o", "--ledger", tmp_path / "l")
    assert run("desk", "request", "crowd", *files, "--requester", "ann", "--purpose", "first").status == 0
    ran = run("verify", tmp_path / "o", "--ledger", tmp_path / "l")
    assert ran.status == 0, ran.err
    assert CLAIMED not in ran.out


def test_of_people_with_several_records_the_ledger_finds_forged_classes(run, tmp_path: Path) -> None:
    """Each of 24 patients has three visits in one class; told as people, they are a third of what could be claimed."""
    lines = [f"patient-{i},{20 + i % 2},{'flu' if visit else 'cold'}" for i in range(24) for visit in range(3)]
    data, schema = tmp_path / "visits.csv", tmp_path / "visits.toml"
    data.write_text("\n".join(["patient,age,ill", *lines]) + "\n", encoding="utf-8")
    roles = {"patient": "identifier", "age": "quasi-identifier", "ill": "sensitive"}
    columns = "\n".join(f'[columns.{name}]\nrole = "{role}"' for name, role in roles.items())
    schema.write_text(f'kind = "table"\nperson = "patient"\n{columns}\n', encoding="utf-8")
    out, ledger = tmp_path / "o", tmp_path / "l"
    words = ("-m", "k-anonymity:k=5", "--method", "none", "--out", out, "--ledger", ledger)
    ran = run("publish", data, "--schema", schema, *words)
    assert ran.status == 0, ran.err
    assert "publisher's word (people.csv)" in run("verify", out).out
    honest = run("verify", out, "--ledger", ledger)
    assert honest.status == 0, honest.out
    assert CLAIMED not in honest.out
    stated = pl.read_csv(out / "people.csv", infer_schema=False)
    assert stated["people"].to_list() == ["12", "12"]
    stated.with_columns(people=pl.Series(["36", "36"])).write_csv(out / "people.csv")
    published = json.loads((out / "certificate.json").read_text(encoding="utf-8"))
    published["people"]["sha256"] = hashlib.sha256((out / "people.csv").read_bytes()).hexdigest()
    published["promises"][0]["level"]["k"] = 36
    (out / "certificate.json").write_text(json.dumps(published), encoding="utf-8")
    alone = run("verify", out)
    assert (alone.status, "k = 36" in alone.out) == (0, True), alone.out
    forged = run("verify", out, "--ledger", ledger)
    assert forged.status == 1
    assert "The people of its classes are not as many as the ledger says." in forged.out
