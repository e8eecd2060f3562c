"""Who sees which page: every page has a rule, foreign forms are refused, and nobody is sent elsewhere."""

import httpx
import pytest
from fastapi.routing import APIRoute

from shoal.server.store import Role
from shoal.workbench import Workbench
from shoal.workbench.visitors import roles_of

PAGES = [route for router in Workbench().routers for route in router.routes if isinstance(route, APIRoute)]
_PLACES = {"job": "0" * 24, "release": "0" * 24, "dataset": "0" * 16, "number": "1", "version": "x", "name": "x"}


def _address(route: APIRoute) -> str:
    path = route.path.replace(":path}", "}")
    for name in route.param_convertors:
        path = path.replace(f"{{{name}}}", _PLACES.get(name, "x"))
    return path


@pytest.mark.parametrize("route", PAGES, ids=lambda route: f"{sorted(route.methods)[0]} {route.path}")
def test_a_page_is_for_its_roles_and_nobody_else(route, live, visitor) -> None:
    allowed = roles_of(route)
    assert allowed is not None, "say for whom this page is"
    method = sorted(route.methods)[0]
    for role in Role if allowed else ():
        who = visitor(f"{role}-visitor", role, "ines" if role is Role.REQUESTER else None)
        fields = {"form_token": who.form_token} if method == "POST" else None
        if route.path == "/logout":
            continue  # it would end the session of the visitor
        answer = who.http.request(method, _address(route), data=fields, follow_redirects=False)
        assert (answer.status_code == 403) == (role not in allowed), (role, answer.status_code)
        assert answer.status_code < 500
    if allowed:
        stranger = httpx.request(method, live.address + _address(route))
        assert stranger.status_code in (303, 401)
        assert "location" not in stranger.headers or stranger.headers["location"].startswith("/login?next=%2F")


@pytest.mark.parametrize(
    "route", [each for each in PAGES if "POST" in (each.methods or ()) and roles_of(each)], ids=str
)
def test_a_form_of_another_site_is_refused(route, visitor) -> None:
    role = (roles_of(route) or (Role.OWNER,))[0]
    who = visitor(f"{role}-visitor", role, "ines" if role is Role.REQUESTER else None)
    token = who.form_token
    for fields, headers in (
        ({}, {}),
        ({"form_token": "0" * 64}, {}),
        ({"form_token": token}, {"sec-fetch-site": "cross-site"}),
        ({"form_token": token}, {"origin": "https://elsewhere.example"}),
    ):
        answer = who.http.post(_address(route), data=fields, headers=headers, follow_redirects=False)
        assert answer.status_code == 403, (fields.keys(), headers)


@pytest.mark.parametrize("next_", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", ""])
def test_nobody_is_sent_to_another_site(live, next_) -> None:
    token = live.token("ada", Role.OWNER)
    answer = httpx.post(f"{live.address}/login", data={"token": token, "next": next_})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"


def test_an_old_token_in_the_address_leads_to_the_login_and_then_in(live) -> None:
    """Not to the login again, and without the token on the page."""
    token = live.token("ada", Role.OWNER)
    with httpx.Client(base_url=live.address, follow_redirects=True) as browser:
        asked = browser.get("/enter?token=old")
        assert asked.status_code == 401
        assert 'action="/login"' in asked.text
        assert "old" not in asked.text
        entered = browser.post("/login", data={"token": token, "next": "/enter?token=old"})
        assert (entered.status_code, entered.url.path) == (200, "/")


def test_a_wrong_token_is_told_on_a_page(live) -> None:
    answer = httpx.post(f"{live.address}/login", data={"token": "guess"})
    assert answer.status_code == 401
    assert "not known" in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_leaving_ends_the_session(visitor) -> None:
    who = visitor("leaving")
    token = who.form_token
    assert who.http.post("/logout", data={"form_token": token}).url.path == "/login"
    assert who.http.get("/", follow_redirects=False).status_code == 303
