"""Bad input gets a clear sentence, exit 2, and nothing written; and no sentence shows a value of a record."""

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from cli.files import SURVEY_SCHEMA, TABLE_SCHEMA, write_survey, write_table

SECRETS = ("Zebulon", "83.125", "Scrofula", "4711")
TABLE = "name,age,zip,visit,disease\n" + "".join(f"Zebulon{i},{30 + i},4711,x,Scrofula\n" for i in range(9))
SURVEY = "respondent,q1,q2,income\n" + "".join(f"Zebulon{i},{1 + i % 5},2,3\n" for i in range(9))
LONG = "user,item,rating\n" + "".join(f"Zebulon{i},Scrofula,3\n" for i in range(9))
LONG_SCHEMA = 'kind = "ratings"\nlayout = "long"\nscale = [1, 5]\nuser = "user"\nitem = "item"\nrating = "rating"\n'

TABLES = {
    "an empty file": (b"", TABLE_SCHEMA),
    "a header only": (TABLE.splitlines()[0].encode() + b"\n", TABLE_SCHEMA),
    "a missing column": (TABLE.replace("zip", "post").encode(), TABLE_SCHEMA),
    "a doubled column": (TABLE.replace("zip", "age").encode(), TABLE_SCHEMA),
    "a column without a role": (TABLE.replace("disease", "disease,more").encode(), TABLE_SCHEMA),
    "a role that is none": (TABLE.encode(), TABLE_SCHEMA.replace('"drop"', '"whatever"')),
    "no role": (TABLE.encode(), TABLE_SCHEMA.replace('role = "drop"', "")),
    "an unknown setting": (TABLE.encode(), "rolls = 3\n" + TABLE_SCHEMA),
    "a ragged line": (TABLE.encode() + b"Zebulon,83.125\n", TABLE_SCHEMA),
    "a wrong encoding": (TABLE.encode() + "Zebulжжжn,30,4711,x,Scrofula\n".encode("cp1251"), TABLE_SCHEMA),
    "zero bytes": (bytes(range(256)) * 5, TABLE_SCHEMA),
    "text where a number belongs": (
        TABLE.replace("30,", "Scrofula,").encode(),
        TABLE_SCHEMA.replace("[columns.age]", '[columns.age]\ntype = "number"'),
    ),
    "a hierarchy that is not there": (TABLE.encode(), TABLE_SCHEMA.replace('{ kind = "mask" }', '"nowhere.csv"')),
    "a hierarchy that misses a value": (TABLE.encode(), TABLE_SCHEMA.replace('{ kind = "mask" }', '"short.csv"')),
    "a hierarchy that does not nest": (TABLE.encode(), TABLE_SCHEMA.replace('{ kind = "mask" }', '"crossed.csv"')),
    "a schema that is no TOML": (TABLE.encode(), "kind = = 3"),
    "fewer records than k": ("\n".join(TABLE.splitlines()[:4]).encode(), TABLE_SCHEMA),
}

RATINGS = {
    "a rating off the scale": (SURVEY.replace(",2,", ",9,"), SURVEY_SCHEMA),
    "a fraction on an integer scale": (SURVEY.replace(",2,", ",2.5,"), SURVEY_SCHEMA),
    "text among the ratings": (SURVEY.replace(",2,", ",Scrofula,"), SURVEY_SCHEMA),
    "NaN among the ratings": (SURVEY.replace(",2,", ",NaN,"), SURVEY_SCHEMA),
    "infinity among the ratings": (SURVEY.replace(",2,", ",inf,"), SURVEY_SCHEMA),
    "a respondent twice": (SURVEY + "Zebulon1,1,1,1\n", SURVEY_SCHEMA),
    "a sensitive issue that is none": (SURVEY, SURVEY_SCHEMA.replace("income", "wealth")),
    "the same item rated twice": (LONG + "Zebulon1,Scrofula,4\n", LONG_SCHEMA),
    "an empty user id": (LONG + ",Scrofula,4\n", LONG_SCHEMA),
    "a scale upside down": (LONG, LONG_SCHEMA.replace("[1, 5]", "[5, 1]")),
}


def refused(ran, folder: Path, before: list[Path]) -> None:
    assert ran.status == 2, (ran.out, ran.err)
    assert ran.err.startswith("shoal: ")
    assert ran.err.count("\n") == 1, "one sentence and its cure on one line"
    assert "fault of Shoal" not in ran.err
    for secret in SECRETS:
        assert secret not in ran.err + ran.out
    assert sorted(folder.iterdir()) == before, "nothing is written"


