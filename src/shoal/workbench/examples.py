"""Example data for the first visit: a table, a survey and ratings, all of invented people."""

import hashlib
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from shoal.datasets import write_generated
from shoal.server.service import SINGLE_USER, Service
from shoal.server.store import DatasetRow, Identity, Role
from shoal.server.uploads import Stored

__all__ = ["EXAMPLES", "add_example", "add_examples"]

EXAMPLES: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "people.csv": ("table", {"rows": 3000, "seed": 1}),
    "answers.csv": ("survey", {"respondents": 400, "issues": 20, "sensitive": 2, "seed": 1}),
    "films.csv": ("ratings", {"users": 300, "items": 200, "ratings": 6000, "seed": 1}),
}
"""The name of each example, the kind of data, and how it is generated."""


def add_examples(service: Service) -> None:
    """Add the examples for the one user of this machine, unless that user has data already."""
    if [each.name for each in service.users.all()] not in ([], [SINGLE_USER]):
        return
    if not service.users.all():
        service.users.add(SINGLE_USER, Role.OWNER)
    if service.datasets.of_user(SINGLE_USER):
        return
    who = Identity(SINGLE_USER, Role.OWNER)
    for name in EXAMPLES:
        add_example(service, who, name)


def add_example(service: Service, who: Identity, name: str) -> DatasetRow:
    """Add one example, by its name, with its schema and the hierarchies that it names."""
    kind, settings = EXAMPLES[name]
    row = service.add_dataset(who, name=name)
    kept = service.dataset_folder(row.id)
    (kept / "content").mkdir(mode=0o700)
    with tempfile.TemporaryDirectory(prefix="shoal-example-") as folder:
        schema = write_generated(kind, Path(folder) / name, **settings)
        for file in Path(folder).iterdir():  # hierarchies lie beside the data
            if file != schema:
                shutil.copyfile(file, kept / "content" / name if file.name == name else kept / file.name)
        declared = tomllib.loads(schema.read_text(encoding="utf-8"))
    content = (kept / "content" / name).read_bytes()
    service.set_schema(row, declared, who)
    service.set_content(row, Stored(bytes=len(content), sha256=hashlib.sha256(content).hexdigest()), who)
    return row
