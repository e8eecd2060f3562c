"""Tokens, sessions and the log: how long somebody is let in, and what is written down of it, in either store."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from postgres_server import empty_schema
from server_under_test import LIMITS, PEOPLE, Live, living, write_people
from shoal.server.settings import ServiceSettings
from shoal.server.store import Role
from shoal.server.store.tables import TOKENS

ROLES = ("owner", "officer", "requester", "auditor")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Return a service that the tests share, with its books in a file or in PostgreSQL."""
    with ExitStack() as stack:
        where = None
        if request.param == "postgresql":
            where = stack.enter_context(empty_schema(request.getfixturevalue("postgres_address")))
        folder = tmp_path_factory.mktemp("service")
        yield stack.enter_context(living(ServiceSettings(folder=folder, port=0, limits=LIMITS, desk=where)))


@pytest.fixture(scope="module")
def tokens(live: Live) -> dict[str, str]:
    live.service.books.desk().set_requester("clinic", 0.5)
    return {role: live.token(role, Role(role), "clinic" if role == "requester" else None) for role in ROLES}


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_a_session_ends_with_its_token(live: Live, tokens) -> None:
    owner = _bearer(tokens["owner"])
    shown = httpx.post(f"{live.address}/api/v1/tokens", json={"user": "auditor"}, headers=owner).json()
    with httpx.Client(base_url=live.address) as browser:
        browser.post("/api/v1/session", json={"token": shown["token"]})
        assert browser.get("/api/v1/session").status_code == 200
        rotated = httpx.post(f"{live.address}/api/v1/tokens/{shown['id']}/rotate", headers=owner).json()
        assert browser.get("/api/v1/session").status_code == 401
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(shown["token"])).status_code == 401
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(rotated["token"])).status_code == 200
    assert httpx.delete(f"{live.address}/api/v1/tokens/{rotated['id']}", headers=owner).status_code == 204
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(rotated["token"])).status_code == 401


def test_a_token_expires_and_is_not_kept(live: Live) -> None:
    text = live.token("carl", Role.AUDITOR)
    row = live.service.users.tokens()[-1]
    assert row.user == "carl"  # the last one made, also within a second
    with live.service.books.transaction() as connection:
        stored = connection.exec_driver_sql("SELECT * FROM service_tokens").all()
        assert text not in str(stored)
        past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(timespec="seconds")
        connection.execute(TOKENS.update().where(TOKENS.c.id == row.id).values(expires=past))
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(text)).status_code == 401


def test_a_session_is_good_for_no_longer_than_its_token(live: Live) -> None:
    """Also where the token was revoked while the session was being opened."""
    for ending in ("expires", "revoked"):
        text = live.token("cleo", Role.AUDITOR)
        row = live.service.users.tokens()[-1]
        with httpx.Client(base_url=live.address) as browser:
            browser.post("/api/v1/session", json={"token": text})
            assert browser.get("/api/v1/session").status_code == 200
            past = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(timespec="seconds")
            with live.service.books.transaction() as connection:
                connection.execute(TOKENS.update().where(TOKENS.c.id == row.id).values(**{ending: past}))
            assert browser.get("/api/v1/session").status_code == 401


def test_a_token_is_rotated_to_one_that_is_good_for_as_long(live: Live, tokens) -> None:
    owner = _bearer(tokens["owner"])
    asked = {"user": "auditor", "days": 3}
    shown = httpx.post(f"{live.address}/api/v1/tokens", json=asked, headers=owner).json()
    rotated = httpx.post(f"{live.address}/api/v1/tokens/{shown['id']}/rotate", headers=owner).json()
    left = datetime.fromisoformat(rotated["expires"]) - datetime.now(UTC)
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)


def test_a_closed_user_is_let_in_no_more(live: Live, tokens) -> None:
    text = live.token("dora", Role.OFFICER)
    owner = _bearer(tokens["owner"])
    assert httpx.delete(f"{live.address}/api/v1/users/dora", headers=owner).status_code == 204
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(text)).status_code == 401
    assert httpx.delete(f"{live.address}/api/v1/users/owner", headers=owner).status_code == 400


