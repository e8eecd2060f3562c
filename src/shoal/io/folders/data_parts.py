"""Published data in several files, and what a certificate states of each.

They lie in a folder of their own, ``data``, as ``part-00000.parquet`` and so on: names that say nothing of how they
were made. The certificate has the rows and the SHA-256 of each.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

__all__ = [
    "DATA_FOLDER",
    "DataPart",
    "is_folder_of_parts",
    "n_rows",
    "part_name",
    "parts_in",
    "read_parts",
    "stated_parts",
]

DATA_FOLDER = "data"
_NAME = re.compile(r"part-[0-9]{5,}\.parquet")


@dataclass(frozen=True)
class DataPart:
    """One file of published data."""

    file: str
    rows: int
    sha256: str


def part_name(number: int) -> str:
    """Return the name of a part."""
    return f"part-{number:05d}.parquet"


def _is_part_name(name: object) -> bool:
    """Tell whether a name is that of a part."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def stated_parts(parts: Sequence[DataPart]) -> dict[str, Any]:
    """Return what a certificate states of data in parts."""
    return {"folder": DATA_FOLDER, "parts": [asdict(part) for part in sorted(parts, key=lambda part: part.file)]}


def read_parts(stated: object) -> list[DataPart] | None:
    """Return the parts that a certificate states; None where the data are one file, or nothing of the kind."""
    if not isinstance(stated, dict) or stated.keys() != {"folder", "parts"} or stated["folder"] != DATA_FOLDER:
        return None
    return parts_in(stated["parts"]) or None


def parts_in(stated: object) -> list[DataPart] | None:
    """Return the parts that a list states; None where it is nothing of the kind."""
    if not isinstance(stated, list):
        return None
    parts = [DataPart(**part) for part in stated]
    fit = all(_is_part_name(part.file) and isinstance(part.sha256, str) for part in parts)
    return parts if fit and len({part.file for part in parts}) == len(parts) else None


def n_rows(part: Path) -> int | None:
    """Return how many rows a part has, as it says itself; None where it does not."""
    try:
        return int(pl.scan_parquet(part).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError):
        return None


def is_folder_of_parts(folder: Path) -> bool:
    """Tell whether a folder holds parts and nothing else."""
    return folder.is_dir() and not folder.is_symlink() and all(_is_part_name(each.name) for each in folder.iterdir())
