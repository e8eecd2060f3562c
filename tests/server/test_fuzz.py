"""Every operation, as its schema says and against it: no fault of the service, and answers as the document says.

Half of the cases name things that are there: a data set with a schema, a job that is done, a release; at the desk data
sets, views, requests that wait and changes that were proposed. Whoever asks has one of the roles that the operation is
for, most of the time. Some cases an operation are tried here; ``benchmarks/service_fuzz.py`` sets
``SHOAL_FUZZ_CASES`` and has thousands tried.
"""

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from server_under_test import LIMITS, PEOPLE, Live, living, write_people
from shoal.client import Client
from shoal.desk import Policy, Purpose
from shoal.errors import ApprovalAwaited, ConfirmationAwaited
from shoal.jobs.desk import register, request
from shoal.server.app import create_app
from shoal.server.service import Service
from shoal.server.settings import ServiceSettings
from shoal.server.store import Identity, Role

_CASES = int(os.environ.get("SHOAL_FUZZ_CASES", "5"))


def _document() -> dict:
    """Return the document of the service, without one that listens."""
    with tempfile.TemporaryDirectory() as folder:
        return create_app(Service(ServiceSettings(folder=Path(folder) / "service"))).openapi()


_EXCLUDED = [
    # what fits the schema may still be refused for its meaning: a promise that does not exist, say
    checks.positive_data_acceptance,
    # the token is sent with every request here; tests of access ask without one
    checks.ignored_auth,
]

schema = schemathesis.openapi.from_dict(_document())


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Return a service on which few jobs wait: most of them would only take time here."""
    limits = replace(LIMITS, running=1, queued=3)
    with living(ServiceSettings(folder=tmp_path_factory.mktemp("service"), port=0, limits=limits)) as found:
        yield found


@pytest.fixture(scope="module")
def tokens(live: Live) -> dict[str, str]:
    """Return a token for each role; the requester asks for the clinic."""
    live.service.books.desk().set_requester("clinic", 0.9)
    return {role: live.token(f"{role}-1", role, "clinic" if role is Role.REQUESTER else None) for role in Role}


@pytest.fixture(scope="module")
def there(live: Live, tokens: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what is there by the names that it has in paths; of a number, by the word before it."""
    folder = tmp_path_factory.mktemp("data")
    with Client(live.address, tokens[Role.OWNER]) as client:
        dataset = client.upload(write_people(folder), PEOPLE)["id"]
        job = client.run("publish", dataset=dataset, models=["k-anonymity:k=5"], method="mondrian")["id"]
    live.service.users.add("another", Role.AUDITOR)
    ids = {"dataset": [dataset], "job": [job], "release": [job], "users": ["another"]}
    ids["token"] = [live.service.users.add_token("another")[0].id for _ in range(20)]
    return ids | _at_the_desk(live, folder, dataset)


def _at_the_desk(live: Live, folder: Path, dataset: str) -> dict[str, list[str]]:
    """Register data at the desk, and let there be releases, requests that wait and changes that were proposed."""
    desk, where = live.service.books.desk(), live.service.books.where
    purposes = [f"purpose {n}" for n in range(20)]
    for each in purposes:
        desk.add_purpose(each, Purpose())
    for name, more in (("free", {}), ("guarded", {"approval": True, "two_person": True, "apart_from": ["free"]})):
        data = write_people(folder, 120 if name == "free" else 150, f"{name}.csv")
        policy = Policy.of_settings({"promises": ["k-anonymity:k=5"], **more})
        register(where, name, data, PEOPLE, policy=policy)
        live.service.desk_sources.add(name, 1, dataset)
        for n, purpose in enumerate(purposes if more else purposes[:2]):
            with suppress(ApprovalAwaited):
                out = folder / f"{name}{n}"
                request(where, name, data, PEOPLE, requester="clinic", purpose=purpose, out=out)
    with Identity("owner-2", Role.OWNER).acting():
        for days in range(1, 21):
            with suppress(ConfirmationAwaited):
                desk.change_policy("guarded", release_days=days)
    numbers = {each: [str(row["number"]) for row in desk.book(each)] for each in ("approvals", "proposals", "releases")}
    return {**numbers, "datasets": ["free", "guarded"], "requesters": ["clinic"]}