def test_what_is_done_is_in_the_log_with_who_did_it(live: Live, tokens) -> None:
    owner = _bearer(tokens["owner"])
    httpx.post(f"{live.address}/api/v1/desk/purposes", json={"name": "care"}, headers=_bearer(tokens["officer"]))
    httpx.post(f"{live.address}/api/v1/datasets", json={"name": "x.csv"}, headers=owner)
    log = httpx.get(f"{live.address}/api/v1/desk/log", headers=_bearer(tokens["auditor"])).json()
    by = {(each["event"], each["told"]["by"]) for each in log}
    assert {("purpose", "user officer"), ("data set", "user owner")} <= by
    assert ("token", "user owner") in by
    assert httpx.get(f"{live.address}/api/v1/desk/audit", headers=_bearer(tokens["auditor"])).json()["holds"]


def test_every_step_of_somebody_with_data_and_jobs_is_in_the_log(live: Live, tokens, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with live.client("lea") as lea, live.client("log", Role.AUDITOR) as auditor, httpx.Client() as browser:
        before = len(auditor.log())
        made = lea.upload(tmp_path / "a.csv", {"a": "quasi-identifier", "b": "sensitive"})["id"]
        lea.add_file(made, tmp_path / "a.csv")
        lea.overview(made)
        job = lea.submit("describe", dataset=made)["id"]
        lea.cancel(job)
        lea.wait(job)
        lea.remove_job(job)
        lea.remove_dataset(made)
        entered = browser.post(f"{live.address}/api/v1/session", json={"token": live.token("lea", Role.OWNER)})
        form = browser.get(f"{live.address}/api/v1/session").json()["form_token"]
        browser.delete(f"{live.address}/api/v1/session", headers={"x-shoal-form": form})
        assert entered.status_code == 200
        events = [each for each in auditor.log()[before:] if each["told"]["by"] == "user lea"]
    told = [(each["event"], each["told"].get("part")) for each in events]
    for expected in (
        ("data set", None),
        ("data set changed", "content"),
        ("data set changed", "schema"),
        ("data set changed", "file"),
        ("data set removed", None),
        ("job", None),
        ("job cancelled", None),
        ("job removed", None),
        ("session", None),
        ("session ended", None),
    ):
        assert expected in told, expected


def test_outcomes_releases_and_downloads_are_in_the_log(live: Live, tmp_path: Path) -> None:
    with live.client("noa") as noa:
        dataset = noa.upload(write_people(tmp_path), PEOPLE)["id"]
        asked = {"dataset": dataset, "models": ["k-anonymity:k=5"], "method": "mondrian"}
        job = noa.run("publish", **asked)["id"]
        noa.download(job, tmp_path / "release")
        told = [(each["event"], each["told"]) for each in noa.log() if each["told"]["by"] == "user noa"]
    assert ("job ended", {"by": "user noa", "job": job, "kind": "publish", "state": "done"}) in told
    assert ("release", {"by": "user noa", "release": job, "dataset": dataset}) in told
    assert ("downloaded", {"by": "user noa", "release": job, "file": "data.csv"}) in told


def test_what_somebody_may_not_do_is_in_the_log_and_cannot_fill_it(live: Live) -> None:
    """Of each user some of it a minute; and of all strangers, from however many addresses, no more than of one user."""
    with live.client("max", Role.AUDITOR) as auditor:
        before = len(auditor.log())
        guessed = [httpx.get(f"{live.address}/api/v1/version", headers=_bearer(f"guess{i}")) for i in range(30)]
        forbidden = [auditor._http.get("/jobs") for _ in range(30)]
        log = auditor.log()[before:]
        assert {each.status_code for each in guessed} == {401}
        assert {each.status_code for each in forbidden} == {403}
        tried = [each["told"] for each in log if each["event"] == "not allowed"]
        assert tried[0] == {"by": "user max", "operation": "GET /api/v1/jobs"}
        failed = [each["told"] for each in log if each["event"] == "login failed"]
        assert failed[0] == {"by": "a stranger", "address": "127.0.0.1"}
        assert 8 <= len(tried) <= 12
        assert 1 <= len(failed) <= 12
        assert "guess" not in str(log)
        assert auditor.audit()["holds"]
