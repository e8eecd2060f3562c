"""``shoal desk`` of a team in the terminal: two accounts, of which one asks and proposes, and the other decides."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from desk_oracle import SQUARE, write_files


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "desk.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Return how commands are run by another account of the system."""

    @contextmanager
    def of(name: str) -> Iterator[None]:
        with monkeypatch.context() as patched:
            patched.setattr("shoal.desk.actor._system_user", lambda: name)
            yield

    return of


def test_one_asks_and_proposes_and_another_approves_and_confirms(run, account, store, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DESK", store)
    data, schema = write_files(tmp_path, SQUARE)
    asks = ("desk", "request", "crowd", data, "--schema", schema, "--requester", "ann", "--purpose", "first")
    with account("ada"):
        assert run("desk", "init").status == 0
        assert run("desk", "requester", "ann", "--trust", 1).status == 0
        assert run("desk", "purpose", "first").status == 0
        policy = ("-m", "k-anonymity:k=2", "--approval", "--two-person")
        assert run("desk", "dataset", "crowd", data, "--schema", schema, *policy).status == 0
        assert "number 1" in run(*asks, "--out", tmp_path / "early").err
        assert "does not approve" in run("desk", "approve", 1).err
    with account("olga"):
        assert run("desk", "approve", 1, "--why", "seen the contract").out == (
            "ann may have crowd for first: ask again.\n"
        )
        assert run("desk", "approve", 1).status == 2, "it does not wait any more"
    with account("ada"):
        given = json.loads(run(*asks, "--out", tmp_path / "given", "--json").out)
        assert (given["number"], given["records"]) == (1, 16)
        assert "number 2" in run(*asks, "--out", tmp_path / "again").err, "an approval is for one request"
        assert "proposal 1" in run("desk", "policy", "crowd", "--no-approval").err
        assert "does not confirm" in run("desk", "confirm", 1).err
    with account("olga"):
        assert run("desk", "confirm", 1).out == "Proposal 1 holds from now on.\n"
        assert run("desk", "confirm", 1).status == 2
    with account("ada"):
        assert run(*asks, "--out", tmp_path / "third").status == 0, "nobody needs to approve any more"
    (used, *_) = json.loads(run("desk", "approvals", "--json").out)["approvals"]
    assert [used[part] for part in ("state", "asked_by", "decided_by", "why", "used_for")] == [
        "used",
        "system ada",
        "system olga",
        "seen the contract",
        1,
    ]
    changed = json.loads(run("desk", "policies", "--json").out)["policies"][-1]
    assert (changed["by"], changed["changed"], changed["proposal"]) == ("system olga", ["approval"], 1)
    assert run("desk", "audit", "--folders").status == 0


def test_extracts_of_one_register_are_listed_as_one_population(run, store, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DESK", store)
    assert run("desk", "init").status == 0
    data, schema = write_files(tmp_path, SQUARE)
    some, _ = write_files(tmp_path, dict(list(SQUARE.items())[:8]), "some")
    register = ("--schema", schema, "-m", "k-anonymity:k=2", "--population", "register")
    refused = run("desk", "dataset", "all", data, *register)
    assert (refused.status, "names the identifier" in refused.err) == (2, True)
    for name, file in (("all", data), ("some", some)):
        assert run("desk", "dataset", name, file, *register, "--identifier", "name").status == 0
    assert "both of the population 'register'" in run("desk", "policy", "some", "--apart-from", "all").err
    told = json.loads(run("desk", "populations", "--json").out)["populations"]
    assert [(each["dataset"], each["judged_with"], each["people_in_common"]) for each in told] == [
        ("all", ["some"], {"some": 8}),
        ("some", ["all"], {"all": 8}),
    ]
    assert run("desk", "policy", "some", "--population", "").status == 0
    listed = run("desk", "populations", "--dataset", "some").out
    assert "register" not in listed
    assert "8" in listed, "they have people in common all the same"
    assert run("desk", "audit").status == 0


def test_the_number_of_views_is_listed_where_it_does_not_depend_on_the_data(run, store, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DESK", store)
    assert run("desk", "init").status == 0
    data, schema = write_files(tmp_path, SQUARE)
    other, _ = write_files(tmp_path, {f"q{i}": each for i, each in enumerate(list(SQUARE.values())[:9])}, "other")
    said = {}
    for name, file, recoding in (("levels", data, "levels"), ("local", other, "local")):
        register = ("desk", "dataset", name, file, "--schema", schema, "-m", "k-anonymity:k=2", "--recoding", recoding)
        said[name] = json.loads(run(*register, "--json").out)["views"]
    listed = {each["dataset"]: each for each in json.loads(run("desk", "datasets", "--json").out)["datasets"]}
    assert said["local"] > 0
    assert (listed["levels"]["views"], listed["local"]["views"]) == (said["levels"], None)