@pytest.mark.parametrize("case", TABLES)
def test_a_table_with_a_fault_is_refused(run, tmp_path: Path, case: str) -> None:
    content, schema = TABLES[case]
    (tmp_path / "d.csv").write_bytes(content)
    (tmp_path / "s.toml").write_text(schema, encoding="utf-8")
    (tmp_path / "short.csv").write_text("4712;47**;*\n", encoding="utf-8")
    (tmp_path / "crossed.csv").write_text("4711;a;x;*\n4712;a;y;*\n", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    ran = run(
        "publish", tmp_path / "d.csv", "--schema", tmp_path / "s.toml", "-m", "k-anonymity:k=5", "--out", tmp_path / "o"
    )
    refused(ran, tmp_path, before)


@pytest.mark.parametrize("case", RATINGS)
def test_ratings_with_a_fault_are_refused(run, tmp_path: Path, case: str) -> None:
    content, schema = RATINGS[case]
    (tmp_path / "d.csv").write_text(content, encoding="utf-8")
    (tmp_path / "s.toml").write_text(schema, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    ran = run(
        "publish",
        tmp_path / "d.csv",
        "--schema",
        tmp_path / "s.toml",
        "-m",
        "k-epsilon:k=2,epsilon=5",
        "--out",
        tmp_path / "o",
    )
    refused(ran, tmp_path, before)


@pytest.mark.parametrize(("duplicates", "status"), [("refuse", 2), ("last", 0), ("mean", 0)])
def test_duplicates_are_accepted_only_when_the_owner_says_how(
    run, tmp_path: Path, duplicates: str, status: int
) -> None:
    (tmp_path / "d.csv").write_text(RATINGS["the same item rated twice"][0], encoding="utf-8")
    (tmp_path / "s.toml").write_text(LONG_SCHEMA, encoding="utf-8")
    ran = run(
        "check", tmp_path / "d.csv", "--schema", tmp_path / "s.toml", "-m", "k-epsilon:k=2,epsilon=1",
        "--duplicates", duplicates,
    )  # fmt: skip
    assert ran.status == status


@pytest.mark.parametrize(
    "promise",
    [
        "k-anonymity:k=1",
        "k-anonymity:k=x",
        "k-anonymity",
        "l-diversity:l=1",
        "l-diversity:l=2,kind=other",
        "nothing:k=2",
        "",
    ],
)
def test_a_promise_that_means_nothing_is_refused(run, tmp_path: Path, promise: str) -> None:
    data, schema = write_table(tmp_path)
    before = sorted(tmp_path.iterdir())
    refused(run("publish", data, "--schema", schema, "-m", promise, "--out", tmp_path / "o"), tmp_path, before)


@pytest.mark.parametrize(
    "promise",
    [
        "k-epsilon:k=1,epsilon=1",
        "k-epsilon:k=2,epsilon=-1",
        "k-epsilon:k=2",
        "k-epsilon:k=2,epsilon=1,l=-1",
        "k-epsilon:k=2,epsilon=1,spread=pairwise",
        "k-epsilon:k=2,epsilon=1,semantics=x",
        "l-diversity:l=2",
    ],
)
def test_a_promise_that_ratings_cannot_keep_is_refused(run, tmp_path: Path, promise: str) -> None:
    data, schema = write_survey(tmp_path)
    before = sorted(tmp_path.iterdir())
    refused(run("publish", data, "--schema", schema, "-m", promise, "--out", tmp_path / "o"), tmp_path, before)


def test_truncated_files_are_refused(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    whole = gzip.compress(data.read_bytes())
    (tmp_path / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    assert run("generate", "ratings", "--users", 50, "--ratings", 500, "--out", tmp_path / "r.parquet").status == 0
    parquet = (tmp_path / "r.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(parquet[: len(parquet) // 2])
    before = sorted(tmp_path.iterdir())
    ran = run("publish", tmp_path / "cut.csv.gz", "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o")
    refused(ran, tmp_path, before)
    ran = run("publish", tmp_path / "cut.parquet", "-m", "k-anonymity:k=5", "--out", tmp_path / "o")
    refused(ran, tmp_path, before)


def test_paths_that_cannot_be_written_are_refused(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    before = sorted(tmp_path.iterdir())
    ask = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out")
    refused(run(*ask, tmp_path / "no" / "such" / "folder"), tmp_path, before)
    refused(run(*ask, data), tmp_path, before)
    refused(run(*ask, tmp_path / "o", "--ledger", tmp_path / "o"), tmp_path, before)
    refused(run(*ask, tmp_path / "o", "--ledger", tmp_path / "o" / "inside"), tmp_path, before)
    refused(run(*ask, tmp_path / "o", "--ledger", tmp_path / "no" / "folder"), tmp_path, before)
    refused(run(*ask, "/proc/nowhere"), tmp_path, before)


def test_an_existing_folder_is_replaced_only_by_force_and_only_if_it_is_a_release(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ask = ("publish", data, "--schema", schema, "-m", "k-anonymity:k=5", "--out", tmp_path / "o")
    assert run(*ask).status == 0
    first = (tmp_path / "o" / "data.csv").read_bytes()
    assert run(*ask).status == 2
    assert (tmp_path / "o" / "data.csv").read_bytes() == first
    assert run(*ask, "--force").status == 0
    assert (tmp_path / "o" / "data.csv").read_bytes() != first
    precious = tmp_path / "thesis"
    precious.mkdir()
    (precious / "draft.txt").write_text("years of work", encoding="utf-8")
    assert run(*ask[:-1], precious, "--force").status == 2
    assert (precious / "draft.txt").read_text(encoding="utf-8") == "years of work"


def test_a_failed_replacement_leaves_the_old_release_as_it_was(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    ask = ("publish", data, "--schema", schema, "--out", tmp_path / "o", "--force", "-m")
    assert run(*ask, "k-anonymity:k=5").status == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "o").iterdir()}
    assert run(*ask, "k-anonymity:k=5", "--method", "none").status == 3
    assert {file.name: file.read_bytes() for file in (tmp_path / "o").iterdir()} == before


def test_a_folder_that_is_no_release_is_refused(run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "certificate.json").write_text('{"promises": "all"}', encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    for name in ("empty", "odd", "nowhere"):
        refused(run("verify", tmp_path / name), tmp_path, before)


@pytest.fixture
def release(run, tmp_path: Path) -> Path:
    data, schema = write_table(tmp_path)
    asked = ("-m", "k-anonymity:k=5", "-m", "l-diversity:l=2")
    assert run("publish", data, "--schema", schema, *asked, "--out", tmp_path / "o").status == 0
    return tmp_path / "o"


@pytest.mark.parametrize("name", ["data.csv", "schema.toml"])
def test_one_altered_byte_makes_verify_fail(run, release: Path, name: str) -> None:
    content = bytearray((release / name).read_bytes())
    for place in (0, len(content) // 2, len(content) - 2):
        content[place] ^= 1
        (release / name).write_bytes(content)
        ran = run("verify", release)
        assert ran.status == 2
        assert "altered after its certificate" in ran.err
        content[place] ^= 1
    (release / name).write_bytes(content)
    assert run("verify", release).status == 0


def test_a_missing_file_makes_verify_fail(run, release: Path) -> None:
    (release / "data.csv").unlink()
    assert run("verify", release).status == 2


def test_a_forged_certificate_makes_verify_say_no(run, release: Path) -> None:
    certificate = release / "certificate.json"
    honest = json.loads(certificate.read_text(encoding="utf-8"))

    def forged(**changes: object) -> int:
        certificate.write_text(json.dumps({**honest, **changes}), encoding="utf-8")
        return run("verify", release).status

    promise = honest["promises"][0]
    assert forged() == 0
    assert forged(promises=[{**promise, "promise": "k-anonymity:k=50"}]) == 1
    assert forged(promises=[{**promise, "level": {"k": 6}}]) == 1
    assert forged(promises=[{**promise, "promise": "k-anonymity:k=5000"}]) == 1
    assert forged(promises=[{**promise, "promise": "k-epsilon:k=2,epsilon=1"}]) == 1
    assert forged(records=61) == 1
    assert forged(groups=1) == 1
    assert forged(promises=[]) == 2
    assert forged(data={"file": "../secret.csv", "sha256": ""}) == 2


def test_an_unreadable_release_folder_is_one_sentence(run, release: Path) -> None:
    shutil.copy(release / "data.csv", release / "extra.csv")
    assert run("verify", release).status == 0, "files beside the release do not count"
    os.remove(release / "certificate.json")
    assert run("verify", release).status == 2


def test_the_ledger_of_another_release_is_refused(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    for name in "ab":
        asked = ("-m", "k-anonymity:k=5", "--out", tmp_path / name, "--ledger", tmp_path / f"{name}-ledger")
        assert run("publish", data, "--schema", schema, *asked).status == 0
    assert run("measure", tmp_path / "a", "--ledger", tmp_path / "b-ledger").status == 2
    assert run("measure", tmp_path / "a", "--ledger", tmp_path / "b").status == 2
    assert run("measure", tmp_path / "a", "--ledger", tmp_path / "a-ledger").status == 0
