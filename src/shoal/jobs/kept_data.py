"""Let the desk keep data, sealed, or know their place; and read them again without the owner's file.

What is kept are the files as they are: the data, the schema as understood and the hierarchies that it names. To be read
again they are put, for that moment, into a private folder in memory where the system has one.
"""

import io
import json
import os
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.data.fingerprint import fingerprint
from shoal.errors import FileError, RequestRefused, WordingError
from shoal.io import Data, Source
from shoal.io.schemas import GivenSchema, TableSchema
from shoal.progress import whole

from .phases import KEEPING
from .read import read

if TYPE_CHECKING:
    from shoal.desk import Desk
    from shoal.desk.people.population import Version

__all__ = ["KeepResult", "keep", "read_kept"]

_SCHEMA = "schema.json"
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there


@dataclass(frozen=True)
class KeepResult:
    """What the desk keeps, or where it looks."""

    dataset: str
    version: int
    sealed: bool

    def to_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return {"dataset": self.dataset, "version": self.version, "sealed": self.sealed}


@whole("keeping data", *KEEPING)
def keep(
    desk: str | Path,
    data: str | Path,
    schema: GivenSchema | None = None,
    *,
    key: bytes | None = None,
) -> KeepResult:
    """Let the desk keep a registered version of data, sealed with a key; without one, only the path of its file."""
    from shoal.desk import Desk

    if not isinstance(data, str | Path) or not Path(data).is_file():
        raise WordingError("The desk keeps a single file.", "Give its path.")
    source, book = read(data, schema), Desk(desk)
    print_ = fingerprint(source.records)
    if key is None:
        if not isinstance(schema, str | Path) and (schema is not None or isinstance(source.schema, TableSchema)):
            raise WordingError("Where data stay outside, their schema is a file.", "Give its path.")
        place = None if schema is None else os.path.abspath(schema)
        version = book.keep_path(print_, os.path.abspath(data), place)
        return KeepResult(*version, sealed=False)
    content = _bundle(Path(data), source)
    if fingerprint(_unbundled(content).records) != print_:
        raise FileError("These data could not be read again from what would be kept.", "Leave them outside.")
    return KeepResult(*book.keep_content(print_, content, key), sealed=True)


def read_kept(
    book: "Desk", dataset: str, key: bytes | None, files: Mapping["Version", tuple[str, str | None]] | None = None
) -> tuple[Source, list[Data]]:
    """Return the newest version of a data set that is at hand, and the others that a request for it needs.

    Each is read from a file, with its schema, where ``files`` have it, or else as the desk keeps it.
    """
    from shoal.desk.names import known_name

    name, found = known_name(dataset), dict["Version", Source]()
    for version, row in book.needed_versions(name).items():
        if files is not None and version in files:
            found[version] = read(*files[version])
        elif row is not None:
            found[version] = _read_row(book, row, key)
    newest = next((version for version in found if version[0] == name), None)
    if newest is None:
        raise RequestRefused(
            f"The desk neither keeps the data of {name!r} nor knows where they are.",
            "Hand them in, or let the desk keep them: shoal desk keep.",
        )
    return found.pop(newest), [*found.values()]


def _read_row(book: "Desk", row: dict[str, Any], key: bytes | None) -> Source:
    """Return a version as it is kept: at its place, or sealed."""
    if row["path"] is not None:
        return read(row["path"], row["schema_path"])
    if key is None:
        raise WordingError("The data are sealed.", "Give --key-file or --key-command.")
    return _unbundled(book.content_of(row, key))


def _bundle(data: Path, source: Source) -> bytes:
    """Return all files of some data as one; the schema names the others by their place in it."""
    schema, files = (
        source.schema.model_dump(mode="json", exclude_defaults=True),
        {"data" + "".join(data.suffixes): data},
    )
    for part in _with_hierarchies(schema):
        place = f"hierarchy {len(files)}.csv"
        files[place] = Path(part["hierarchy"])
        part["hierarchy"] = place
    schema["kind"] = source.schema.kind
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as bundle:
        _add(bundle, _SCHEMA, json.dumps({"schema": schema, "data": next(iter(files))}).encode())
        for place, path in files.items():
            _add(bundle, place, path.read_bytes())
    return written.getvalue()


def _with_hierarchies(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of a schema that name a file with a hierarchy: columns of a table, or all items of sets."""
    parts = [schema, *(schema.get("columns") or {}).values()]
    return [part for part in parts if isinstance(part.get("hierarchy"), str)]


def _add(bundle: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    bundle.addfile(entry, io.BytesIO(content))


def _unbundled(content: bytes) -> Source:
    with tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r") as bundle:
            bundle.extractall(folder, filter="data")
        told = json.loads((Path(folder) / _SCHEMA).read_bytes())
        for part in _with_hierarchies(told["schema"]):
            part["hierarchy"] = str(Path(folder) / part["hierarchy"])
        source = read(Path(folder) / told["data"], told["schema"])
        return replace(source, file=None)  # its fields as written went with the folder
