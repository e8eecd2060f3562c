"""Data sets for pages to work on, small enough that every job is quick."""

import hashlib
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from server_under_test import PEOPLE, Live, write_people
from shoal.datasets import write_generated
from shoal.server.store import Identity, Role
from shoal.server.uploads import Stored

KINDS = ("table", "ratings", "survey")


def add_data(live: Live, kind: str, user: str = "ada") -> str:
    """Add a small data set of a kind for a user, and return its id; it is described by a job of its own."""
    if user not in {each.name for each in live.service.users.all()}:
        live.service.users.add(user, Role.OWNER)
    with tempfile.TemporaryDirectory() as folder:
        file, schema = _written(Path(folder), kind)
        return _added(live, user, file, schema)


def _written(folder: Path, kind: str) -> tuple[Path, dict[str, Any]]:
    if kind == "table":
        return write_people(folder), PEOPLE
    file = folder / f"{kind}.csv"
    settings: dict[str, Any] = {
        "ratings": {"users": 40, "items": 12, "ratings": 300, "seed": 1},
        "survey": {"respondents": 60, "issues": 4, "sensitive": 1, "demographics": True, "seed": 1},
    }[kind]
    schema = write_generated(kind, file, **settings)
    return file, tomllib.loads(schema.read_text(encoding="utf-8"))


def _added(live: Live, user: str, file: Path, schema: dict[str, Any]) -> str:
    service, who = live.service, Identity(user, Role.OWNER)
    row = service.add_dataset(who, name=file.name)
    kept = service.dataset_folder(row.id)
    (kept / "content").mkdir(mode=0o700)
    content = file.read_bytes()
    (kept / "content" / file.name).write_bytes(content)
    service.set_schema(row, schema, who)
    service.set_content(row, Stored(bytes=len(content), sha256=hashlib.sha256(content).hexdigest()), who)
    return row.id
