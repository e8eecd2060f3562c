"""A release on disk: the data, their schema and the certificate. Nothing of the originals passes through here."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import polars as pl

from shoal.data import Records
from shoal.errors import FileError
from shoal.io.formats import Format, Location
from shoal.io.formats.data_files import release_data_names
from shoal.io.frames.kept_types import kept_types
from shoal.io.read import read
from shoal.io.schemas import RatingsSchema, Schema, read_schema
from shoal.io.schemas.schema_of import schema_of
from shoal.io.source import Source
from shoal.io.tables.profile_sizes import PEOPLE_FILE, states_people, write_people
from shoal.io.write_errors import unwritable_as_error
from shoal.release import Certificate, CertifiedPromise, PublishedRecords

from .data_parts import DATA_FOLDER, DataPart, is_folder_of_parts, read_parts, stated_parts
from .write_records import with_escaped_formulas, write_records

__all__ = [
    "READERS",
    "Readers",
    "ReleaseFolder",
    "certificate_sha256",
    "files_not_named",
    "is_release",
    "read_release",
    "release_files",
    "release_sha256",
    "write_certificate",
    "write_release",
]


_CERTIFICATE = "certificate.json"
_SCHEMA = "schema.toml"
_ACCEPTED = "accepted_against_audit"
_DATA = re.compile(r"data\.[a-z0-9]{1,20}")


def release_files() -> tuple[str, ...]:
    """Return the name of every file that a release may consist of."""
    names = release_data_names()
    return (_CERTIFICATE, _SCHEMA, PEOPLE_FILE, DATA_FOLDER, *names, *map(_attributes_beside, names))


@dataclass(frozen=True, repr=False)
class ReleaseFolder:
    """What a release folder holds, written or not: nothing but what leaves."""

    records: Records
    schema: Schema
    certificate: Certificate
    states_people: bool = False
    """Whether a file states how many people records stand for: a claim of the publisher that data cannot prove."""
    types: Mapping[str, pl.DataType] = field(default_factory=dict)
    """The types of published columns, where they have any."""

    @classmethod
    def of(cls, published: PublishedRecords, source: Source) -> "ReleaseFolder":
        """Return what a folder of published records would hold: in the layout of their source, and in its types."""
        records, certificate = published.records, published.certificate
        schema = schema_of(records, source.schema, certificate.accepted_against_audit)
        types = kept_types(records, schema, source.types)
        return cls(records, schema, certificate, states_people(records), types)


def write_release(release: ReleaseFolder, folder: str | Path, format_: Format) -> None:
    """Write a release into an empty folder."""
    folder, beside = Path(folder), _attributes_beside(f"data{format_.ending}")
    schema = _with_attributes_in(release.schema, beside)
    if format_.is_text:
        schema = with_escaped_formulas(schema, release.records)
    with unwritable_as_error(folder):
        data = folder / f"data{format_.ending}"
        write_records(release.records, schema, data, release.types)
        (folder / _SCHEMA).write_text(schema.to_toml(), encoding="utf-8")
        stated: dict[str, Any] = {
            **_plain(release.certificate),
            "data": {"file": data.name, "sha256": _sha256(data)},
            "schema": {"file": _SCHEMA, "sha256": _sha256(folder / _SCHEMA)},
        }
        if states_people(release.records):
            write_people(release.records, folder / PEOPLE_FILE)
            stated["people"] = {"file": PEOPLE_FILE, "sha256": _sha256(folder / PEOPLE_FILE)}
        if _attributes_of(schema) is not None:
            stated["attributes"] = {"file": beside, "sha256": _sha256(folder / beside)}
        text = json.dumps(stated, indent=2, ensure_ascii=False, default=dict)
        (folder / _CERTIFICATE).write_text(text + "\n", encoding="utf-8")


def write_certificate(certificate: Certificate, schema: Schema, parts: Sequence[DataPart], folder: Path) -> None:
    """Complete a release whose data were written in parts: the schema and, last, the certificate."""
    with unwritable_as_error(folder):
        (folder / _SCHEMA).write_text(schema.to_toml(), encoding="utf-8")
        stated = {
            **_plain(certificate),
            "data": stated_parts(parts),
            "schema": {"file": _SCHEMA, "sha256": _sha256(folder / _SCHEMA)},
        }
        text = json.dumps(stated, indent=2, ensure_ascii=False, default=dict)
        (folder / _CERTIFICATE).write_text(text + "\n", encoding="utf-8")


def is_release(path: str | Path | Location) -> bool:
    """Tell whether a path is a folder with a certificate, sound or not."""
    return (Path(Location.of(path).path) / _CERTIFICATE).is_file()


def read_release(folder: str | Path) -> ReleaseFolder:
    """Read a release folder; refuse one that is not a release, or was altered after its certificate was made."""
    folder = Path(folder)
    stated = _certificate(folder)
    _refuse_altered(folder, stated)
    schema = read_schema(folder / _SCHEMA)
    named = {"people": schema.people, "attributes": _attributes_of(schema)}
    if any(_file(stated, part, folder) != (None if file is None else Path(file)) for part, file in named.items()):
        raise FileError(f"The certificate and the schema of the release {folder} do not name the same files.")
    source = read(folder / stated["data"].get("file", DATA_FOLDER), schema)
    promises = tuple(CertifiedPromise(**promise) for promise in stated["promises"])
    plain = {key: stated[key] for key in ("method", "records", "groups", "version", "unit")}
    plain[_ACCEPTED] = tuple(stated[_ACCEPTED])
    certificate = Certificate(promises, **plain, accepted=tuple(stated.get("accepted", ())))
    types = kept_types(source.records, source.schema, source.types)
    people = PEOPLE_FILE if "people" in stated else None  # as it is written: a folder may be moved
    schema = source.schema.model_copy(update={"people": people})
    return ReleaseFolder(source.records, schema, certificate, "people" in stated, types)


def _plain(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as JSON; empty caveats and an empty list of what was accepted are left out."""
    stated = asdict(certificate)
    for promise in stated["promises"]:
        if not promise["caveat"]:
            del promise["caveat"]
    if not stated["accepted"]:
        del stated["accepted"]
    return stated


