"""The client: a method for every operation, and files that are written where they were meant to be."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import httpx
import pytest

from shoal import client_types
from shoal.client import Client, RefusedByService, ServiceProblem
from shoal.errors import FileError
from shoal.server.app import create_app
from shoal.server.service import Service
from shoal.server.settings import ServiceSettings

_OVER = {"id": "j", "state": "done", "ended": "now", "result": {}, "problem": None, "files": ["data.csv"]}
_OF_BROWSERS = {"POST /session", "DELETE /session"}


def _client(handler: Callable[[httpx.Request], httpx.Response]) -> Client:
    client = Client("http://127.0.0.1:1", "token")
    client._http = httpx.Client(transport=httpx.MockTransport(handler), base_url="http://127.0.0.1:1/api/v1")
    return client


def _operations(tmp_path: Path) -> dict[str, re.Pattern[str]]:
    document = create_app(Service(ServiceSettings(folder=tmp_path / "service"))).openapi()
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}": re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
        for path, methods in document["paths"].items()
        for method in methods
    }


def test_there_is_a_method_for_every_operation(tmp_path: Path) -> None:
    """Each method is called once; an operation that none of them uses is one that users of the client lack."""
    (tmp_path / "a.csv").write_text("a", encoding="utf-8")
    operations, used = _operations(tmp_path), set()

    def answer(request: httpx.Request) -> httpx.Response:
        found = [
            name
            for name, pattern in operations.items()
            if name.startswith(f"{request.method} ") and pattern.fullmatch(request.url.path)
        ]
        assert found, f"no operation {request.method} {request.url.path}"
        # of '/datasets/{dataset}' and '/datasets/a.csv' the one without a name in it is meant
        used.add(min(found, key=lambda name: name.count("{")))
        if "/books/" in request.url.path:
            return httpx.Response(200, text='{"a": 1}')
        waits = request.method == "POST" and request.url.path.endswith(("/desk/requests", "/desk/dry-runs"))
        return httpx.Response(200, json=_OVER | ({"ended": None} if waits else {}))

    client = _client(answer)
    given: dict[str, Any] = {"path": str(tmp_path / "a.csv"), "schema": {}, "trust": 0.5, "number": 1, "days": 1}
    values = {"family": ["promises", "methods", "attacks", "measures"], "what": ["suggest", "check", "draw"]}
    lists = ["purposes", "requesters", "datasets", "releases", "requests", "approvals", "proposals"]
    for name in (each for each in dir(Client) if not each.startswith("_") and each != "close"):
        method = getattr(client, name)
        code = getattr(Client, name).__code__
        asked = code.co_varnames[1 : code.co_argcount]
        for choice in range(7):
            chosen = {key: options[choice % len(options)] for key, options in values.items()} | given
            chosen |= {"what": lists[choice]} if name == "desk" else {}
            chosen |= {"folder": str(tmp_path / f"{name}{choice}"), "after": 0, "role": "owner", "policy": None}
            made = method(**{key: chosen.get(key, "x") for key in asked})
            if name in ("events", "request_events"):
                list(made)
    assert set(operations) - used == _OF_BROWSERS


def test_the_types_of_answers_are_those_of_the_document(tmp_path: Path) -> None:
    schemas = create_app(Service(ServiceSettings(folder=tmp_path / "service"))).openapi()["components"]["schemas"]
    for name, found in {
        "DatasetInfo": client_types.Dataset,
        "JobInfo": client_types.Job,
        "LogEntry": client_types.LogEntry,
        "Problem": client_types.ProblemTold,
        "ReleaseInfo": client_types.Release,
        "SessionInfo": client_types.Session,
        "ShownToken": client_types.ShownToken,
        "TokenInfo": client_types.Token,
        "UserInfo": client_types.User,
    }.items():
        said = {key: _is_null(each) for key, each in schemas[name]["properties"].items()}
        typed = {key: "None" in str(each) or each is Any for key, each in get_type_hints(found).items()}
        assert typed == said, name


def _is_null(schema: dict[str, Any]) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def test_lists_are_read_part_by_part() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode())
        return httpx.Response(200, json=[])

    client = _client(answer)
    client.jobs()
    client.jobs(before=7, most=2)
    client.releases(before="x", most=2)
    client.log(after=7, most=2)
    assert asked == ["most=100", "before=7&most=2", "before=x&most=2", "after=7&most=2"]


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "a/../../x", "..", "", "a\\..\\x"])
def test_a_service_cannot_have_files_written_elsewhere(tmp_path: Path, name: str) -> None:
    client = _client(lambda _request: httpx.Response(200, json={"files": ["data.csv", name]}))
    with pytest.raises(ServiceProblem, match="outside the folder"):
        client.download("r", tmp_path / "below" / "release")
    assert [*tmp_path.rglob("*")] == [tmp_path / "below"]


def test_a_download_that_fails_leaves_nothing_and_replaces_nothing(tmp_path: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/second"):
            return httpx.Response(409, json={"title": "Not any more.", "status": 409})
        return httpx.Response(200, json={"files": ["first", "second"]})

    with pytest.raises(RefusedByService, match="Not any more"):
        _client(answer).download("r", tmp_path / "release")
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(FileError, match="exists already"):
        _client(answer).download("r", tmp_path)
