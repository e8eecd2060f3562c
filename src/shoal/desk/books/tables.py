"""Books that are tables: requesters, purposes, data sets, releases, approvals and proposals."""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, select

from shoal.data import Role
from shoal.desk.clock import is_over
from shoal.desk.policy import Policy
from shoal.desk.store.rows import rows
from shoal.desk.store.tables import APPROVALS, DATASETS, KEPT, PROPOSALS, PURPOSES, RELEASES, REQUESTERS, VERSIONS

from .entries import NEVER, changes, makers_of_releases
from .part import Listed, Part, chosen_rows

__all__ = [
    "listed_approval",
    "listed_approvals",
    "listed_datasets",
    "listed_proposals",
    "listed_purposes",
    "listed_release",
    "listed_releases",
    "listed_requesters",
]

_NAMED: Final = ("dataset", "requester", "purpose")


def listed_purposes(connection: Connection) -> list[Listed]:
    """Return what may be asked for."""
    found = rows(connection, select(PURPOSES).order_by(PURPOSES.c.name))
    changed = changes(connection, PURPOSES.name, ("purpose",))
    return [
        {"purpose": row["name"], "settings": json.loads(row["settings"]), **changed.get(row["name"], NEVER)}
        for row in found
    ]


def listed_requesters(connection: Connection) -> list[Listed]:
    """Return who may ask."""
    found = rows(connection, select(REQUESTERS).order_by(REQUESTERS.c.name))
    changed = changes(connection, REQUESTERS.name, ("requester", "requester closed"))
    return [
        {
            "requester": row["name"],
            "trust": float(Fraction(row["trust"])),
            "state": _state_of_requester(row),
            "expires": row["expires"],
            "purposes": None if row["purposes"] is None else json.loads(row["purposes"]),
            "closed": row["closed"],
            **changed.get(row["name"], NEVER),
        }
        for row in found
    ]


def _state_of_requester(row: Mapping[str, Any]) -> str:
    if row["closed"] is not None:
        return "closed"
    return "expired" if is_over(row["expires"]) else "open"


def listed_datasets(connection: Connection) -> list[Listed]:
    """Return data sets with their versions and policies."""
    versions: dict[str, list[Listed]] = {}
    kept = {
        (row["dataset"], row["number"]): "sealed" if row["path"] is None else "outside"
        for row in rows(connection, select(KEPT))
    }
    for row in rows(connection, select(VERSIONS).order_by(VERSIONS.c.number)):
        told = {"number": row["number"], "columns": json.loads(row["columns"])}
        versions.setdefault(row["dataset"], []).append({**told, "kept": kept.get((row["dataset"], row["number"]))})
    changed = changes(connection, DATASETS.name, ("dataset", "policy"))
    return [
        {
            "dataset": row["name"],
            "policy": json.loads(row["policy"]),
            "views": _count_of_views(row, versions.get(row["name"], [])),
            "versions": versions.get(row["name"], []),
            **changed.get(row["name"], NEVER),
        }
        for row in rows(connection, select(DATASETS).order_by(DATASETS.c.name))
    ]


def _count_of_views(row: Listed, versions: list[Listed]) -> int | None:
    """Return how many nested views there are, as registering says; None where that depends on the data."""
    policy, roles = Policy.of_json(json.loads(row["policy"])), [each["role"] for each in versions[0]["columns"]]
    if (policy.views, policy.recoding) == ("nested", "local") and str(Role.STRATUM) not in roles:
        return None
    return len(json.loads(row["chain"])["nodes"])


def listed_releases(connection: Connection, part: Part) -> list[Listed]:
    """Return what was released to whom."""
    told = partial(_releases, connection)
    return chosen_rows(connection, RELEASES, part, "decided", told, *_equal(RELEASES, part, *_NAMED))


def listed_release(connection: Connection, *conditions: ColumnElement[bool]) -> Listed | None:
    """Return one release, the newest that meets conditions."""
    found = rows(connection, select(RELEASES).where(*conditions).order_by(RELEASES.c.number.desc()).limit(1))
    return _releases(connection, found)[0] if found else None


def _releases(connection: Connection, chunk: list[Listed]) -> list[Listed]:
    makers = makers_of_releases(connection, chunk)
    return [{**_release(row), "by": makers.get(row["number"])} for row in chunk]


def _release(row: Listed) -> Listed:
    numbers = {key: float(Fraction(row[key])) for key in ("trust", "degree_asked", "degree_reached")}
    state = "expired" if row["state"] == "done" and is_over(row["expires"]) else row["state"]
    told = {**row, **numbers, "node": json.loads(row["node"]), "state": state}
    del told["token"]
    return told


def listed_approval(row: Listed) -> Listed:
    """Return a request that waits, or waited, for approval."""
    is_late = row["state"] in ("waiting", "approved") and is_over(row["expires"])
    told = {**row, "trust": float(Fraction(row["trust"])), "state": "expired" if is_late else row["state"]}
    del told["policy"]
    return told


def listed_approvals(connection: Connection, part: Part) -> list[Listed]:
    """Return requests that wait, or waited, for approval."""
    conditions = _equal(APPROVALS, part, *_NAMED)
    return chosen_rows(
        connection, APPROVALS, part, "asked", lambda chunk: [listed_approval(row) for row in chunk], *conditions
    )


def listed_proposals(connection: Connection, part: Part) -> list[Listed]:
    """Return changes of policies that wait, or waited, for a second person."""

    def told(chunk: list[Listed]) -> list[Listed]:
        parts = ("parts", "policy_before", "policy")
        return [{**row, **{part: json.loads(row[part]) for part in parts}} for row in chunk]

    return chosen_rows(connection, PROPOSALS, part, "proposed", told, *_equal(PROPOSALS, part, "dataset", "state"))


def _equal(table: Table, part: Part, *names: str) -> list[ColumnElement[bool]]:
    return [table.c[name] == part.said[name] for name in names if name in part.said]
