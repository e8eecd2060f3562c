"""The audit of a desk: whether its log is complete, and whether every row is what the log says.

The log records each row after each change. Comparing only the last entry would not do: whoever changed a row behind the
desk's back would have the desk itself log it with the next change. So every change must also be a lawful one.
"""

import json
import os
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from sqlalchemy import Connection, select

from shoal.errors import FileError
from shoal.io.folders.release import READERS, Readers, files_not_named, release_sha256

from .keeping.kept import faults_of_kept
from .oversight.rules import is_overseen
from .people.population import faults_of_marks
from .store.anchor import anchors_of, faults_of_anchor
from .store.guards import faults_of_guards
from .store.log import BEGINNING, entry_hash
from .store.rows import rows
from .store.secret import fault_of_secret, owner_of_store
from .store.tables import (
    ANCHORS,
    APPROVALS,
    DATASETS,
    HEAD,
    KEPT,
    LOG,
    MARKS,
    OVERLAPS,
    PROPOSALS,
    PURPOSES,
    RELEASES,
    REQUESTERS,
    VERSIONS,
)
from .store.trees import faults_of_trees

__all__ = ["AuditResult", "audit", "is_lawful_change"]


_Row = Mapping[str, Any]

_CHANGEABLE: Final = {
    DATASETS.name: {"policy"},
    VERSIONS.name: {"values_print"},  # a version of an old desk gets one of the fields as written when it is marked
    MARKS.name: set[str](),
    OVERLAPS.name: set[str](),
    PURPOSES.name: set[str](),
    REQUESTERS.name: {"trust", "expires", "purposes", "closed"},
    RELEASES.name: {"state", "sha256"},
    APPROVALS.name: {"state", "decided", "decided_by", "why", "expires", "used_for"},
    PROPOSALS.name: {"state", "decided", "decided_by", "why"},
    ANCHORS.name: {"kind", "target"},
    KEPT.name: {"path", "schema_path", "key_id", "sha256"},
}
_NEXT: Final = {
    "pending": {"pending", "done", "refused", "abandoned"},
    "done": {"done", "revoked", "expired"},
    "abandoned": {"done"},  # its hash was written down, and its folder got its name after all
}


def is_lawful_change(table: str, before: _Row | None, after: _Row, said: Collection[str]) -> bool:
    """Tell whether a row may follow on one of the same key, None if there was none.

    ``said`` are the parts of a policy that were said to be changed.
    """
    if before is None:
        return table != RELEASES.name or (after["state"], after["sha256"]) == ("pending", None)
    if {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)} - _CHANGEABLE[table]:
        return False
    if table == RELEASES.name:
        return _is_lawful_settling(before, after)
    return table != DATASETS.name or _other_parts(before["policy"], after["policy"]) <= set(said)


def _is_lawful_settling(before: _Row, after: _Row) -> bool:
    if before["sha256"] not in (None, after["sha256"]):
        return False
    if before["state"] == "abandoned" and before["sha256"] is None:
        return False
    return after["state"] in _NEXT.get(before["state"], set())


def _other_parts(before: str, after: str) -> set[str]:
    one, other = json.loads(before), json.loads(after)
    return {part for part in one.keys() | other.keys() if one.get(part) != other.get(part)}


_KEPT = {
    table.name: table
    for table in (
        DATASETS,
        VERSIONS,
        MARKS,
        OVERLAPS,
        PURPOSES,
        REQUESTERS,
        RELEASES,
        APPROVALS,
        PROPOSALS,
        ANCHORS,
        KEPT,
    )
}


