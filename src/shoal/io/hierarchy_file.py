"""Hierarchy files: one line a value, ``value;level 1;level 2;…;*``."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from shoal.data import Hierarchy
from shoal.errors import FileError, HierarchyError

__all__ = ["read_hierarchy", "write_hierarchy"]


def read_hierarchy(path: str | Path, null: Sequence[float | str] = ()) -> Hierarchy:
    """Read a hierarchy, its levels between semicolons or commas; every line must have the same number of levels.

    An empty value, or a mark that means null, is the missing value.
    """
    path = Path(path)
    rows = _rows(path, _text(path))
    depth = len(rows[0][1])
    for line, row in rows:
        if len(row) != depth:
            raise HierarchyError(
                f"Line {line} of the hierarchy {path.name} has {len(row)} levels, and the first has {depth}.",
                "Give every value the same number of levels; repeat a label where nothing changes.",
            )
    missing = {"", *(str(mark) for mark in null)}
    values = pl.Series([None if row[0] in missing else row[0] for _, row in rows], dtype=pl.String)
    labels = [pl.Series([row[level] for _, row in rows], dtype=pl.String) for level in range(1, depth)]
    try:
        return Hierarchy.from_columns([values, *labels])
    except HierarchyError as error:
        raise HierarchyError(f"{path.name}: {error.message}", error.cure) from None


def write_hierarchy(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write a hierarchy so that :func:`read_hierarchy` reads the same."""
    levels = [labels.take(codes) for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]
    columns = {str(i): level.cast(pl.String) for i, level in enumerate(levels)}
    try:
        # with a mark of its own, a first value that begins like one is not taken for it
        pl.DataFrame(columns).write_csv(Path(path), separator=";", include_header=False, include_bom=True)
    except OSError:
        raise FileError(f"The hierarchy {path} cannot be written.", "Check the folder.") from None


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError:
        raise FileError(f"The hierarchy {path} cannot be read.", "Check that the file is there.") from None
    except UnicodeDecodeError:
        raise HierarchyError(f"The hierarchy {path.name} is not UTF-8 text.") from None
    if not text.strip() or "\0" in text:
        raise HierarchyError(f"The hierarchy {path.name} is empty or not text.")
    return text


def _rows(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Give the fields of each line with its number, blank lines left out.

    The delimiter is the one that gives every line as many levels; where neither does, the one in the first line.
    """
    parsed = {delimiter: _parsed(text, delimiter) for delimiter in (";", ",")}
    even = [rows for rows in parsed.values() if rows and len({len(row) for _, row in rows}) == 1 < len(rows[0][1])]
    rows = even[0] if even else parsed[";" if ";" in text.lstrip().split("\n")[0] else ","]
    if not rows:
        raise HierarchyError(f"The hierarchy {path.name} is not delimited text.", "Close every quoted field.")
    return rows


def _parsed(text: str, delimiter: str) -> list[tuple[int, list[str]]] | None:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, [field.strip() for field in row]) for row in reader if row]
    except csv.Error:
        return None
