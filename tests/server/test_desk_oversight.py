"""Oversight of the desk over HTTP: officers approve, two owners change a policy, and the books are exported."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from server_under_test import PEOPLE, Live, write_people
from shoal.client import Client, RefusedByService, ServiceProblem
from shoal.server.store import Role


@pytest.fixture(params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest, new_service: Callable[..., Live]) -> Live:
    return new_service(desk=None if request.param == "sqlite" else request.getfixturevalue("postgres"))


@pytest.fixture
def clients(live: Live, tmp_path: Path) -> Iterator[dict[str, Client]]:
    with ExitStack() as stack:
        found = {
            name: stack.enter_context(live.client(name, role))
            for name, role in (("ada", Role.OWNER), ("bea", Role.OWNER), ("olga", Role.OFFICER), ("aude", Role.AUDITOR))
        }
        ada = found["ada"]
        ada.set_requester("clinic", 0.9, until="2999-12-31")
        ada.add_purpose("care")
        ada.set_requester("clinic", 0.9, purposes=["care"])
        made = ada.upload(write_people(tmp_path, 400), PEOPLE)
        policy = {"promises": ["k-anonymity:k=5"], "approval": True, "two_person": True, "release_days": 30}
        ada.register("people", made["id"], policy)
        found["carol"] = stack.enter_context(live.client("carol", Role.REQUESTER, "clinic"))
        yield found


def test_a_request_waits_and_a_policy_needs_two_owners(live: Live, clients: dict[str, Client]) -> None:
    ada, bea, olga, carol = (clients[name] for name in ("ada", "bea", "olga", "carol"))
    said = olga.dry_run("people", "care", "clinic")
    assert (said["awaits_approval"], said["coalitions"][0]["members"]) == (True, "everybody")
    assert carol._http.post("/desk/dry-runs", json={}).status_code == 403, "it tells what others have"
    assert ada.book("releases") == ada.book("approvals") == []
    with pytest.raises(RefusedByService, match="waits for approval, as number 1"):
        carol.request("people", "care")
    (waiting,) = carol.desk("approvals")
    assert (waiting["state"], waiting["asked_by"]) == ("waiting", "user carol")
    for nobody in (carol, ada, clients["aude"]):
        with pytest.raises(ServiceProblem) as caught:
            nobody.approve(1)
        assert caught.value.status == 403
    assert olga.approve(1, "seen the contract")["decided_by"] == "user olga"
    given = carol.request("people", "care")
    for part in ("groups", "degree_reached", "degrees"):
        assert given[part] == said[part], part
    assert carol.desk("releases")[0]["expires"] is not None
    with pytest.raises(RefusedByService, match="number 2"):
        olga.request("people", "care", requester="clinic")
    with pytest.raises(ServiceProblem, match="does not approve"):
        olga.approve(2)
    assert olga.refuse(2, "once is enough")["state"] == "refused"
    with pytest.raises(ServiceProblem, match="proposal 1") as waits:
        ada.change_policy("people", approval=False)
    assert waits.value.status == 409
    with pytest.raises(ServiceProblem, match="does not confirm"):
        ada.confirm(1)
    assert "approval" not in bea.confirm(1)
    with pytest.raises(ServiceProblem, match="Another owner has registered") as refused:
        bea.change_policy("people", two_person=False)  # whoever registered the data decides, and another one confirms
    assert refused.value.status == 403
    with pytest.raises(ServiceProblem, match="proposal 2"):
        ada.change_policy("people", two_person=False)
    bea.reject(2, "no")
    assert [each["state"] for each in olga.desk("proposals")] == ["confirmed", "rejected"]
    _read_the_books(clients["aude"], given["number"])
    olga.close_requester("clinic", "the contract is over")
    with pytest.raises(RefusedByService, match="does not allow"):
        carol.request("people", "care")
    assert ada.audit()["holds"]


def test_a_service_whose_log_is_anchored_notices_a_store_that_was_put_back(
    new_service: Callable[..., Live], tmp_path: Path
) -> None:
    live = new_service()
    store, anchor = Path(live.service.settings.store), tmp_path / "elsewhere"
    with live.client("aude", Role.AUDITOR) as auditor, live.client("ada") as ada:
        assert (auditor.audit()["anchor"], auditor.audit()["is_compared"]) == ("none", False)
        live.service.books.desk().set_anchor(file=anchor)
        old = store.read_bytes()
        ada.set_requester("clinic", 0.9)
        found = auditor.audit()
        assert (found["holds"], found["anchor"], found["is_compared"]) == (True, "file", True)
        assert str(anchor) not in str(found)
        lines = anchor.read_text("ascii").splitlines()
        assert {line.split()[0] for line in lines} == {"before", "after"}
        anchor.rename(tmp_path / "away")
        answer = ada._http.post("/desk/requesters", json={"name": "insurer", "trust": 0.5})
        assert answer.status_code >= 400, "a change that cannot be anchored is not made"
        (tmp_path / "away").rename(anchor)
        assert [each["requester"] for each in ada.book("requesters")] == ["clinic"]
        store.write_bytes(old)
        assert not auditor.audit()["holds"]


def _read_the_books(auditor: Client, number: int) -> None:
    (release,) = auditor.book("releases", requester="clinic")
    assert (release["number"], release["by"], release["state"]) == (number, "user carol", "done")
    assert auditor.book("refusals")[-1]["why"] == "once is enough"
    assert {each["by"] for each in auditor.book("log", event="policy")} == {"user bea"}
    answer = auditor._http.get("/desk/books/approvals", params={"format": "csv", "state": "used"})
    head, line, _ = answer.text.split("\n")
    assert head.startswith("number,dataset,requester,purpose,trust,state")
    assert line.startswith("1,people,clinic,care,0.9,used,user carol,user olga")
    assert auditor._http.get("/desk/books/log", params={"state": "done"}).status_code == 400
    assert auditor._http.get("/desk/books/secret").status_code in (400, 422)
