"""Every job that the service runs is one whole, so that one bar can be drawn of it: it begins and ends."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import shoal
from server_under_test import PEOPLE, write_people
from shoal.desk import Desk, Policy, Purpose
from shoal.jobs.compare_columns import compare_columns
from shoal.jobs.desk import dry_run, register, request
from shoal.jobs.hierarchy import check_hierarchy, draw_hierarchy, suggest_hierarchy
from shoal.progress import listening
from shoal.server.work.runs import ASKS


class _Heard:
    """Writes down stages: their names, totals and parents, and how far each came."""

    def __init__(self) -> None:
        self.stages: list[dict[str, Any]] = []

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:
        self.stages.append({"name": name, "total": total, "parent": parent, "done": 0, "ended": False})
        return len(self.stages) - 1

    def advance(self, token: Any, amount: int) -> None:
        assert amount >= 0
        self.stages[token]["done"] += amount

    def end(self, token: Any) -> None:
        self.stages[token]["ended"] = True


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[], object]]:
    """Return what each kind of job calls, on a few records."""
    folder = tmp_path_factory.mktemp("wholes")
    data, desk, towns = write_people(folder), folder / "desk.db", folder / "towns.csv"
    towns.write_text("Ulm,south,*\nBonn,west,*\n", encoding="utf-8")
    promise = ["k-anonymity:k=5"]
    made = (folder / "release", folder / "ledger")
    shoal.publish(data, PEOPLE, promise, method="mondrian", out=str(made[0]), ledger=str(made[1]))
    book = Desk.create(desk)
    book.set_requester("clinic", 1)
    book.add_purpose("care", Purpose())
    policy = Policy.of_settings({"promises": promise})
    register(desk, "people", data, PEOPLE, policy=policy)
    asked: dict[str, Any] = {"requester": "clinic", "purpose": "care"}
    return {
        "describe": lambda: shoal.describe(data, PEOPLE),
        "check": lambda: shoal.check(data, promise, PEOPLE),
        "limits": lambda: shoal.limits(data, schema=PEOPLE),
        "publish": lambda: shoal.publish(data, PEOPLE, promise, method="mondrian", out=str(folder / "another")),
        "verify": lambda: shoal.verify(made[0]),
        "attack": lambda: shoal.attack(*made, ["homogeneity"]),
        "measure": lambda: shoal.measure(*made),
        "compare-columns": lambda: compare_columns(*made),
        "report": lambda: shoal.report(*made, folder / "report.html", wordings=["homogeneity"]),
        "sweep": lambda: _swept(data, folder / "sweep"),
        "lattice": lambda: shoal.lattice(data, promise, PEOPLE),
        "suggest-hierarchy": lambda: suggest_hierarchy(data, PEOPLE, column="age", out=folder / "age.csv"),
        "check-hierarchy": lambda: check_hierarchy(towns, data=data, schema=PEOPLE, column="town"),
        "draw-hierarchy": lambda: draw_hierarchy(towns, data=data, schema=PEOPLE, column="town"),
        "desk-register": lambda: register(desk, "others", write_people(folder, 90, "o.csv"), PEOPLE, policy=policy),
        "desk-keep": lambda: shoal.keep(desk, data, PEOPLE, key=bytes(32)),
        "desk-request": lambda: request(desk, "people", data, PEOPLE, **asked, out=folder / "view"),
        "desk-dry-run": lambda: dry_run(desk, "people", data, PEOPLE, **asked),
    }


def _swept(data: Path, out: Path) -> object:
    return shoal.sweep(data, schema=PEOPLE, k=(2, 5), method=("mondrian",), out=str(out), jobs=1)


@pytest.mark.parametrize("kind", sorted(ASKS))
def test_every_job_is_one_whole_that_comes_to_its_end(kind: str, calls: dict[str, Callable[[], object]]) -> None:
    heard = _Heard()
    with listening(heard):
        calls[kind]()
    whole, *parts = heard.stages
    assert whole["parent"] is None
    assert whole["done"] == whole["total"] == 1000
    assert parts
    assert all(each["parent"] is not None for each in parts)
    assert all(each["ended"] for each in heard.stages)
