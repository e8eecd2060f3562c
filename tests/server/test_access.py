"""Who may do what: every operation for every role, as its rule says; and what pages of other sites can do."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_under_test import LIMITS, Live
from shoal.errors import FileError, WordingError
from shoal.server.app import create_app
from shoal.server.run import serve
from shoal.server.service import Service
from shoal.server.settings import Limits, ServiceSettings
from shoal.server.store import Role

ROLES = ("owner", "officer", "requester", "auditor")


@pytest.fixture(scope="module")
def tokens(live: Live) -> dict[str, str]:
    live.service.books.desk().set_requester("clinic", 0.5)
    return {role: live.token(role, Role(role), "clinic" if role == "requester" else None) for role in ROLES}


@pytest.fixture(scope="module")
def document(live: Live, tokens: dict[str, str]) -> dict[str, Any]:
    return httpx.get(f"{live.address}/api/v1/openapi.json", headers=_bearer(tokens["auditor"])).json()


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _url(path: str) -> str:
    """Return a path with ids in it of things that do not exist."""
    ids = {"dataset": "0" * 16, "job": "0" * 24, "release": "0" * 24, "token": "0" * 16, "number": "999999"}
    return re.sub(r"\{(\w+)(:path)?\}", lambda found: ids.get(found[1], "nothing"), path)


def test_every_operation_has_a_rule_and_keeps_it_for_every_role(live: Live, tokens, document) -> None:
    """Whoever may not gets 403 whatever is asked; whoever may gets something else; without a token it is 401."""
    tried = 0
    for method, path, operation in _operations(document):
        allowed = operation["x-roles"]
        assert set(allowed) <= set(ROLES), path
        url = live.address + _url(path)
        for role in (*ROLES, None):
            if method == "DELETE" and path.endswith("/session") and role in allowed:
                continue
            status = httpx.request(method, url, headers=_bearer(tokens[role]) if role else {}).status_code
            tried += 1
            if not allowed:
                assert status not in (401, 403) or path.endswith("/session"), (method, path, role)
            elif role is None:
                assert status == 401, (method, path)
            elif role in allowed:
                assert status not in (401, 403), (method, path, role)
            else:
                assert status == 403, (method, path, role)
    assert tried > 200


def test_an_operation_without_a_rule_is_found_when_the_service_is_made(live: Live) -> None:
    from fastapi import FastAPI

    from shoal.server.access import rules_of

    assert len(rules_of(create_app(live.service))) > 50
    app = FastAPI()

    @app.get("/forgotten")
    def forgotten() -> None: ...

    with pytest.raises(KeyError):
        rules_of(app)


def test_nobody_but_the_owner_sees_data_jobs_or_releases(document) -> None:
    """Written down by hand, so that a rule that was widened by mistake is noticed."""
    by_path = {(method, path): set(operation["x-roles"]) for method, path, operation in _operations(document)}
    own = [key for key in by_path if re.match(r"/api/v1/(datasets|jobs|releases|plans|users|tokens)", key[1])]
    assert len(own) > 25
    assert {frozenset(by_path[key]) for key in own} == {frozenset({"owner"})}
    assert by_path["GET", "/api/v1/desk/log"] == {"owner", "auditor"}
    assert by_path["POST", "/api/v1/desk/requests"] == {"owner", "officer", "requester"}
    assert "requester" not in by_path["GET", "/api/v1/desk/requesters"] | by_path["GET", "/api/v1/desk/datasets"]
    auditors = {method for (method, _), roles in by_path.items() if "auditor" in roles}
    assert auditors <= {"GET", "DELETE", "POST"}
    changing = [key for key, roles in by_path.items() if "auditor" in roles and key[0] != "GET"]
    assert changing == [("DELETE", "/api/v1/session")]


DESK = {
    "GET /purposes": "owner officer requester auditor",
    "POST /purposes": "owner officer",
    "GET /requesters": "owner officer auditor",
    "POST /requesters": "owner officer",
    "POST /requesters/{name}/close": "owner officer",
    "GET /datasets": "owner officer auditor",
    "POST /datasets": "owner",
    "POST /datasets/{name}/keep": "owner",
    "PATCH /datasets/{name}/policy": "owner",
    "GET /populations": "owner officer auditor",
    "GET /offers": "owner officer requester",
    "POST /requests": "owner officer requester",
    "GET /requests": "owner officer requester",
    "GET /requests/{job}": "owner officer requester",
    "GET /requests/{job}/events": "owner officer requester",
    "POST /requests/{job}/cancel": "owner officer requester",
    "POST /dry-runs": "owner officer",
    "GET /dry-runs/{job}": "owner officer",
    "GET /releases": "owner officer requester auditor",
    "GET /releases/{number}": "owner officer requester auditor",
    "GET /releases/{number}/files/{name}": "owner officer requester",
    "POST /releases/{number}/lookup": "owner officer requester",
    "POST /releases/{number}/revoke": "owner officer",
    "GET /approvals": "owner officer requester auditor",
    "POST /approvals/{number}/approve": "officer",
    "POST /approvals/{number}/refuse": "officer",
    "GET /proposals": "owner officer auditor",
    "POST /proposals/{number}/confirm": "owner",
    "POST /proposals/{number}/reject": "owner",
    "GET /books/{book}": "owner auditor",
    "GET /log": "owner auditor",
    "GET /audit": "owner officer auditor",
}
"""Written down by hand, so that a rule that was widened by mistake is noticed."""


def test_the_desk_is_for_just_those_who_are_written_down_here(document) -> None:
    prefix = "/api/v1/desk"
    found = {
        f"{method} {path.removeprefix(prefix)}": set(operation["x-roles"])
        for method, path, operation in _operations(document)
        if path.startswith(f"{prefix}/")
    }
    assert found == {operation: set(roles.split()) for operation, roles in DESK.items()}


def test_one_owner_does_not_see_what_another_has(live: Live, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with live.client("ada") as ada, live.client("bob") as bob:
        made = ada.upload(tmp_path / "people.csv")["id"]
        job = ada.jobs()[0]["id"]
        assert ada.dataset(made)
        for path in (f"/datasets/{made}", f"/datasets/{made}/schema", f"/jobs/{job}", f"/jobs/{job}/events"):
            assert bob._http.get(path).status_code == 404
        asked = {"kind": "check", "dataset": made, "models": ["k-anonymity:k=2"]}
        assert bob._http.post("/jobs", json=asked).status_code == 404
        assert bob._http.delete(f"/datasets/{made}").status_code == 404
        assert made not in {each["id"] for each in bob.datasets()}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "[::2]", ""])
def test_a_foreign_name_of_the_host_is_refused_before_anything_else(live: Live, tokens, host: str) -> None:
    for path in ("/api/v1/health", "/api/v1/datasets", "/enter?token=x"):
        answer = httpx.get(live.address + path, headers={**_bearer(tokens["owner"]), "host": host})
        assert answer.status_code == 400
    assert httpx.get(f"{live.address}/api/v1/health", headers={"host": "localhost:1"}).status_code == 200


def test_every_answer_tells_browsers_to_load_nothing_from_elsewhere(live: Live, tokens) -> None:
    for path, headers in (("/api/v1/health", {}), ("/nowhere", {}), ("/api/v1/jobs", _bearer(tokens["owner"]))):
        answer = httpx.get(live.address + path, headers=headers)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
    preflight = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    assert httpx.options(f"{live.address}/api/v1/jobs", headers=preflight).status_code >= 400


def test_a_browser_enters_by_the_address_and_needs_its_form_token(live: Live, tokens) -> None:
    with httpx.Client(base_url=live.address) as browser:
        entered = browser.get(f"/enter?token={tokens['owner']}")
        assert entered.status_code == 303
        assert "token" not in entered.headers["location"]
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        form = browser.get("/api/v1/session").json()["form_token"]
        new = {"name": "a.csv"}
        own = {"x-shoal-form": form, "sec-fetch-site": "same-origin"}
        assert browser.post("/api/v1/datasets", json=new, headers=own).status_code == 201
        for headers in (
            {},
            {"x-shoal-form": "0" * 64},
            {**own, "sec-fetch-site": "cross-site"},
            {**own, "sec-fetch-site": "same-site"},
            {"x-shoal-form": form, "origin": "https://evil.example"},
            {"x-shoal-form": form, "origin": "null"},
            {**own, "x-shoal-form": b"\xe9" * 64},
        ):
            assert browser.post("/api/v1/datasets", json=new, headers=headers).status_code == 403
        assert browser.delete("/api/v1/session", headers=own).status_code == 204
        assert browser.get("/api/v1/session").status_code == 401


def test_guesses_are_held_off_and_whoever_shares_the_address_is_not(new_service) -> None:
    live = new_service(limits=Limits(failures_per_minute=5))
    good = live.token("ada", Role.OWNER)
    found = [httpx.get(f"{live.address}/api/v1/version", headers=_bearer(f"guess{i}")).status_code for i in range(12)]
    assert found[:5] == [401] * 5
    assert found[-1] == 429
    assert httpx.post(f"{live.address}/api/v1/session", json={"token": "guess"}).status_code == 429
    assert httpx.get(f"{live.address}/api/v1/version", headers=_bearer(good)).status_code == 200
    assert httpx.post(f"{live.address}/api/v1/session", json={"token": good}).status_code == 200


def test_floods_are_held_off_however_their_sender_calls_itself(new_service) -> None:
    """A user has one measure, whatever the token and whatever else the headers say; and so has an address."""
    limits = Limits(failures_per_minute=1e6, burst=20, requests_per_second=0.01)
    live = new_service(limits=limits)
    ada = [live.token("ada", Role.OWNER) for _ in range(2)]
    bob = live.token("bob", Role.OWNER)

    def status(headers: dict[str, str]) -> int:
        return httpx.get(f"{live.address}/api/v1/version", headers=headers).status_code

    found = [
        status({"authorization": f"{'Bearer' if i % 2 else 'bEARER '} {ada[i % 2]}", "x": str(i)}) for i in range(30)
    ]
    # the first of each token counts for the address, as nobody had been recognized by it
    assert found.count(200) == 22
    assert status(_bearer(bob)) == 200
    strangers = [status(_bearer(f"guess{i}")) for i in range(30)]
    assert 10 < strangers.count(401) <= 20
    assert strangers[-1] == 429
    assert httpx.get(f"{live.address}/api/v1/health").status_code == 429
    assert status(_bearer(bob)) == 200


def test_a_fault_is_told_and_logged_without_its_text(
    live: Live, tokens, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_user: str) -> None:
        raise ValueError("s3cr3t of a record")

    with httpx.Client(base_url=f"{live.address}/api/v1", headers=_bearer(tokens["owner"])) as http:
        monkeypatch.setattr(live.service.datasets, "of_user", fails)
        answer = http.get("/datasets")
        monkeypatch.undo()
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert "default-src" in answer.headers["content-security-policy"]
        assert http.get("/datasets").status_code == 200  # on the same connection
    assert "s3cr3t" not in answer.text + caplog.text
    assert "ValueError: fails (" in caplog.text


def test_large_bodies_are_refused_whether_or_not_they_say_so(live: Live, tokens) -> None:
    owner = _bearer(tokens["owner"])
    large = b'{"name": "' + b"x" * (LIMITS.body + 10) + b'"}'
    assert httpx.post(f"{live.address}/api/v1/datasets", content=large, headers=owner).status_code == 413

    def in_pieces() -> Iterator[bytes]:
        for at in range(0, len(large), 65536):
            yield large[at : at + 65536]

    assert httpx.post(f"{live.address}/api/v1/datasets", content=in_pieces(), headers=owner).status_code == 413


def test_beyond_loopback_it_needs_tls_and_its_own_name(tmp_path: Path) -> None:
    unfit: tuple[dict[str, Any], ...] = (
        {"host": "0.0.0.0"},
        {"host": "192.0.2.1", "allowed_hosts": ("shoal.example",)},
        {"host": "0.0.0.0", "behind_proxy": True},
        {"behind_proxy": True},
        {"certificate": Path("c.pem")},
    )
    for settings in unfit:
        with pytest.raises(WordingError):
            ServiceSettings(folder=tmp_path, **settings)
    settings = ServiceSettings(folder=tmp_path, host="0.0.0.0", behind_proxy=True, allowed_hosts=("Shoal.example",))
    assert settings.hosts == {"shoal.example"}


def test_behind_a_proxy_nobody_is_let_in_who_was_not_added(tmp_path: Path) -> None:
    """A service on loopback is for one user, unless a proxy lets others reach it."""
    settings = ServiceSettings(folder=tmp_path / "s", port=0, behind_proxy=True, allowed_hosts=("shoal.example",))
    with pytest.raises(WordingError, match="no owner"):
        serve(settings, lambda _address: None)
    service = Service(settings)
    service.users.add("owner", Role.OWNER)
    assert service.enter() is None  # no token is printed that others could read
    assert Service(ServiceSettings(folder=tmp_path / "s")).enter() is not None


def test_books_that_are_away_are_no_fault_of_the_request(live: Live, tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    where = live.service.books._store._engine.url.database
    assert where is not None
    away = Path(where).with_name("away.db")
    os.rename(where, away)
    os.mkdir(where)
    try:
        answer = httpx.get(f"{live.address}/api/v1/version", headers=_bearer(tokens["owner"]))
    finally:
        os.rmdir(where)
        os.rename(away, where)
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert where not in answer.text


def test_a_folder_that_others_can_open_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    with pytest.raises(FileError, match="Others than its owner"):
        Service(ServiceSettings(folder=tmp_path / "open"))


def test_no_problem_repeats_what_was_sent(live: Live, tokens) -> None:
    owner = _bearer(tokens["owner"])
    answer = httpx.post(f"{live.address}/api/v1/jobs", json={"kind": "s3cr3t", "x": "s3cr3t"}, headers=owner)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert "s3cr3t" not in answer.text
