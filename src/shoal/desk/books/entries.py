"""Books that are read from the log: the log itself, policies that held, and refusals."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, select

from shoal.desk.store.rows import rows
from shoal.desk.store.tables import DATASETS, LOG, PURPOSES, RELEASES, REQUESTERS

from .part import Listed, Part, chosen_rows

__all__ = ["NEVER", "changes", "listed_log", "listed_policies", "listed_refusals", "makers_of_releases"]

NEVER: Final[Listed] = {"at": None, "by": None}
_NAMES: Final = {DATASETS.name: "dataset", REQUESTERS.name: "requester", PURPOSES.name: "purpose"}
_SOON: Final = timedelta(seconds=10)


def listed_log(connection: Connection, part: Part) -> list[Listed]:
    """Return entries of the log, each with who did it and what it is about."""
    events = [LOG.c.event == part.said["event"]] if "event" in part.said else []
    return chosen_rows(connection, LOG, part, "at", _told, *events, *_naming(part))


def listed_policies(connection: Connection, part: Part) -> list[Listed]:
    """Return every policy that ever held, in the order of the log."""

    def told(chunk: list[Listed]) -> list[Listed]:
        return [
            {
                "entry": entry["number"],
                "dataset": entry["told"]["row"]["name"],
                "at": entry["at"],
                "by": entry["by"],
                "changed": entry["told"].get("changed", []),
                "proposal": entry["told"].get("proposal"),
                "policy": json.loads(entry["told"]["row"]["policy"]),
            }
            for entry in _told(chunk)
        ]

    return chosen_rows(connection, LOG, part, "at", told, LOG.c.event.in_(["dataset", "policy"]), *_naming(part))


def listed_refusals(connection: Connection, part: Part) -> list[Listed]:
    """Return what was refused, by the desk, on the road out or by an officer, in the order of the log."""

    def told(chunk: list[Listed]) -> list[Listed]:
        found = []
        for entry in _told(chunk):
            asked = entry["told"].get("row", entry["told"])
            named = {key: asked[key] for key in ("dataset", "requester", "purpose")}
            why = entry["told"].get("why") or asked.get("why")
            found.append({"entry": entry["number"], "at": entry["at"], "by": entry["by"], **named, "why": why})
        return found

    events = LOG.c.event.in_(["refused", "approval refused"])
    return chosen_rows(connection, LOG, part, "at", told, events, *_naming(part))


def changes(connection: Connection, table: str, events: Iterable[str]) -> dict[str, Listed]:
    """Return when and by whom each row of a table that has names was changed last, as far as some events tell."""
    entries = _told(rows(connection, select(LOG).where(LOG.c.event.in_(list(events))).order_by(LOG.c.number)))
    found = [entry for entry in entries if entry["told"].get("table") == table]
    return {entry["told"]["row"]["name"]: {"at": entry["at"], "by": entry["by"]} for entry in found}


def makers_of_releases(connection: Connection, releases: list[Listed]) -> dict[int, str | None]:
    """Return who asked for each of some releases: the entry of each was made when it was decided on, or just after."""
    if not releases:
        return {}
    times, wanted = [each["decided"] for each in releases], {each["number"] for each in releases}
    asked = select(LOG).where(LOG.c.event == "decided").order_by(LOG.c.number)
    soon = (datetime.fromisoformat(max(times)) + _SOON).isoformat(timespec="seconds")
    found = _makers(connection, asked.where(LOG.c.at.between(min(times), soon)))
    if not wanted <= found.keys():  # the clock was set while it was decided
        found = _makers(connection, asked)
    return {number: found.get(number) for number in wanted}


def _makers(connection: Connection, asked: Select[*tuple[Any, ...]]) -> dict[int, str | None]:
    entries = [entry for entry in _told(rows(connection, asked)) if entry["told"].get("table") == RELEASES.name]
    return {entry["told"]["row"]["number"]: entry["by"] for entry in entries}


def _naming(part: Part) -> list[ColumnElement[bool]]:
    """Return that an entry holds, somewhere, all words it is asked for; names are written there as JSON writes them."""
    words = [json.dumps(part.said[key]) for key in ("dataset", "requester", "purpose", "by") if key in part.said]
    return [LOG.c.told.contains(word, autoescape=True) for word in words]


def _told(chunk: list[Listed]) -> list[Listed]:
    return [_entry(row) for row in chunk]


def _entry(row: Listed) -> Listed:
    told = json.loads(row["told"])
    about = told.get("row", told)
    named = {key: about.get(key) for key in ("dataset", "requester", "purpose")}
    if told.get("table") in _NAMES:
        named[_NAMES[told["table"]]] = about["name"]
    whole = {key: row[key] for key in ("number", "at", "event")}
    return {**whole, "by": told.get("by"), **named, "told": told, "previous": row["previous"], "hash": row["hash"]}