def release_sha256(folder: str | Path) -> str:
    """Return the SHA-256 of the certificate, which names those of all other files; refuse a folder that was altered."""
    folder = Path(folder)
    _refuse_altered(folder, _certificate(folder))
    return certificate_sha256(folder)


def certificate_sha256(folder: str | Path) -> str:
    """Return the SHA-256 of the certificate alone, without checking the files that it names."""
    return _sha256(Path(folder) / _CERTIFICATE)


def files_not_named(folder: str | Path) -> list[str]:
    """Return the names of files in a release folder that its certificate does not name."""
    stated = _certificate(Path(folder))
    named = {_CERTIFICATE, *_hashes(stated)}
    files = (each.relative_to(folder).as_posix() for each in Path(folder).rglob("*") if not each.is_dir())
    return sorted(name for name in files if name not in named)


def _refuse_altered(folder: Path, stated: dict[str, Any]) -> None:
    if "file" not in stated["data"] and not is_folder_of_parts(folder / DATA_FOLDER):
        raise FileError(f"The folder {DATA_FOLDER} of the release {folder} does not hold parts of data alone.")
    for name, sha256 in _hashes(stated).items():
        file = folder / name
        if not file.is_file():
            raise FileError(f"The release {folder} has no file {file.name}, which its certificate names.")
        if _sha256(file) != sha256:
            raise FileError(
                f"The file {file.name} of the release {folder} was altered after its certificate was made.",
                "Take a fresh copy from whoever published it.",
            )


