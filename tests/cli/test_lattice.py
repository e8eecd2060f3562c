"""``shoal lattice``: the best generalization, all minimal ones, and a table of every one evaluated."""

import json
from pathlib import Path

import polars as pl
import pytest

from cli.files import write_survey, write_table
from shoal.anonymizers.lattice import lattice as searches


@pytest.fixture
def people(tmp_path: Path) -> tuple[Path, str, Path]:
    data, schema = write_table(tmp_path)
    return data, "--schema", schema


def test_the_best_and_the_minimal_nodes_are_shown(run, people) -> None:
    published = json.loads(run("lattice", *people, "-m", "k-anonymity:k=5", "--minimal", "--json").out)
    assert published["attributes"] == ["age", "zip"]
    assert published["nodes"] == (published["heights"][0] + 1) * (published["heights"][1] + 1)
    assert published["whole"]
    assert published["best"]["node"] in [*published["minimal"]]
    assert published["best"]["withheld"] == 0
    assert published["looked_at"] <= published["nodes"]


def test_withholding_never_makes_the_best_worse(run, people) -> None:
    losses = [
        json.loads(run("lattice", *people, "-m", "k-anonymity:k=5", "--withhold", share, "--json").out)["best"]["loss"]
        for share in ("0", "10%")
    ]
    assert losses[1] <= losses[0]


def test_what_is_published_is_what_was_found(run, people, tmp_path) -> None:
    published = json.loads(run("lattice", *people, "-m", "k-anonymity:k=5", "--json").out)
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    asked = ("-m", "k-anonymity:k=5", "--method", "lattice", "--out", out, "--ledger", ledger)
    assert run("publish", *people, *asked).status == 0
    measured = json.loads(run("measure", out, "--ledger", ledger, "--json").out)["measures"]
    assert measured["loss-mean"] == pytest.approx(published["best"]["loss"])


def test_the_best_stands_first_also_where_others_lose_the_same(run, tmp_path) -> None:
    """Whatever is told of the country, all have the same, and the lowest is the best."""
    schema = 'kind = "table"\n'
    for name in ("country", "zip"):
        schema += f'[columns.{name}]\nrole = "quasi-identifier"\nhierarchy = {{ kind = "mask" }}\n'
    (tmp_path / "s.toml").write_text(schema, encoding="utf-8")
    lines = ["country,zip", *(f"Norway,{4350 + i % 3}" for i in range(12))]
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = (tmp_path / "d.csv", "--schema", tmp_path / "s.toml", "-m", "k-anonymity:k=5")
    published = json.loads(run("lattice", *asked, "--out", tmp_path / "nodes.csv", "--json").out)
    assert published["best"]["node"] == [0, 1]
    nodes = pl.read_csv(tmp_path / "nodes.csv")
    assert nodes.select("level of country", "level of zip").row(0) == (0, 1)


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lattice is too large to be searched whole, and the time is up at once."""
    descend = searches.lattice_descent
    monkeypatch.setattr("shoal.anonymizers.generalization.search._MOST_NODES", 0)
    monkeypatch.setattr(searches, "lattice_descent", lambda evaluation, _: descend(evaluation, -1))


@pytest.mark.usefixtures("no_time")
def test_a_search_that_was_cut_off_is_owned_up_to_when_publishing(run, people, tmp_path) -> None:
    out, ledger = tmp_path / "release", tmp_path / "ledger"
    asked = ("publish", *people, "-m", "k-anonymity:k=5", "--method", "lattice", "--out", out, "--ledger", ledger)
    asked = (*asked, "--accept", "empty")
    ran = run(*asked)
    assert ran.status == 0
    assert "there may be a better one" in ran.out
    report = json.loads((ledger / "report.json").read_text())
    assert 0 < report["lattice nodes looked at"] < report["lattice nodes"]
    assert "there may be a better one" in json.loads(run(*asked, "--force", "--json").out)["notes"][0]
    assert "lattice nodes" not in (out / "certificate.json").read_text()


def test_of_a_search_that_went_to_its_end_there_is_nothing_to_say(run, people, tmp_path) -> None:
    asked = ("publish", *people, "-m", "k-anonymity:k=5", "--method", "lattice", "--out", tmp_path / "release")
    assert "notes" not in json.loads(run(*asked, "--json").out)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_every_node_looked_at_is_written_and_replaced_only_if_asked(run, people, tmp_path, suffix) -> None:
    file = tmp_path / f"nodes.{suffix}"
    asked = ("lattice", *people, "-m", "k-anonymity:k=5", "--out", file)
    assert run(*asked).status == 0
    table = pl.read_csv(file) if suffix == "csv" else pl.read_parquet(file)
    assert table.columns == ["level of age", "level of zip", "keeps", "withheld", "groups", "loss-mean"]
    assert table["loss-mean"].is_null().to_list() == [not keeps for keeps in table["keeps"]]
    assert run(*asked).status == 2
    assert run(*asked, "--force").status == 0
    file.write_text("my own")
    assert run(*asked, "--force").status == 2


def test_people_read_a_table(run, people) -> None:
    ran = run("lattice", *people, "-m", "k-anonymity:k=5", "--minimal")
    assert ran.status == 0
    assert "paths from the bottom to the top" in ran.out
    assert "minimal node" in ran.out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "at least one promise"),
        (("-m", "k-anonymity:k=5", "--method", "mondrian"), "does not search a lattice"),
        (("-m", "k-anonymity:k=5", "--withhold", "all"), "cannot be 'all'"),
        (("-m", "k-anonymity:k=5", "--out", "nodes.txt"), "does not say which format"),
        (("-m", "k-anonymity:k=5", "--method", "lattice:weights=shoe:2"), "no quasi-identifier 'shoe'"),
    ],
)
def test_what_cannot_be_searched_is_refused(run, people, asked, said) -> None:
    ran = run("lattice", *people, *asked)
    assert ran.status == 2
    assert said in ran.err


def test_ratings_have_no_lattice(run, tmp_path) -> None:
    data, schema = write_survey(tmp_path)
    ran = run("lattice", data, "--schema", schema, "-m", "k-anonymity:k=2")
    assert ran.status == 2
    assert "these data are ratings" in ran.err
