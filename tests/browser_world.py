"""A service on which everything was done once, and every address of the workbench that shows something."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute
from playwright.sync_api import Browser

from browsing import Desktop, Window
from server_under_test import PEOPLE, Live, write_people
from shoal.client import Client
from shoal.datasets import write_generated
from shoal.desk.listings import BOOKS
from shoal.errors import ShoalError
from shoal.server.store import Role
from shoal.version import __version__
from shoal.workbench import Workbench
from shoal.workbench.visitors import roles_of

ROUTES = [
    route
    for router in Workbench().routers
    for route in router.routes
    if isinstance(route, APIRoute) and "GET" in (route.methods or ())
]
"""Every address that can be looked at."""
_FILES = {
    "/static/{version}/{name}": ["workbench.css", "workbench.js", "icon.svg"],
    "/desk/releases/{number}/files/{name:path}": ["certificate.json"],
}
"""The names of files, by the address they are found at."""

_OF_THE_TABLE = (
    "/releases/{release}/report/page",
    "/data/{dataset}/columns/hierarchy",
    "/data/{dataset}/columns/hierarchy.csv",
)
"""Addresses that are looked at for one data set, or for one release."""
_DOCUMENTS = ("/releases/{release}/report/page",)
"""What is shown as it would be downloaded, without the frame of the workbench; it has tests of its own."""
_PROMISED = "model=k-anonymity%3Ak%3D5"
_QUERIES = {
    "/data/{dataset}/promise": ["", f"?{_PROMISED}&method=align"],
    "/data/{dataset}/publish": [f"?{_PROMISED}"],
    "/data/{dataset}/plan.toml": [f"?{_PROMISED}"],
    "/data/{dataset}/plan.zip": [f"?{_PROMISED}"],
    "/data/{dataset}/columns/hierarchy": ["?column=age", "?column=town"],
    "/data/{dataset}/columns/hierarchy.csv": ["?column=town"],
    "/desk/datasets/one": ["?name=people", "?name=patients"],
    "/desk/datasets/new": ["", "?name=people"],
    "/desk/audit": ["", "?check=yes"],
    "/compare": ["", "?a={release}&b={release}"],
    "/lookup": ["", "?release={release}", "?desk={number}"],
}
"""What is asked for at addresses that need to be asked, or that show more then."""


@dataclass
class World:
    """What there is to look at: for every word in braces, what can stand in its place, for some roles by route."""

    desktop: Desktop
    windows: dict[Role, Window] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    own: dict[tuple[Role, str], list[str]] = field(default_factory=dict)
    """What is somebody's own: by role and route."""

    def addresses(self, route: APIRoute, role: Role) -> list[str]:
        """Return where a route is looked at by somebody in a role."""
        found, queries = [route.path.replace(":path}", "}")], _QUERIES.get(route.path, [""])
        for name in route.param_convertors:
            places = self._places(route, role, name)
            found = [each.replace(f"{{{name}}}", place) for each in found for place in places]
        if role is not Role.OWNER:
            queries = [each for each in queries if "{release}" not in each]
        asked = [query.format(**{name: each[0] for name, each in self.places.items()}) for query in queries]
        return [each + query for each in found for query in asked]

    def _places(self, route: APIRoute, role: Role, name: str) -> list[str]:
        if (role, route.path) in self.own:
            return self.own[role, route.path]  # perhaps none: what others asked for is theirs
        places = (_FILES.get(route.path) if name == "name" else self.places.get(name)) or []
        assert places, f"say what can stand for {{{name}}} of {route.path}, for the role {role}"
        return places[:1] if route.path in _OF_THE_TABLE else places

    def pages(self, route: APIRoute) -> Iterator[tuple[Window, str]]:
        """Yield each page of a route with who sees it: for a further role, only where the page is another one."""
        seen = set()
        for role in roles_of(route) or (Role.OWNER,):
            for address in self.addresses(route, role):
                answer = self.windows[role].context.request.get(address)
                assert answer.status == 200, (address, role, answer.status)
                text = answer.text() if answer.headers["content-type"].startswith("text/html") else ""
                if not text or "content-disposition" in answer.headers or route.path in _DOCUMENTS:
                    continue  # a file, not a page
                if answer.url.endswith(address) and _shape(text) not in seen:
                    seen.add(_shape(text))
                    yield self.windows[role], address


