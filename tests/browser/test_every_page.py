"""Every page of the workbench in a browser: nobody is shut out, and nothing leaves the machine."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import Browser

from browsing import Desktop, Window
from page_inspection import faults_of, keyboard_faults_of
from server_under_test import PEOPLE, Live, write_people
from shoal.datasets import write_generated
from shoal.desk.listings import BOOKS
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
FILES = {
    "/static/{version}/{name}": ["workbench.css", "workbench.js", "icon.svg"],
    "/desk/releases/{number}/files/{name:path}": ["certificate.json"],
}
"""The names of files, by the address they are found at."""

OF_THE_TABLE = (
    "/releases/{release}/report/page",
    "/data/{dataset}/columns/hierarchy",
    "/data/{dataset}/columns/hierarchy.csv",
)
"""Addresses that are looked at for one data set, or for one release."""
DOCUMENTS = ("/releases/{release}/report/page",)
"""What is shown as it would be downloaded, without the frame of the workbench; it has tests of its own."""
_PROMISED = "model=k-anonymity%3Ak%3D5"
QUERIES = {
    "/data/{dataset}/promise": ["", f"?{_PROMISED}&method=align"],
    "/data/{dataset}/publish": [f"?{_PROMISED}"],
    "/data/{dataset}/plan.toml": [f"?{_PROMISED}"],
    "/data/{dataset}/columns/hierarchy": ["?column=age", "?column=town"],
    "/data/{dataset}/columns/hierarchy.csv": ["?column=town"],
    "/desk/datasets/one": ["?name=people"],
    "/desk/datasets/new": ["", "?name=people"],
    "/desk/audit": ["", "?check=yes"],
    "/compare": ["", "?a={release}&b={release}"],
    "/lookup": ["", "?release={release}", "?desk={number}"],
}
"""What is asked for at addresses that need to be asked, or that show more then."""


@dataclass
class World:
    """What there is to look at: for every word in braces, what can stand in its place."""

    desktop: Desktop
    windows: dict[Role, Window]
    places: dict[str, list[str]]


@pytest.fixture(scope="module")
def world(browser: Browser, live: Live, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Return a service on which everything was done once."""
    folder = tmp_path_factory.mktemp("data")
    survey, ratings = folder / "survey.csv", folder / "ratings.csv"
    schemas = {
        survey: write_generated("survey", survey, respondents=60, issues=8, sensitive=1, seed=1),
        ratings: write_generated("ratings", ratings, users=60, items=30, ratings=600, seed=1),
    }
    places: dict[str, list[str]] = {"version": [__version__], "book": list(BOOKS)}
    desktop = Desktop(browser, live)
    with live.client() as ada:
        people = ada.upload(write_people(folder), PEOPLE)["id"]
        towns = folder / "towns.csv"
        towns.write_text("Ulm;south;*\nBonn;west;*\n", encoding="utf-8")
        ada.add_file(people, towns)
        columns = {**PEOPLE["columns"], "town": {"role": "quasi-identifier", "hierarchy": "towns.csv"}}
        ada.set_schema(people, {**PEOPLE, "columns": columns})
        declared = {file: tomllib.loads(schema.read_text(encoding="utf-8")) for file, schema in schemas.items()}
        others = [ada.upload(file, schema)["id"] for file, schema in declared.items()]
        places["dataset"] = [people, *others]
        places["column"] = ["age"]
        published = [ada.submit("publish", dataset=each, models=["k-anonymity:k=5"]) for each in places["dataset"]] + [
            ada.submit("publish", dataset=people, models=["k-anonymity:k=3"])
        ]
        finished = [ada.wait(each["id"]) for each in published]
        assert [each["problem"] for each in finished] == [None] * 4
        places["release"] = [each["result"]["release"] for each in finished]
        ada.run("report", release=places["release"][0])
        places["job"] = [each["id"] for each in finished[:1]]
        for name, trust in (("clinic", 0.9), ("insurer", 0.3)):
            ada.set_requester(name, trust)
        ada.add_purpose("care")
        ada.register("people", people, {"promises": ["k-anonymity:k=5"]})
        places["number"] = [str(ada.request("people", "care", requester="clinic")["number"])]
        places["/desk/requests/{job}"] = [each["id"] for each in ada.desk("requests")]
        ada.dry_run("people", "care", "insurer")
        places["/desk/dry-runs/{job}"] = [each["id"] for each in ada.jobs() if each["kind"] == "desk-dry-run"]
    windows = {}
    for role in Role:
        requester = "clinic" if role is Role.REQUESTER else None
        windows[role] = desktop.window(live.token("ada" if role is Role.OWNER else str(role), role, requester))
    yield World(desktop, windows, places)
    desktop.close()