def _certificate(folder: Path) -> dict[str, Any]:
    """Read a certificate; refuse a folder without a complete one."""
    unfit = FileError(
        f"{folder} is not a release.", f"A release folder holds a data file, {_SCHEMA} and {_CERTIFICATE}."
    )
    try:
        stated = json.loads((folder / _CERTIFICATE).read_text(encoding="utf-8"))
        fits = (
            all(isinstance(stated[key], kind) for key, kind in _FIELDS.items())
            and all(_is_promise(promise) for promise in stated["promises"])
            and stated["promises"]
            and _is_names(stated[_ACCEPTED])
            and _is_names(stated.get("accepted", []))
            and _fits_data(stated["data"])
            and stated["schema"]["file"] == _SCHEMA
            and stated.get("people", {"file": PEOPLE_FILE})["file"] == PEOPLE_FILE
            and _fits_attributes(stated)
            and all(isinstance(sha256, str) for sha256 in _hashes(stated).values())
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise unfit from None
    if not fits:
        raise unfit
    if (name := stated["data"].get("file")) is not None and name not in release_data_names():
        raise FileError(
            f"The data of the release {folder} are in {name}, and no installed format reads that.",
            "Install the package that brings the format.",
        )
    return stated


def _hashes(stated: dict[str, Any]) -> dict[str, Any]:
    """Return the SHA-256 that a certificate states of each file beside it."""
    named = [stated[part] for part in ("data", "schema", "people", "attributes") if part in stated]
    alone = {part["file"]: part["sha256"] for part in named if "file" in part}
    parts = read_parts(stated["data"]) or ()
    return {**alone, **{f"{DATA_FOLDER}/{part.file}": part.sha256 for part in parts}}


def _fits_data(stated: dict[str, Any]) -> bool:
    if "file" in stated:
        return _DATA.fullmatch(stated["file"]) is not None
    return read_parts(stated) is not None


def _file(stated: dict[str, Any], part: str, folder: Path) -> Path | None:
    """Return the file that a certificate names for a part, if it names one."""
    return folder / stated[part]["file"] if part in stated else None


def _attributes_of(schema: Schema) -> str | None:
    """Return the file of demographics that a schema names, if it names one."""
    attributes = schema.attributes if isinstance(schema, RatingsSchema) else None
    return None if attributes is None else attributes.file


def _with_attributes_in(schema: Schema, file: str) -> Schema:
    """Return the schema with the demographics of a survey in this file, if they are in one of their own."""
    if not isinstance(schema, RatingsSchema) or schema.attributes is None:
        return schema
    return schema.model_copy(update={"attributes": schema.attributes.model_copy(update={"file": file})})


def _attributes_beside(data: str) -> str:
    """Return the name of the file of demographics beside a data file: of the same format."""
    return f"attributes{Path(data).suffix}"


def _fits_attributes(stated: dict[str, Any]) -> bool:
    beside = _attributes_beside(stated["data"].get("file", ""))
    return stated.get("attributes", {"file": beside})["file"] == beside


def _is_names(stated: object) -> bool:
    return isinstance(stated, list) and all(isinstance(name, str) for name in stated)


def _is_promise(stated: object) -> bool:
    if not isinstance(stated, dict) or stated.keys() - {"caveat"} != {"promise", "meaning", "level"}:
        return False
    texts = all(isinstance(stated.get(key, ""), str) for key in ("promise", "meaning", "caveat"))
    return texts and isinstance(stated["level"], dict)


_FIELDS: dict[str, type] = {
    "promises": list,
    "method": str,
    "records": int,
    "groups": int,
    "version": str,
    "unit": str,
    "data": dict,
    "schema": dict,
}


def _sha256(file: Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


Readers = Literal["owner", "group", "all"]
READERS: Final[dict[Readers, tuple[int, int]]] = {
    "owner": (0o700, 0o600),
    "group": (0o750, 0o640),
    "all": (0o755, 0o644),
}
"""The permissions of the folder and of its files."""
