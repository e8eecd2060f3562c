"""``shoal check --explain``: what is written for the owner, what is printed, and what is never overwritten."""

import json
import os
import stat
from pathlib import Path

import polars as pl
import pytest

import shoal.jobs.check
from cli.files import write_survey, write_table
from shoal.engines import local
from shoal.engines.neighbor_search import sums_within

K3 = "k-epsilon:k=3,epsilon=0"
HEADER = "record,promise,others,others_needed,separating,issues,compared_with,sensitive,spread,spread_needed"


@pytest.fixture
def survey(tmp_path: Path) -> tuple[object, ...]:
    data, schema = write_survey(tmp_path)
    return ("check", data, "--schema", schema)


def test_each_violating_record_has_a_line_by_its_own_id(run, survey, tmp_path: Path) -> None:
    ran = run(*survey, "-m", K3, "--explain", tmp_path / "who.csv")
    lines = pl.read_csv(tmp_path / "who.csv")
    assert ran.status == 1
    assert lines["record"].to_list() == [f"resp-{7000 + i}" for i in range(40)]
    assert set(lines["others"]) == {1}
    assert set(lines["others_needed"]) == {2}
    assert lines["issues"].str.contains("^q[123]").all()
    assert not lines["issues"].str.contains("income").any()
    assert "40 records have fewer than 3 records within ε, themselves included." in ran.out
    assert "40 lines" in ran.out
    assert "never published" in ran.out
    assert "resp-" not in ran.out + ran.err


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize("name", ["who.csv", "who.parquet"])
def test_nobody_but_the_owner_can_read_it(run, survey, tmp_path: Path, mask: int, name: str) -> None:
    before = os.umask(mask)
    try:
        run(*survey, "-m", K3, "--explain", tmp_path / name)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_parquet_and_csv_say_the_same(run, survey, tmp_path: Path) -> None:
    for name in ("who.csv", "who.parquet"):
        run(*survey, "-m", K3, "--explain", tmp_path / name)
    published = pl.read_parquet(tmp_path / "who.parquet")
    assert published.equals(pl.read_csv(tmp_path / "who.csv", schema=published.schema))


@pytest.mark.parametrize("name", ["who.csv", "who.parquet"])
def test_where_all_promises_hold_there_is_a_header_and_a_sentence(run, survey, tmp_path: Path, name: str) -> None:
    ran = run(*survey, "-m", "k-epsilon:k=2,epsilon=0", "--explain", tmp_path / name)
    assert ran.status == 0
    assert "nothing but its header" in ran.out
    published = pl.read_csv(tmp_path / name) if name.endswith("csv") else pl.read_parquet(tmp_path / name)
    assert (",".join(published.columns), published.height) == (HEADER, 0)


def test_json_names_the_file_and_the_reasons(run, survey, tmp_path: Path) -> None:
    ran = run(*survey, "-m", K3, "-m", "k-epsilon:k=2,epsilon=0", "--explain", tmp_path / "who.csv", "--json")
    published = json.loads(ran.out)
    assert (ran.status, ran.err) == (1, "")
    assert published["explained"] == str(tmp_path / "who.csv")
    assert published["promises"][0]["why"] == ["40 records have fewer than 3 records within ε, themselves included."]
    assert "why" not in published["promises"][1]
    assert "explained" not in json.loads(run(*survey, "-m", K3, "--json").out)


