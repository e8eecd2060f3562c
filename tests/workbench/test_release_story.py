"""From risk to report, for a table, for ratings and for a survey, as somebody without scripts goes through it."""

import re
import tomllib

import pytest

from workbench.conftest import Visitor, words_of
from workbench_data import KINDS, add_data

PROMISED = "?model=k-anonymity%3Ak%3D2"
GRIDS = {"table": "ks=2,4&try=mondrian", "ratings": "ks=2,3&epsilons=1&try=align", "survey": "ks=2&try=joined"}
PAIRS = {"table": ("age", "disease"), "ratings": None, "survey": ("age", "issue_1")}


@pytest.fixture(scope="module")
def ada(visitor) -> Visitor:
    return visitor("ada")


@pytest.fixture(scope="module")
def data(live, ada) -> dict[str, str]:
    """Add the data, and begin what the tests of each page ask for, so that jobs run side by side."""
    found = {kind: add_data(live, kind) for kind in KINDS}
    for kind, dataset in found.items():
        ada.finished(f"/data/{dataset}/promise")
        ada.post(f"/data/{dataset}/publish{PROMISED}")
        ada.post(f"/data/{dataset}/risk")
        ada.post(f"/data/{dataset}/promise{PROMISED}", {"do": "limits"})
        ada.post(f"/data/{dataset}/promise{PROMISED}", {"do": "check"})
        ada.post(f"/data/{dataset}/explore?{GRIDS[kind]}", {"do": "compute"})
    return found


@pytest.fixture(scope="module")
def releases(ada, data) -> dict[str, str]:
    """Publish the data of each kind by the pages alone, and return the releases."""
    found = {}
    for kind, dataset in data.items():
        proof = ada.finished(f"/data/{dataset}/publish{PROMISED}&then=proof")
        assert "Holds:" in proof
        release = re.search(r"/releases/([0-9a-f]{24})/use", proof)
        assert release is not None
        found[kind] = release[1]
        for do in ("attack", "measure", "columns"):
            ada.post(f"/releases/{release[1]}/use", {"do": do})
    return found


def small_and_whole(page: str) -> None:
    """Every page is small, says the same elsewhere, and has one heading of the first order."""
    assert len(page.encode()) < 100_000
    assert page.count("<h1") == 1
    assert "The same in the terminal and in Python" in page


@pytest.mark.parametrize("kind", KINDS)
def test_risk_is_told_in_people(ada, data, kind) -> None:
    there = f"/data/{data[kind]}/risk"
    assert re.search(r"[\d,]+ of [\d,]+ records", words_of(ada.finished(there)))
    ada.post(there, {"do": "compute"})
    page = ada.finished(there)
    assert "How often attackers succeed" in page
    assert re.search(r"It finds about \d+ of \d+ people", words_of(page))
    small_and_whole(page)


@pytest.mark.parametrize("kind", KINDS)
def test_a_promise_is_chosen_by_forms_and_stands_in_the_address(ada, data, kind) -> None:
    there = f"/data/{data[kind]}"
    empty = ada.finished(f"{there}/promise")
    assert "Nothing yet" in empty
    answer = ada.http.get(f"{there}/promise", params={"add": "k-anonymity", "set.k": "2"}, follow_redirects=False)
    assert answer.headers["location"] == f"{there}/promise{PROMISED}#chosen"
    promised = ada.get(f"{there}/promise{PROMISED}")
    assert "You would look like at least 1 other." in promised
    assert f'href="{there}/publish{PROMISED}"' in promised
    small_and_whole(promised)
    changed = ada.http.get(
        f"{there}/promise{PROMISED}", params={"model": "k-anonymity:k=2", "change": "0", "set.k": "3"}
    )
    assert changed.url.params.get_list("model") == ["k-anonymity:k=3"]
    ada.post(f"{there}/promise{PROMISED}", {"do": "limits"})
    ada.post(f"{there}/promise{PROMISED}", {"do": "check"})
    known = words_of(ada.finished(f"{there}/promise{PROMISED}"))
    assert "largest" in known or "smallest epsilon" in known
    assert "Holds." in known or "Does not hold." in known


