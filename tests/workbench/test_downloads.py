"""What is downloaded does elsewhere what the pages say it does: plans run, releases verify, files have their names."""

import io
import re
import zipfile
from pathlib import Path

import pytest

import shoal
from server_under_test import PEOPLE, write_people
from shoal.plan import Plan
from shoal.server.store import Role
from shoal.workbench.downloads import attachment, named_hierarchies

TOWNS = "Ulm;south;*\nBonn;west;*\n"
PROMISED = "?model=k-anonymity%3Ak%3D4&method=mondrian"


@pytest.fixture(scope="module")
def people(live, tmp_path_factory) -> str:
    """Return a table whose towns have a hierarchy with a name of its own."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "Städte.csv").write_text(TOWNS, encoding="utf-8")
    with live.client("ada") as ada:
        made = ada.upload(write_people(folder), PEOPLE)["id"]
        ada.add_file(made, folder / "Städte.csv")
        town = {"role": "quasi-identifier", "hierarchy": "Städte.csv"}
        ada.set_schema(made, {**PEOPLE, "columns": {**PEOPLE["columns"], "town": town}})
    return made


@pytest.fixture(scope="module")
def release(people, live) -> str:
    """Return a release of it."""
    with live.client("ada") as ada:
        job = ada.run("publish", dataset=people, models=["k-anonymity:k=4"], method="mondrian")
        return job["result"]["release"]


def _unpacked(visitor, address: str, folder: Path) -> str:
    """Unpack an archive, and return the name that it was given."""
    answer = visitor.http.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        archive.extractall(folder)
    named = re.search(r'filename="([^"]*)"', answer.headers["content-disposition"])
    assert named is not None
    return named[1]


@pytest.mark.parametrize("address", ["/data/{people}/plan.zip" + PROMISED, "/releases/{release}/plan.zip"])
def test_a_plan_runs_with_the_data_beside_it(address, people, release, visitor, tmp_path, monkeypatch) -> None:
    there = address.format(people=people, release=release)
    assert _unpacked(visitor("ada"), there, tmp_path) == "people-plan.zip"
    assert {each.name for each in tmp_path.iterdir()} == {"plan.toml", "schema.toml", "Städte.csv"}
    write_people(tmp_path)
    monkeypatch.chdir(tmp_path)
    shoal.publish(Plan.read("plan.toml"))
    assert shoal.verify("release").holds
    assert (tmp_path / "ledger").is_dir()


def test_a_release_in_one_file_verifies(release, visitor, tmp_path) -> None:
    assert _unpacked(visitor("ada"), f"/releases/{release}/release.zip", tmp_path) == "people-release.zip"
    assert shoal.verify(tmp_path / "release").holds
    assert f"/releases/{release}/release.zip" in visitor("ada").get(f"/releases/{release}/report")


def test_only_owners_download(people, release, visitor) -> None:
    for who in (visitor("eve"), visitor("ole", Role.OFFICER)):
        for address in (f"/data/{people}/plan.zip{PROMISED}", f"/releases/{release}/release.zip"):
            assert who.http.get(address).status_code in (403, 404)
    visitor("ada").get(f"/data/{people}/plan.zip?model=nonsense", status=400)


def test_a_hierarchy_keeps_its_name(people, visitor) -> None:
    answer = visitor("ada").http.get(f"/data/{people}/columns/hierarchy.csv?column=town")
    assert "filename*=utf-8''St%C3%A4dte.csv" in answer.headers["content-disposition"]
    assert answer.text == TOWNS


def test_it_is_told_that_the_schema_is_a_later_one(release, people, live, visitor) -> None:
    ada = visitor("ada")
    told = "were changed after this release"
    assert told not in ada.get(f"/releases/{release}/report")
    with live.client("ada") as client:
        client.set_schema(people, client.schema(people))
    assert told in ada.get(f"/releases/{release}/report")


@pytest.mark.parametrize("name", ['a"b\\c/d.csv', "Ä ö.csv", "a\r\nb.csv"])
def test_no_name_breaks_out_of_its_header(name) -> None:
    header = attachment(name)["content-disposition"]
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2


def test_hierarchies_are_found_wherever_a_schema_names_them() -> None:
    built = {"hierarchy": {"kind": "tree", "tree": {"hierarchy": ["a"]}}}
    schema = {
        "hierarchy": "items.csv",
        "columns": {"a": {"hierarchy": "a.csv"}, "b": built, "hierarchy": {"role": "x"}},
    }
    assert list(named_hierarchies(schema)) == ["items.csv", "a.csv"]
