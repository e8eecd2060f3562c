"""The desk over HTTP: several users at once, each in its role, on SQLite and on PostgreSQL."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import shoal
from rating_oracle import write_file as write_ratings
from server_under_test import PEOPLE, Live, write_people
from shoal.client import Client, RefusedByService, ServiceProblem
from shoal.server.routes.desk_requests import _told
from shoal.server.store import Identity, Role

POLICY = {"promises": ["k-anonymity:k=5"]}


@pytest.fixture(params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest, new_service: Callable[..., Live]) -> Live:
    where = None if request.param == "sqlite" else request.getfixturevalue("postgres")
    return new_service(desk=where)


@pytest.fixture
def owner(live: Live, tmp_path: Path):
    with live.client("ada") as client:
        for name, trust in (("clinic", 0.9), ("insurer", 0.3)):
            client.set_requester(name, trust)
        client.add_purpose("care")
        made = client.upload(write_people(tmp_path, 400), PEOPLE)
        assert client.register("people", made["id"], POLICY)["version"] == 1
        yield client


def test_a_requester_asks_in_its_own_name_and_sees_its_own_alone(live: Live, owner: Client, tmp_path: Path) -> None:
    with ExitStack() as stack:
        clinic = stack.enter_context(live.client("carol", Role.REQUESTER, "clinic"))
        insurer = stack.enter_context(live.client("ivan", Role.REQUESTER, "insurer"))
        auditor = stack.enter_context(live.client("aude", Role.AUDITOR))
        got = clinic.request("people", "care")
        assert got["requester"] == "clinic"
        folder = clinic.download_view(got["number"], tmp_path / "view")
        assert shoal.verify(folder).holds
        assert ("downloaded", {"by": "user carol", "file": "data.csv", "view": got["number"]}) in [
            (each["event"], each["told"]) for each in auditor.log()
        ]
        with pytest.raises(ServiceProblem, match="no such release"):
            insurer.download_view(got["number"], tmp_path / "stolen")
        with pytest.raises(ServiceProblem, match="own name"):
            insurer.request("people", "care", requester="clinic")
        assert insurer.desk("releases") == []
        assert [each["number"] for each in clinic.desk("releases")] == [got["number"]]
        (mine,) = clinic.desk("requests")
        assert mine["asked"].keys() == {"kind", "name", "requester", "purpose", "format"}
        assert insurer.desk("requests") == []
        assert insurer._http.get(f"/desk/requests/{mine['id']}").status_code == 404
        coarser = insurer.request("people", "care")
        assert coarser["degree_reached"] >= got["degree_reached"]
        assert auditor.audit()["holds"]
        by = {(each["event"], each["told"]["by"]) for each in auditor.log()}
        assert {("done", "user carol"), ("done", "user ivan"), ("dataset", "user ada")} <= by
        view = Path(live.service.books.desk().releases()[0]["folder"])
        view.rename(view.with_name("away"))
        for path in (f"/desk/releases/{got['number']}", f"/desk/releases/{got['number']}/files/data.csv"):
            gone = clinic._http.get(path)
            assert (gone.status_code, str(view.parent) in gone.text) == (404, False), path
        view.with_name("away").rename(view)
        owner.revoke(got["number"], "an error")
        assert clinic._http.get(f"/desk/releases/{got['number']}/files/data.csv").status_code == 404


def test_data_sets_of_two_owners_that_have_people_in_common_are_judged_together(
    live: Live, owner: Client, tmp_path: Path
) -> None:
    """Neither owner hands anything in again: the desk reads the data of the other for its decision, and shows none."""
    (mine,) = owner.datasets()
    owner.change_policy("people", identifier="name", population="register")
    named = {**POLICY, "identifier": "name", "population": "register"}
    with live.client("bob") as bob, live.client("carol", Role.REQUESTER, "clinic") as clinic:
        other = bob.upload(write_people(tmp_path, 200, "patients.csv"), PEOPLE)["id"]
        registered = bob.register("patients", other, named)
        assert (registered["overlaps"], registered.get("warnings")) == ({"people": 200}, None)
        assert clinic.request("patients", "care")["number"] == 1
        said = owner.dry_run("people", "care", "insurer")
        (everybody,) = said["coalitions"]
        assert [each["dataset"] for each in everybody["knows"]] == ["patients", "people"]
        assert all(each["smallest_group"] >= 5 for each in everybody["knows"])
        assert clinic.request("people", "care")["number"] == 2
        assert bob.dry_run("patients", "care", "insurer")["coalitions"][0]["knows"][1]["dataset"] == "people"
        assert mine["id"] not in str([*bob.jobs(), *bob.desk("requests"), *clinic.desk("requests")])
        assert bob._http.get(f"/datasets/{mine['id']}").status_code == 404
        assert owner._http.patch("/desk/datasets/people/policy", json={"apart_from": ["patients"]}).status_code == 400
        told = {each["dataset"]: (each["population"], each["people_in_common"]) for each in owner.book("populations")}
        assert told == {"people": ("register", {"patients": 200}), "patients": ("register", {"people": 200})}
        assert owner.audit()["holds"]


def test_a_requester_learns_no_reason_of_a_refusal(live: Live, owner: Client) -> None:
    owner._http.patch("/desk/datasets/people/policy", json={"promises": ["k-anonymity:k=400"]})
    with live.client("carol", Role.REQUESTER, "clinic") as clinic:
        with pytest.raises((RefusedByService, ServiceProblem)) as caught:
            clinic.request("people", "unknown purpose")
        assert "unknown purpose" not in str(caught.value)
        with pytest.raises(ServiceProblem):
            clinic.request("nothing", "care")
    log = owner.log()
    assert any(each["event"] == "policy" for each in log)


@pytest.mark.parametrize("live", ["sqlite"], indirect=True)
def test_every_refusal_looks_the_same_to_a_requester(live: Live, owner: Client) -> None:
    """Whichever reason there was, neither the sentence nor the status nor anything else tells it."""
    who = Identity("carol", Role.REQUESTER, "clinic")
    row = live.service.jobs.of_user("ada")[0]
    told = []
    for state, status in (("refused", 409), ("refused", 400), ("failed", 400), ("failed", 500)):
        reason = {"type": "urn:shoal:reason", "title": "s3cr3t", "status": status, "detail": "s3cr3t", "more": 1}
        told.append(_told(replace(row, state=state, problem=reason), who).problem)
    assert "s3cr3t" not in str(told)
    assert told[0] == told[1] != told[2] == told[3]
    assert told[0] is not None
    assert told[0].status == 403


@pytest.mark.parametrize("live", ["sqlite"], indirect=True)
def test_whoever_asks_follows_and_cancels_its_own_request_and_a_requester_hears_of_no_stage(
    live: Live, owner: Client
) -> None:
    with live.client("carol", Role.REQUESTER, "clinic") as clinic, live.client("olga", Role.OFFICER) as officer:
        mine = clinic.submit_request("people", "care")["id"]
        assert list(clinic.request_events(mine)) == [{"event": "over", "state": "done"}]
        hers = officer.submit_request("people", "care", requester="clinic")["id"]
        heard = list(officer.request_events(hers))
        assert heard[0]["name"] == "requesting a view"
        assert heard[-1] == {"event": "over", "state": "done"}
        live.service.supervisor._start_waiting = lambda: None
        waits = clinic.submit_request("people", "care")["id"]
        assert officer._http.post(f"/desk/requests/{waits}/cancel").status_code == 404
        assert officer._http.get(f"/desk/requests/{waits}/events").status_code == 404
        assert clinic.cancel_request(waits)["state"] == "cancelled"
        with pytest.raises(ServiceProblem, match="no such request"):
            owner.cancel_request(owner.jobs()[0]["id"])
    by = {(each["event"], each["told"]["by"]) for each in owner.log()}
    assert ("job cancelled", "user carol") in by


@pytest.mark.parametrize("live", ["sqlite"], indirect=True)
def test_owners_decide_on_their_own_data_alone_and_keep_what_the_desk_needs(
    live: Live, owner: Client, tmp_path: Path
) -> None:
    """A policy that another owner weakened would show the data; data that are replaced would give no views any more."""
    (mine,) = owner.datasets()
    weak = {"promises": ["k-anonymity:k=2"]}
    with live.client("bob") as bob:
        assert bob._http.patch("/desk/datasets/people/policy", json=weak).status_code == 403
        other = bob.upload(write_people(tmp_path, 90, "other.csv"), PEOPLE)["id"]
        assert bob._http.post("/desk/datasets", json={"name": "people", "dataset": other}).status_code == 403
    changes: tuple[tuple[str, str, dict], ...] = (
        ("PUT", "/content", {"content": b"a,b\n1,2\n"}),
        ("PUT", "/schema", {"json": PEOPLE}),
        ("PUT", "/files/x.csv", {"content": b"1;*\n"}),
        ("DELETE", "", {}),
    )
    for method, path, settings in changes:
        answer = owner._http.request(method, f"/datasets/{mine['id']}{path}", **settings)
        assert answer.status_code == 400, path
        assert "needs it as it is" in answer.json()["title"]
    assert owner._http.patch("/desk/datasets/people/policy", json=weak).json()["promises"] == weak["promises"]


def test_many_users_at_once_lose_nothing(live: Live, owner: Client, tmp_path: Path) -> None:
    clients = [live.client("carol", Role.REQUESTER, "clinic"), live.client("ivan", Role.REQUESTER, "insurer")]
    found: list[dict] = []

    def ask(client: Client) -> None:
        found.append(client.request("people", "care"))

    threads = [threading.Thread(target=ask, args=(clients[i % 2],)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for client in clients:
        client.close()
    assert sorted(each["number"] for each in found) == [1, 2, 3, 4]
    assert len({(each["requester"], tuple(each["degrees"].items())) for each in found}) == 2
    assert owner.audit()["holds"]
    assert owner._asked("GET", "/desk/audit", params={"folders": True})["holds"]


def test_a_rating_set_is_registered_asked_for_and_downloaded_over_http(
    live: Live, owner: Client, tmp_path: Path
) -> None:
    """Ratings are recognized without a schema, and an earlier version is at hand for the next."""
    raters = {f"r{i}": {"figs": 1 + i % 2 * 4, "eggs": 3} for i in range(40)}
    write_ratings(tmp_path / "films.csv", raters)
    write_ratings(tmp_path / "later.csv", raters | {f"new {i}": {"figs": 5} for i in range(5)})
    assert owner.register("films", owner.upload(tmp_path / "films.csv")["id"], POLICY)["views"] == 2
    (listed,) = (each for each in owner.desk("datasets") if each["name"] == "films")
    assert [column["name"] for column in listed["versions"][0]["columns"]] == ["user", "profile"]
    assert listed["policy"]["identifier"] == "user"
    with live.client("carol", Role.REQUESTER, "clinic") as clinic:
        got = clinic.request("films", "care")
        assert shoal.verify(clinic.download_view(got["number"], tmp_path / "view")).holds
        assert (got["records"], got["groups"], got["ratings"]) == (40, 2, 4)
        assert owner.register("films", owner.upload(tmp_path / "later.csv")["id"])["version"] == 2
        said = owner.dry_run("films", "care", "clinic")
        again = clinic.request("films", "care")
    assert (said["version"], said["groups"], again["groups"], again["records"]) == (2, 2, 2, 45)
    known = {each["version"]: each["smallest_group"] for each in said["coalitions"][0]["knows"]}
    assert known == {1: 20, 2: 5}, "the newcomers are among each other"
    with pytest.raises(ServiceProblem, match="says nothing of 'views'"):
        owner.change_policy("films", views="checked")
    assert owner.audit()["holds"]