@dataclass(frozen=True)
class AuditResult:
    """What was found wrong, in sentences."""

    entries: int
    releases: int
    head: str
    """The hash of the last entry: whoever has noted it elsewhere knows that no earlier entry is another one."""
    faults: tuple[str, ...]
    anchor: Literal["none", "file", "command"] = "none"
    """Where the head of the log is written outside at each change."""
    is_compared: bool = False
    """Whether the log was compared with what is anchored; what a command was handed cannot be."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {
            "holds": self.holds,
            "entries": self.entries,
            "releases": self.releases,
            "head": self.head,
            "faults": list(self.faults),
            "anchor": self.anchor,
            "is_compared": self.is_compared,
        }


def audit(
    connection: Connection, *, folders: bool, noted: str | None = None, anchor: str | Path | None = None
) -> AuditResult:
    """Go through the log entry by entry; compare what is kept, a hash noted earlier and, if asked, release folders.

    The file that the head of the log was anchored in is read where the store names it; ``anchor`` is another one.
    """
    entries = rows(connection, select(LOG).order_by(LOG.c.number))
    faults = _broken_links(connection, entries)
    faults += faults_of_guards(connection, owner_of_store(entries)) + fault_of_secret(connection, entries)
    if noted is not None and noted not in {entry["hash"] for entry in entries}:
        faults.append("The log has no entry with the hash that was noted.")
    anchors = anchors_of(connection)
    own = [each.target for each in anchors if each.kind == "file"]
    named: list[str] = [*own, *([] if anchor is None else [os.path.abspath(anchor)])]
    for file in dict.fromkeys(named):
        faults += _other_heads(file, entries)
    faults += (
        _other_rows(connection, entries)
        + faults_of_marks(connection)
        + faults_of_trees(connection)
        + faults_of_kept(connection)
    )
    releases = rows(connection, select(RELEASES).order_by(RELEASES.c.number))
    if folders:
        readers = _readers(entries)
        for release in releases:
            if release["state"] == "done":
                faults += _altered(release) or _opened(release, readers.get(release["number"]))
    head = entries[-1]["hash"] if entries else BEGINNING
    kind = anchors[0].kind if anchors else "none"
    return AuditResult(len(entries), len(releases), head, tuple(faults), kind, is_compared=bool(named))


def _other_heads(file: str, entries: list[dict[str, Any]]) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return [f"The anchor {file} cannot be read."]
    return faults_of_anchor(lines, entries)


def _broken_links(connection: Connection, entries: list[dict[str, Any]]) -> list[str]:
    faults, expected, previous = [], 1, BEGINNING
    for entry in entries:
        if entry["number"] != expected:
            faults.append(f"Before entry {entry['number']} of the log, {entry['number'] - expected} are missing.")
        elif entry["previous"] != previous:
            faults.append(f"Entry {entry['number']} of the log does not follow the one before it.")
        if _hash(entry) != entry["hash"]:
            faults.append(f"Entry {entry['number']} of the log was changed.")
        expected, previous = entry["number"] + 1, entry["hash"]
    heads = [tuple(row) for row in connection.execute(select(HEAD.c.number, HEAD.c.hash).order_by(HEAD.c.one))]
    if len(heads) > 1:
        faults.append(f"The desk writes down one end of its log, and {len(heads)} are there.")
    ends = heads[0] if heads else (0, BEGINNING)
    if ends != (expected - 1, previous):
        faults.append(f"The log ends with entry {expected - 1}, and the desk wrote {ends[0]} as its last.")
    return faults


def _other_rows(connection: Connection, entries: list[dict[str, Any]]) -> list[str]:
    """Report rows that differ from their last entry in the log, and changes that are not lawful."""
    published: dict[tuple[str, str], dict[str, Any]] = {}
    faults = []
    for entry in entries:
        try:
            body = json.loads(entry["told"])
            if "table" in body:
                key = body["table"], _key(body["table"], body["row"])
                before = published.get(key)
                if not is_lawful_change(key[0], before, body["row"], body.get("changed", ())) or not is_overseen(
                    published, key[0], before, body, entry["at"]
                ):
                    faults.append(
                        f"{key[0]}: {key[1]} cannot have become what entry {entry['number']} of the log says."
                    )
                published[key] = body["row"]
        except (ValueError, KeyError, TypeError):  # its hash was found wrong already
            continue
    kept = {
        (table.name, _key(table.name, row)): row for table in _KEPT.values() for row in rows(connection, select(table))
    }
    return faults + [
        f"{name}: {key} is not as the log says."
        for name, key in sorted(published.keys() | kept.keys())
        if _whole(name, published.get((name, key))) != kept.get((name, key))
    ]


def _whole(table: str, row: _Row | None) -> _Row | None:
    """Return a row as it is kept now: those of a desk from before were logged with fewer columns."""
    return None if row is None else {**dict.fromkeys(_KEPT[table].columns.keys()), **row}


def _hash(entry: dict[str, Any]) -> str | None:
    try:
        return entry_hash(entry)
    except TypeError:  # somebody put bytes where text was
        return None


def _key(table: str, row: Any) -> str:
    return " ".join(str(row[column.name]) for column in _KEPT[table].primary_key.columns)


def _readers(entries: list[dict[str, Any]]) -> dict[int, Readers]:
    """Return who may open the folder of each release, as far as the log says."""
    found: dict[int, Readers] = {}
    for entry in entries:
        with suppress(ValueError, KeyError, TypeError):  # its hash was found wrong already
            body = json.loads(entry["told"])
            if entry["event"] == "done" and body["readable_by"] in READERS:
                found[body["row"]["number"]] = body["readable_by"]
    return found


def _altered(release: dict[str, Any]) -> list[str]:
    try:
        if release_sha256(release["folder"]) != release["sha256"]:
            return [f"Release {release['number']}: its folder holds another release."]
        others = len(files_not_named(release["folder"]))
    except (FileError, OSError) as error:
        why = error.message if isinstance(error, FileError) else "its folder cannot be read."
        return [f"Release {release['number']}: {why}"]
    held = "1 file or folder that is" if others == 1 else f"{others:,} files or folders that are"
    return [f"Release {release['number']}: its folder holds {held} not part of it."] if others else []


def _opened(release: dict[str, Any], readers: Readers | None) -> list[str]:
    """Say that a folder was opened to more people than were to read it."""
    if readers is None:
        return []
    folder = Path(release["folder"])
    of_folder, of_file = READERS[readers]
    modes = [(folder.stat().st_mode, of_folder), *((each.stat().st_mode, of_file) for each in folder.iterdir())]
    if any(stat.S_IMODE(mode) & ~allowed for mode, allowed in modes):
        return [f"Release {release['number']}: more people may open its folder than were to ({readers})."]
    return []