@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_is_the_file_that_it_is(ada, data, kind) -> None:
    there = f"/data/{data[kind]}"
    ada.finished(f"{there}/promise")
    plan = tomllib.loads(ada.http.get(f"{there}/plan.toml{PROMISED}&withhold=2%25").text)
    assert (plan["models"], plan["withhold"]) == (["k-anonymity:k=2"], "2%")
    assert plan["schema"] == "schema.toml"


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_is_proved(ada, data, releases, kind) -> None:
    there = f"/releases/{releases[kind]}/proof"
    assert there in ada.get(f"/data/{data[kind]}/publish{PROMISED}")
    ada.post(there, {"do": "alone"})
    ada.post(there, {"do": "with-ledger"})
    page = ada.finished(there)
    assert words_of(page).count("✓ Holds. (") == 2
    assert "How many people look alike" in page
    small_and_whole(page)
    certificate = ada.http.get(f"/api/v1/releases/{releases[kind]}/files/certificate.json").json()
    assert certificate["promises"][0]["level"]["k"] >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_is_attacked_and_used_beside_the_raw_data(ada, releases, kind) -> None:
    there = f"/releases/{releases[kind]}/use"
    for do in ("attack", "measure", "columns"):
        ada.post(there, {"do": do})
    page = ada.finished(there)
    assert "How often attackers succeed" in page
    assert "which way" in page
    names = re.findall(r'<select id="column".*?</select>', page, re.DOTALL)[0]
    first, second = PAIRS[kind] or re.findall(r"<option>([^<]+)</option>", names)[:2]
    asked = f"{there}?pair={first}&pair={second}"
    ada.post(asked, {"do": "columns"})
    pair = ada.finished(asked)
    assert f"{first} (down) with {second} (across)" in words_of(pair)
    small_and_whole(pair)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_read_and_everything_downloaded(ada, releases, kind) -> None:
    there = f"/releases/{releases[kind]}/report"
    assert ada.http.get(f"{there}/page").status_code == 404
    ada.post(there, {})
    page = ada.finished(there)
    small_and_whole(page)
    report = ada.http.get(f"{there}/page")
    assert "Owner&#39;s report" in report.text or "Owner's report" in report.text
    policy = report.headers["content-security-policy"]
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "style-src 'sha256-" in policy
    for file in re.findall(r'href="(/api/v1/releases/[^"]+)"', page):
        assert ada.http.get(file).status_code == 200
    assert ada.http.get(re.findall(r'href="(/api/v1/jobs/[^"]+)"', page)[0]).status_code == 200
    assert "k-anonymity:k=2" in ada.http.get(f"/releases/{releases[kind]}/plan.toml").text


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_is_explored_and_taken(ada, data, kind) -> None:
    there = f"/data/{data[kind]}/explore?{GRIDS[kind]}"
    ada.finished(there)
    ada.post(there, {"do": "compute"})
    page = ada.finished(there)
    small_and_whole(page)
    taken = re.findall(r'<a href="(/data/[^"]+/promise[^"]+)"', page)
    assert taken
    chosen = ada.get(taken[0].replace("&amp;", "&").partition("#")[0])
    assert "Go on: the plan, and publish" in chosen


def test_two_points_are_compared_and_the_lattice_is_searched(ada, data) -> None:
    there = f"/data/{data['table']}/explore?{GRIDS['table']}"
    ada.post(there, {"do": "compute"})
    ada.post(there, {"do": "lattice"})
    page = ada.finished(f"{there}&one=0&two=1")
    assert "Two points side by side" in page
    assert "nodes had to be looked at" in page


def test_two_releases_are_compared(ada, releases) -> None:
    there = f"/compare?a={releases['table']}&b={releases['survey']}"
    ada.post(there, {"do": "attack"})
    ada.post(there, {"do": "measure"})
    page = words_of(ada.finished(there))
    assert "How often attackers succeed" in page
    assert "What was kept and lost" in page
    assert "Choose a second release" in ada.get(f"/compare?a={releases['table']}")
    assert "The same in the terminal and in Python" in page


def test_a_release_whose_data_and_job_are_gone_is_still_shown(live, ada) -> None:
    dataset = add_data(live, "table")
    ada.finished(f"/data/{dataset}/promise")
    ada.post(f"/data/{dataset}/publish{PROMISED}")
    release = re.search(r"/releases/([0-9a-f]{24})/use", ada.finished(f"/data/{dataset}/publish{PROMISED}&then=proof"))
    assert release is not None
    token = {"x-shoal-form": ada.form_token}
    assert ada.http.delete(f"/api/v1/datasets/{dataset}", headers=token).status_code == 204
    assert ada.http.delete(f"/api/v1/jobs/{release[1]}", headers=token).status_code == 204
    assert "was removed" in ada.get(f"/releases/{release[1]}/proof")
    assert "can only try the release" in ada.get(f"/releases/{release[1]}/use")
    ada.get(f"/releases/{release[1]}/report")