def _shape(text: str) -> str:
    """Return a page without what differs between two looks of two people at the same page."""
    body = text[text.index("<main") :]
    return re.sub(r'name="form_token" value="[0-9a-f]*"|[\w.-]*/[\w./-]*\.sqlite|STORE', "", body)


@contextmanager
def world_of(browser: Browser, live: Live, folder: Path) -> Iterator[World]:
    """Yield a service on which everything was done once; it is closed when the block is left."""
    world = World(Desktop(browser, live), places={"version": [__version__], "column": ["age"], "book": list(BOOKS)})
    for role in Role:
        requester = "clinic" if role is Role.REQUESTER else None
        if requester is not None:
            live.service.books.desk().set_requester(requester, 0.9)
        token = live.token(_NAMES[role], role, requester)
        world.windows[role] = world.desktop.window(token)
    with live.client() as ada:
        _publish(world, ada, folder)
        patients = ada.upload(write_people(folder, 100, "patients.csv"), PEOPLE)["id"]
        _run_the_desk(world, live, ada, patients)
    yield world
    world.desktop.close()


_NAMES = {Role.OWNER: "ada", Role.OFFICER: "ole", Role.REQUESTER: "cid", Role.AUDITOR: "aud"}


def _publish(world: World, ada: Client, folder: Path) -> None:
    people = ada.upload(write_people(folder), PEOPLE)["id"]
    towns = folder / "towns.csv"
    towns.write_text("Ulm;south;*\nBonn;west;*\n", encoding="utf-8")
    ada.add_file(people, towns)
    columns = {**PEOPLE["columns"], "town": {"role": "quasi-identifier", "hierarchy": "towns.csv"}}
    ada.set_schema(people, {**PEOPLE, "columns": columns})
    datasets = [people, *(ada.upload(file, schema)["id"] for file, schema in _generated(folder))]
    asked = [(each, 5) for each in datasets] + [(people, 3)]
    published = [ada.submit("publish", dataset=each, models=[f"k-anonymity:k={k}"]) for each, k in asked]
    finished = [ada.wait(each["id"]) for each in published]
    assert [each["problem"] for each in finished] == [None] * 4
    world.places["dataset"] = datasets
    world.places["release"] = [each["result"]["release"] for each in finished]
    ada.run("report", release=world.places["release"][0])
    world.places["job"] = [each["id"] for each in finished[:1]]


def _generated(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    made: dict[str, dict[str, Any]] = {
        "survey": {"respondents": 60, "issues": 8, "sensitive": 1},
        "ratings": {"users": 60, "items": 30, "ratings": 600},
    }
    for kind, settings in made.items():
        file = folder / f"{kind}.csv"
        schema = write_generated(kind, file, **settings, seed=1)
        yield file, tomllib.loads(schema.read_text(encoding="utf-8"))


def _run_the_desk(world: World, live: Live, ada: Client, patients: str) -> None:
    """Have views asked for by everybody who may; a request waits for an officer, a change for an owner."""
    ada.set_requester("insurer", 0.3)
    ada.add_purpose("care")
    ada.register("people", world.places["dataset"][0], {"promises": ["k-anonymity:k=5"]})
    careful = {"apart_from": ["people"], "approval": True, "two_person": True}
    ada.register("patients", patients, {"promises": ["k-anonymity:k=4"], **careful})
    world.places["number"] = [str(ada.request("people", "care", requester="clinic")["number"])]
    ada.dry_run("people", "care", "insurer")
    with live.client(_NAMES[Role.REQUESTER], Role.REQUESTER, "clinic") as cid:
        cid.request("people", "care")
        _ignoring(lambda: cid.request("patients", "care"))
    for role in Role:
        for kind, route in (("desk-request", "/desk/requests/{job}"), ("desk-dry-run", "/desk/dry-runs/{job}")):
            found = live.service.jobs.of_user(_NAMES[role], kind=kind)
            world.own[role, route] = [each.id for each in found]
    _ignoring(lambda: ada.change_policy("patients", promises=["k-anonymity:k=6"]))


def _ignoring(refused: Any) -> None:
    """Do what has to wait for somebody, which is told as an error."""
    try:
        refused()
    except ShoalError:
        return
    raise AssertionError("this should have to wait")
