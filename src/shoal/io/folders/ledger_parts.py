"""The parts of a ledger, and what it states of each: rows and SHA-256, by which damage is noticed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from shoal.errors import FileError
from shoal.wording.format import format_count

from .certificate_file import file_sha256
from .data_parts import DataPart, is_folder_of_parts, n_rows, parts_in

__all__ = ["LEDGER_PARTS", "refuse_damaged_parts", "write_ledger_parts"]

LEDGER_PARTS = "parts.json"
_BACKUP = "Take it from a backup."


def write_ledger_parts(parts: Mapping[str, Sequence[DataPart]], folder: Path) -> None:
    """Write what a ledger states of its parts, by the folder that they are in."""
    stated = {name: [asdict(part) for part in sorted(each, key=lambda part: part.file)] for name, each in parts.items()}
    (folder / LEDGER_PARTS).write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")


def refuse_damaged_parts(folder: Path, *names: str) -> None:
    """Refuse a ledger in which a part of one of these folders is missing, added or another than is stated."""
    if not (folder / LEDGER_PARTS).is_file() and not any((folder / name).is_dir() for name in names):
        return
    stated = _stated(folder, names)
    for name, parts in stated.items():
        _refuse_other_files(folder, name, {part.file for part in parts})
        for part in parts:
            _refuse_altered(folder, f"{name}/{part.file}", part)


def _stated(folder: Path, names: Sequence[str]) -> dict[str, list[DataPart]]:
    try:
        stated = json.loads((folder / LEDGER_PARTS).read_text(encoding="utf-8"))
        found = {name: parts_in(parts) for name, parts in stated.items()}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        found = {}
    known = {name: parts for name, parts in found.items() if parts is not None}
    if known.keys() != set(names):
        raise FileError(f"The ledger {folder} is damaged: {LEDGER_PARTS} does not state its parts.", _BACKUP)
    return known


def _refuse_other_files(folder: Path, name: str, stated: set[str]) -> None:
    if not (folder / name).is_dir():
        raise FileError(f"The ledger {folder} is damaged: it has no folder {name}.", _BACKUP)
    others = {each.name for each in (folder / name).iterdir()} - stated
    if others or not is_folder_of_parts(folder / name):
        count = format_count(len(others), "file")
        raise FileError(
            f"The ledger {folder} is damaged: its folder {name} holds {count} that {LEDGER_PARTS} does not state.",
            "Remove what does not belong there, or take the ledger from a backup.",
        )


def _refuse_altered(folder: Path, name: str, part: DataPart) -> None:
    file = folder / name
    if not file.is_file():
        raise FileError(f"The ledger {folder} is damaged: it has no file {name}.", _BACKUP)
    if file_sha256(file) != part.sha256:
        raise FileError(f"The ledger {folder} is damaged: its file {name} was altered.", _BACKUP)
    if n_rows(file) != part.rows:
        raise FileError(
            f"The ledger {folder} is damaged: its file {name} has not as many rows as {LEDGER_PARTS} states.", _BACKUP
        )