@pytest.mark.parametrize("name", ["who.csv", "who.parquet"])
def test_an_explanation_is_replaced_only_by_force(run, survey, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    run(*survey, "-m", K3, "--explain", file)
    before = file.read_bytes()
    refused = run(*survey, "-m", "k-epsilon:k=2,epsilon=0", "--explain", file)
    assert refused.status == 2
    assert "--force" in refused.err
    assert file.read_bytes() == before
    assert run(*survey, "-m", "k-epsilon:k=2,epsilon=0", "--explain", file, "--force").status == 0
    assert file.read_bytes() != before


@pytest.mark.parametrize("name", ["other.csv", "other.parquet"])
def test_a_file_of_another_kind_is_never_replaced(run, survey, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("my,only,copy\n1,2,3\n")
    (tmp_path / "link.csv").symlink_to(file)
    (tmp_path / "folder.csv").mkdir()
    pl.DataFrame({"record": [1]}).write_parquet(tmp_path / "mine.parquet")
    before = (tmp_path / "mine.parquet").read_bytes()
    for target in (file, tmp_path / "link.csv", tmp_path / "folder.csv", tmp_path / "mine.parquet", survey[1]):
        ran = run(*survey, "-m", K3, "--explain", target, "--force")
        assert ran.status == 2
        assert "not replaced" in ran.err
    assert file.read_text() == "my,only,copy\n1,2,3\n"
    assert (tmp_path / "mine.parquet").read_bytes() == before


def test_an_empty_file_may_be_replaced_by_force(run, survey, tmp_path: Path) -> None:
    (tmp_path / "who.csv").touch()
    assert run(*survey, "-m", K3, "--explain", tmp_path / "who.csv", "--force").status == 1
    assert (tmp_path / "who.csv").read_text().startswith(HEADER)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--explain", "who.txt"), "does not say which format"),
        (("--explain", "nowhere/who.csv"), "does not exist"),
        (("--force",), "--explain"),
        (("--search", "guessing"), "--search"),
    ],
)
def test_what_cannot_be_is_told_at_once(run, survey, tmp_path: Path, monkeypatch, more, said) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shoal.jobs.check, "read", lambda *_, **__: pytest.fail("read too early"))
    before = sorted(tmp_path.iterdir())
    ran = run(*survey, "-m", K3, *more)
    assert ran.status == 2
    assert said in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_check_that_fails_leaves_no_file(run, tmp_path: Path) -> None:
    data, schema = write_survey(tmp_path)
    before = sorted(tmp_path.iterdir())
    ran = run("check", data, "--schema", schema, "-m", "k-epsilon:k=2000,epsilon=1", "--explain", tmp_path / "who.csv")
    assert ran.status == 2
    assert sorted(tmp_path.iterdir()) == before


def test_tables_are_told_by_row_number_and_not_by_identifier(run, tmp_path: Path) -> None:
    data, schema = write_table(tmp_path)
    promises = ("-m", "k-anonymity:k=2", "-m", "l-diversity:l=2")
    ran = run("check", data, "--schema", schema, *promises, "--explain", tmp_path / "who.csv")
    published = pl.read_csv(tmp_path / "who.csv")
    assert ran.status == 1
    assert "Person" not in (tmp_path / "who.csv").read_text()
    people = pl.read_csv(data).with_row_index("row", offset=1)
    alone = people.filter(pl.len().over("age", "zip") == 1)["row"].to_list()
    assert published.filter(pl.col("promise") == "k-anonymity:k=2")["record"].to_list() == alone
    uniform = published.filter(pl.col("promise").str.starts_with("l-diversity"))
    assert set(uniform["sensitive"]) == {"disease"}
    assert set(uniform["spread"]) == {1}


@pytest.mark.parametrize("search", ["auto", "slicing", "pairwise"])
def test_every_search_gives_the_same_answer(run, survey, tmp_path: Path, monkeypatch, search: str) -> None:
    asked = (*survey, "-m", K3, "-m", "k-epsilon:k=2,epsilon=1,l=1", "--json")
    plain = json.loads(run(*asked, "--explain", tmp_path / "plain.csv").out)
    searches = []
    monkeypatch.setattr(local, "sums_within", lambda *a, **k: searches.append(k["search"]) or sums_within(*a, **k))
    ran = json.loads(run(*asked, "--search", search, "--explain", tmp_path / "who.csv").out)
    assert set(searches) == {search}
    assert ran["promises"] == plain["promises"]
    assert (tmp_path / "who.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()
