"""The certificate of a release as a file: what it states of a release, and of each file beside it."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shoal.errors import FileError
from shoal.io.formats.data_files import release_data_names
from shoal.io.tables.profile_sizes import PEOPLE_FILE
from shoal.release import Certificate, CertifiedPromise

from .data_parts import DATA_FOLDER, is_folder_of_parts, n_rows, read_parts

__all__ = [
    "CERTIFICATE",
    "SCHEMA",
    "attributes_beside",
    "certificate_in",
    "file_sha256",
    "read_certificate",
    "refuse_altered",
    "stated_hashes",
    "write_certificate_file",
]

CERTIFICATE = "certificate.json"
SCHEMA = "schema.toml"
_ACCEPTED = "accepted_against_audit"
_ENGINE = "engine"
_DATA = re.compile(r"data\.[a-z0-9]{1,20}")

Stated = dict[str, Any]
"""What a certificate states, as JSON."""


def write_certificate_file(certificate: Certificate, data: Stated, folder: Path, beside: Mapping[str, str]) -> None:
    """Write a certificate, the last file of a release; ``data`` is stated of its data, ``beside`` names other files."""
    files = {part: {"file": name, "sha256": file_sha256(folder / name)} for part, name in beside.items()}
    stated = {**_plain(certificate), "data": data, **files}
    text = json.dumps(stated, indent=2, ensure_ascii=False, default=dict)
    (folder / CERTIFICATE).write_text(text + "\n", encoding="utf-8")


def _plain(certificate: Certificate) -> Stated:
    """Return a certificate as JSON, without what is empty or goes without saying."""
    stated = asdict(certificate)
    for promise in stated["promises"]:
        if not promise["caveat"]:
            del promise["caveat"]
    if not stated["accepted"]:
        del stated["accepted"]
    if stated[_ENGINE] == Certificate.engine:
        del stated[_ENGINE]
    return stated


def certificate_in(stated: Stated) -> Certificate:
    """Return the certificate that is stated."""
    promises = tuple(CertifiedPromise(**promise) for promise in stated["promises"])
    plain = {key: stated[key] for key in ("method", "records", "groups", "version", "unit")}
    plain |= {key: tuple(stated.get(key, ())) for key in (_ACCEPTED, "accepted")}
    return Certificate(promises, **plain, engine=stated.get(_ENGINE, Certificate.engine))


def read_certificate(folder: Path) -> Stated:
    """Return what the certificate in a folder states; refuse a folder without a complete one."""
    unfit = FileError(f"{folder} is not a release.", f"A release folder holds a data file, {SCHEMA} and {CERTIFICATE}.")
    try:
        stated = json.loads((folder / CERTIFICATE).read_text(encoding="utf-8"))
        fits = (
            all(isinstance(stated[key], kind) for key, kind in _FIELDS.items())
            and all(_is_promise(promise) for promise in stated["promises"])
            and stated["promises"]
            and _is_names(stated[_ACCEPTED])
            and _is_names(stated.get("accepted", []))
            and isinstance(stated.get(_ENGINE, ""), str)
            and _fits_data(stated["data"])
            and stated["schema"]["file"] == SCHEMA
            and stated.get("people", {"file": PEOPLE_FILE})["file"] == PEOPLE_FILE
            and _fits_attributes(stated)
            and all(isinstance(sha256, str) for sha256 in stated_hashes(stated).values())
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


def stated_hashes(stated: Stated) -> dict[str, Any]:
    """Return the SHA-256 that a certificate states of each file beside it."""
    named = [stated[part] for part in ("data", "schema", "people", "attributes") if part in stated]
    alone = {part["file"]: part["sha256"] for part in named if "file" in part}
    parts = read_parts(stated["data"]) or ()
    return {**alone, **{f"{DATA_FOLDER}/{part.file}": part.sha256 for part in parts}}


def refuse_altered(folder: Path, stated: Stated) -> None:
    """Refuse a folder whose files are not those that its certificate states."""
    hashes = stated_hashes(stated)
    if "file" not in stated["data"]:
        _refuse_other_parts(folder, hashes)
    for name, sha256 in hashes.items():
        file = folder / name
        if not file.is_file():
            raise FileError(f"The release {folder} has no file {file.name}, which its certificate names.")
        if file_sha256(file) != sha256:
            raise FileError(
                f"The file {file.name} of the release {folder} was altered after its certificate was made.",
                "Take a fresh copy from whoever published it.",
            )
    for part in read_parts(stated["data"]) or ():
        if n_rows(folder / DATA_FOLDER / part.file) != part.rows:
            raise FileError(
                f"The file {part.file} of the release {folder} has not as many rows as its certificate states.",
                "Take a fresh copy from whoever published it.",
            )


def _refuse_other_parts(folder: Path, hashes: Mapping[str, str]) -> None:
    parts = folder / DATA_FOLDER
    if not is_folder_of_parts(parts):
        raise FileError(f"The folder {DATA_FOLDER} of the release {folder} does not hold parts of data alone.")
    others = sum(f"{DATA_FOLDER}/{each.name}" not in hashes for each in parts.iterdir())
    if others:
        raise FileError(
            f"The folder {DATA_FOLDER} of the release {folder} holds {others:,} files that its certificate does not "
            "name.",
            "Take a fresh copy from whoever published it.",
        )


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def attributes_beside(data: str) -> str:
    """Return the name of the file of demographics beside a data file: of the same format."""
    return f"attributes{Path(data).suffix}"


def _fits_data(stated: Stated) -> bool:
    if "file" in stated:
        return _DATA.fullmatch(stated["file"]) is not None
    return read_parts(stated) is not None


def _fits_attributes(stated: Stated) -> bool:
    beside = attributes_beside(stated["data"].get("file", ""))
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
