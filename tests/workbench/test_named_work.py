"""Jobs and releases by the names of the data they are of, and the same elsewhere on every page."""

import re
import shlex

import pytest

from shoal.client import Client
from shoal.server.store import Role
from workbench.conftest import words_of
from workbench_data import add_data

PROMISED = "?model=k-anonymity%3Ak%3D5"


@pytest.fixture(scope="module")
def ada(visitor):
    return visitor("ada")


@pytest.fixture(scope="module")
def table(live, ada) -> str:
    dataset = add_data(live, "table")
    ada.finished(f"/data/{dataset}/look")
    ada.post(f"/data/{dataset}/publish{PROMISED}")
    ada.finished(f"/data/{dataset}/publish{PROMISED}")
    return dataset


@pytest.fixture(scope="module")
def release(live, table) -> str:
    return live.service.releases.of_user("ada")[0].id


def test_releases_are_named_by_their_data(ada, release) -> None:
    for page in ("/", "/compare", "/lookup"):
        text = ada.get(page)
        assert re.search(r">people\.csv[:,<]", text), page
        assert "k-anonymity:k=5" in text
    home = ada.get("/")
    assert 'class="words when"' in home  # a time is not broken into lines
    assert "mode=strict" not in words_of(home)


def test_jobs_say_what_they_did_of_which_data_and_lead_to_their_result(live, ada, table, release) -> None:
    page = ada.get("/jobs")
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", page)
    assert rows
    assert all("people.csv" in each for each in rows)
    links = [re.search(r'href="(/(?:data|releases)/[^"]+)"', each) for each in rows]
    assert all(links)
    for each in links:
        assert each is not None
        ada.get(each[1].replace("&amp;", "&"))
    publish = next(each for each in rows if "Publish" in each)
    assert f"/releases/{release}/proof" in publish
    job = live.service.jobs.of_user("ada", kind="describe")[0]
    one = ada.get(f"/jobs/{job.id}")
    assert "<h1>Look at the data: people.csv</h1>" in one
    assert f"/data/{table}/look" in one


def test_jobs_of_what_was_removed_lead_nowhere(live, ada) -> None:
    dataset = add_data(live, "table")
    ada.finished(f"/data/{dataset}/look")
    ada.post(f"/data/{dataset}/delete")
    row = next(each for each in re.findall(r"<tr><th scope=\"row\".*?</tr>", ada.get("/jobs")) if "removed" in each)
    assert f"/data/{dataset}" not in row


def test_the_log_names_an_owners_own_data_and_tells_nobody_else(ada, visitor, table) -> None:
    assert f'<td class="words">{table}</td>' not in ada.get("/desk/log")
    assert '<td class="words">people.csv</td>' in ada.get("/desk/log")
    auditor = visitor("aud", Role.AUDITOR).get("/desk/log")
    assert "people.csv" not in auditor
    assert table in auditor


PAGES = ("/", "/jobs", "/jobs/{job}", "/open", "/data/{table}/columns", "/data/{table}/delete", "/compare", "/lookup")
READ = (
    "/about",
    "/glossary",
    "/desk",
    "/desk/log/1",
    "/desk/users",
    "/desk/purposes",
    "/desk/requests",
    "/desk/releases",
)


@pytest.mark.parametrize("address", [*PAGES, *READ])
def test_every_page_says_the_same_elsewhere(live, ada, table, release, address) -> None:
    job = live.service.jobs.of_user("ada")[0].id
    page = ada.get(address.format(table=table, job=job))
    same = re.search(r'<section class="same".*?</section>', page, re.DOTALL)
    assert same is not None
    terminal, python = re.findall(r"<pre><code>(.*?)</code></pre>", same[0], re.DOTALL)
    python = python.replace("&#39;", "'").replace("&#34;", '"')
    compile(python, address, "exec")
    for called in re.findall(r"client\.(\w+)\(", python):
        assert callable(getattr(Client, called, None)), called
    for line in terminal.replace("&#39;", "'").replace("&#34;", '"').replace("\\\n", " ").splitlines():
        assert line.startswith("#") or shlex.split(line)[0] in ("shoal", "curl", "mkdir"), line


def test_a_requester_is_shown_no_store_of_the_desk(visitor) -> None:
    cid = visitor("cid", Role.REQUESTER, "city")
    for address in ("/desk", "/desk/purposes", "/desk/requests", "/desk/releases"):
        page = cid.get(address)
        assert "--desk" not in page, address
        assert "shoal.Client(" in page, address