def _known(path: str, there: dict[str, list[str]], turn: int) -> dict[str, str]:
    """Return values of the parameters of a path that name things which are there."""
    found = {}
    for before, part in pairwise(path.split("/")):
        name = part.strip("{}").removesuffix(":path")
        if part.startswith("{"):
            options = there.get(before if name in ("number", "name") else name, [])
            found |= {name: options[turn % len(options)]} if options else {}
    return found


@pytest.fixture(scope="module")
def tried() -> Iterator[Counter[str]]:
    """Count what was answered; whoever wants to know says where to write it."""
    counted: Counter[str] = Counter()
    yield counted
    if "SHOAL_FUZZ_COUNTS" in os.environ:
        Path(os.environ["SHOAL_FUZZ_COUNTS"]).write_text(json.dumps(counted), encoding="utf-8")


@schema.parametrize()
@settings(
    max_examples=_CASES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
def test_every_operation(
    case: schemathesis.Case,
    live: Live,
    tokens: dict[str, str],
    there: dict[str, list[str]],
    tried: Counter[str],
) -> None:
    tried["cases"] += 1
    excluded, path = [*_EXCLUDED], case.operation.path
    is_removing = case.method == "DELETE"
    follows = path.endswith("/events")  # of a job that is not over there would be no end
    if case.path_parameters and not is_removing and (follows or tried["cases"] % 2):
        known = {
            key: value for key, value in _known(path, there, tried["cases"]).items() if key in case.path_parameters
        }
        case.path_parameters = {**case.path_parameters, **known}
        tried["of what is there"] += bool(known)
        excluded += [checks.negative_data_rejection] if known else []  # what was unfit may be fit now
    if "wait" in case.query:
        case.query = {**case.query, "wait": "0"}
        excluded.append(checks.negative_data_rejection)
    if any(name.lower() == "authorization" for name in case.headers or {}):
        excluded.append(checks.negative_data_rejection)  # a token that was unfit is not what is sent
    role = _role(case, tried["cases"])
    headers = {"authorization": f"Bearer {tokens[role]}"}
    answer = case.call(base_url=live.address, headers=headers)
    tried[f"{answer.status_code // 100}xx"] += 1
    tried[f"as {role}"] += 1
    tried["not allowed"] += answer.status_code == 403
    if answer.status_code != 413:  # a body above the limit is refused before anything else is looked at
        case.validate_response(answer, headers=headers, excluded_checks=excluded)


def _role(case: schemathesis.Case, turn: int) -> Role:
    """Return who asks: of those whom the operation is for one after the other, and now and then anybody else."""
    allowed = case.operation.definition.raw["x-roles"] or [*Role]
    return [*Role][turn % len(Role)] if turn % 11 == 0 else Role(allowed[turn % len(allowed)])


def test_the_document_is_given_to_those_who_are_logged_in(live: Live, tokens: dict[str, str]) -> None:
    assert httpx.get(f"{live.address}/api/v1/openapi.json").status_code == 401
    found = httpx.get(
        f"{live.address}/api/v1/openapi.json", headers={"authorization": f"Bearer {tokens[Role.AUDITOR]}"}
    ).json()
    assert found == _document()


def test_the_document_says_all_that_a_client_needs() -> None:
    """Every body, every answer and every way to log in has its schema, and nothing refers to what is not there."""
    found = _document()
    assert found["openapi"].startswith("3.1")
    OPENAPI_31_VALIDATOR.validate(found)  # the schema that the standard has of such documents
    assert set(found["components"]["securitySchemes"]) == {"token", "session", "form"}
    names: set[str] = set()
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            assert operation["operationId"] not in names
            names.add(operation["operationId"])
            assert operation["summary"]
            assert operation["description"]
            assert {"4XX", "5XX"} <= operation["responses"].keys()
            for status, answer in operation["responses"].items():
                assert ("content" in answer) == (status != "204"), (method, path, status)
            if method in ("put", "patch"):
                assert operation["requestBody"]["required"], path
            in_path = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
            assert in_path == {each[1:-1] for each in path.split("/") if each.startswith("{")}
    text = json.dumps(found)
    for name in found["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in text, f"{name} is used nowhere"
    schemas = set(found["components"]["schemas"])
    assert set(_references(found)) <= {f"#/components/schemas/{name}" for name in schemas}


def _references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for below in part.values():
            yield from _references(below)
    elif isinstance(part, list):
        for below in part:
            yield from _references(below)
