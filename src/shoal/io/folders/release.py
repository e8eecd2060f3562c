"""A release on disk: the data, their schema and the certificate. Nothing of the originals passes through here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

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
from shoal.release import Certificate, PublishedRecords

from .certificate_file import (
    CERTIFICATE,
    SCHEMA,
    attributes_beside,
    certificate_in,
    file_sha256,
    read_certificate,
    refuse_altered,
    stated_hashes,
    write_certificate_file,
)
from .data_parts import DATA_FOLDER, DataPart, stated_parts
from .write_records import with_escaped_formulas, write_records

__all__ = [
    "READERS",
    "OpenedRelease",
    "Readers",
    "ReleaseFolder",
    "certificate_sha256",
    "files_named",
    "files_not_named",
    "is_release",
    "open_release",
    "read_opened",
    "read_release",
    "release_files",
    "release_sha256",
    "write_certificate",
    "write_release",
]


def release_files() -> tuple[str, ...]:
    """Return the name of every file that a release may consist of."""
    names = release_data_names()
    return (CERTIFICATE, SCHEMA, PEOPLE_FILE, DATA_FOLDER, *names, *map(attributes_beside, names))


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
    folder, beside = Path(folder), attributes_beside(f"data{format_.ending}")
    schema = _with_attributes_in(release.schema, beside)
    if format_.is_text:
        schema = with_escaped_formulas(schema, release.records)
    with unwritable_as_error(folder):
        data = folder / f"data{format_.ending}"
        write_records(release.records, schema, data, release.types)
        (folder / SCHEMA).write_text(schema.to_toml(), encoding="utf-8")
        files = {"schema": SCHEMA}
        if states_people(release.records):
            write_people(release.records, folder / PEOPLE_FILE)
            files["people"] = PEOPLE_FILE
        if _attributes_of(schema) is not None:
            files["attributes"] = beside
        stated = {"file": data.name, "sha256": file_sha256(data)}
        write_certificate_file(release.certificate, stated, folder, files)


def write_certificate(certificate: Certificate, schema: Schema, parts: Sequence[DataPart], folder: Path) -> None:
    """Complete a release whose data were written in parts: the schema and, last, the certificate.

    Where the schema says so, the file with numbers of people is there already.
    """
    with unwritable_as_error(folder):
        (folder / SCHEMA).write_text(schema.to_toml(), encoding="utf-8")
        beside = {"schema": SCHEMA, **({} if schema.people is None else {"people": PEOPLE_FILE})}
        write_certificate_file(certificate, stated_parts(parts), folder, beside)


def is_release(path: str | Path | Location) -> bool:
    """Tell whether a path is a folder with a certificate, sound or not."""
    return (Path(Location.of(path).path) / CERTIFICATE).is_file()


@dataclass(frozen=True)
class OpenedRelease:
    """A release folder whose files are those of its certificate, and whose records are not read yet."""

    certificate: Certificate
    schema: Schema
    data: Path
    """The data file, or the folder of its parts."""
    states_people: bool

    def written(self, schema: Schema) -> Schema:
        """Return the schema of what was read, with names as they are written: a folder may be moved."""
        return schema.model_copy(update={"people": PEOPLE_FILE if self.states_people else None})


def open_release(folder: str | Path) -> OpenedRelease:
    """Open a release folder; refuse one that is not a release, or was altered after its certificate was made."""
    folder = Path(folder)
    stated = read_certificate(folder)
    refuse_altered(folder, stated)
    schema = read_schema(folder / SCHEMA)
    for part, file in (("people", schema.people), ("attributes", _attributes_of(schema))):
        if (folder / stated[part]["file"] if part in stated else None) != (None if file is None else Path(file)):
            raise FileError(f"The certificate and the schema of the release {folder} do not name the same files.")
    data = folder / stated["data"].get("file", DATA_FOLDER)
    return OpenedRelease(certificate_in(stated), schema, data, "people" in stated)


def read_release(folder: str | Path) -> ReleaseFolder:
    """Read a release folder; refuse one that is not a release, or was altered after its certificate was made."""
    return read_opened(open_release(folder))


def read_opened(opened: OpenedRelease) -> ReleaseFolder:
    """Read the records of a release."""
    source = read(opened.data, opened.schema)
    types = kept_types(source.records, source.schema, source.types)
    schema = opened.written(source.schema)
    return ReleaseFolder(source.records, schema, opened.certificate, opened.states_people, types)


def release_sha256(folder: str | Path) -> str:
    """Return the SHA-256 of the certificate, which names those of all other files; refuse a folder that was altered."""
    folder = Path(folder)
    refuse_altered(folder, read_certificate(folder))
    return certificate_sha256(folder)


def certificate_sha256(folder: str | Path) -> str:
    """Return the SHA-256 of the certificate alone, without checking the files that it names."""
    return file_sha256(Path(folder) / CERTIFICATE)


def files_named(folder: str | Path) -> list[str]:
    """Return the names of the files of a release: its certificate, and those that this names."""
    return [CERTIFICATE, *stated_hashes(read_certificate(Path(folder)))]


def files_not_named(folder: str | Path) -> list[str]:
    """Return the names of files in a release folder that its certificate does not name."""
    named = set(files_named(folder))
    files = (each.relative_to(folder).as_posix() for each in Path(folder).rglob("*") if not each.is_dir())
    return sorted(name for name in files if name not in named)


def _attributes_of(schema: Schema) -> str | None:
    """Return the file of demographics that a schema names, if it names one."""
    attributes = schema.attributes if isinstance(schema, RatingsSchema) else None
    return None if attributes is None else attributes.file


def _with_attributes_in(schema: Schema, file: str) -> Schema:
    """Return the schema with the demographics of a survey in this file, if they are in one of their own."""
    if not isinstance(schema, RatingsSchema) or schema.attributes is None:
        return schema
    return schema.model_copy(update={"attributes": schema.attributes.model_copy(update={"file": file})})


Readers = Literal["owner", "group", "all"]
READERS: Final[dict[Readers, tuple[int, int]]] = {
    "owner": (0o700, 0o600),
    "group": (0o750, 0o640),
    "all": (0o755, 0o644),
}
"""The permissions of the folder and of its files."""