def _addresses(route: APIRoute, world: World) -> list[str]:
    found, queries = [route.path.replace(":path}", "}")], QUERIES.get(route.path, [""])
    for name in route.param_convertors:
        kept = world.places.get(route.path) or world.places.get(name)
        places = FILES.get(route.path) if name == "name" else kept
        if route.path in OF_THE_TABLE:
            places = (places or [])[:1]
        assert places, f"say what can stand for {{{name}}} of {route.path}"
        found = [each.replace(f"{{{name}}}", place) for each in found for place in places]
    asked = [query.format(**{name: each[0] for name, each in world.places.items()}) for query in queries]
    return [each + query for each in found for query in asked]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_a_page_shuts_nobody_out(route: APIRoute, world: World) -> None:
    window = world.windows[(roles_of(route) or (Role.OWNER,))[0]]
    for address in _addresses(route, world):
        answer = window.context.request.get(address)
        assert answer.status == 200, (address, answer.status)
        if "content-disposition" in answer.headers or not answer.headers["content-type"].startswith("text/html"):
            continue  # a file, not a page
        if route.path in DOCUMENTS:
            continue
        window.go(address)
        window.settled()
        told = [f"{address}: {each}" for each in (*keyboard_faults_of(window.page), *faults_of(window.page))]
        assert not told, "\n".join(told)
    assert not window.faults, "\n".join(window.faults)


_FORMS = "form:has(input:is([type=text], [type=search], :not([type])), textarea)"
_FILLED_WRONGLY = """(form) => {
  form.noValidate = true;
  const fields = [...form.querySelectorAll("input:is([type=text], [type=search], :not([type])), textarea")];
  fields.forEach((each) => { each.value = "☃?"; });
  form.querySelector("button:not([type=button])").click();
}"""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_wrong_inputs_are_told_with_the_cure(route: APIRoute, world: World) -> None:
    window = world.windows[(roles_of(route) or (Role.OWNER,))[0]]
    address = _addresses(route, world)[-1]
    answer = window.context.request.get(address)
    if "content-disposition" in answer.headers or not answer.headers["content-type"].startswith("text/html"):
        return  # a file has no form
    if route.path in DOCUMENTS:
        return
    window.go(address)
    forms = window.settled().locator(_FORMS).count()
    for i in range(forms):
        window.go(address)
        window.settled()
        with window.expecting(400, 401, 403, 404, 409, 413, 422):
            with window.page.expect_navigation() as sent:
                window.page.locator(_FORMS).nth(i).evaluate(_FILLED_WRONGLY)
            status = sent.value.status
            alerts = window.page.get_by_role("alert").all_inner_texts()
        where = f"form {i + 1} of {address}, answered with {status}"
        assert status < 500, where
        assert status < 400 or any(alerts), f"{where}, does not say what is wrong"
        kept = "☃?" in window.page.content() or "What to do:" in "".join(alerts)
        assert status < 400 or kept, f"{where}, neither keeps what was entered nor says what to do"
    assert not window.faults, "\n".join(window.faults)
