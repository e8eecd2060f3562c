"""The lines of a hierarchy file, split into fields but not yet checked."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shoal.data.hierarchies.category_levels import refuse_many_levels
from shoal.errors import FileError, HierarchyError

__all__ = ["SPACES", "HierarchyLine", "hierarchy_lines"]

# what values of data are stripped of: Python also counts four separators as spaces, Unicode does not
SPACES = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace() and letter not in "\x1c\x1d\x1e\x1f")


class HierarchyLine(NamedTuple):
    """One value with its labels from level 1 upwards."""

    number: int
    """The number of the line in the file, counted from 1."""
    value: str | None
    labels: tuple[str, ...]


def hierarchy_lines(path: str | Path, null: Sequence[float | str] = ()) -> list[HierarchyLine]:
    """Read the lines of a hierarchy with levels separated by semicolons or commas; blank lines are skipped.

    An empty value, or one that ``null`` lists, is the missing value.
    """
    path = Path(path)
    rows = _rows(path, _text(path))
    try:
        refuse_many_levels(max(len(row) for _, row in rows) - 1)
    except HierarchyError as error:
        raise HierarchyError(f"{path.name}: {error.message}", error.cure) from None
    missing = {"", *(str(mark) for mark in null)}
    return [HierarchyLine(number, None if row[0] in missing else row[0], tuple(row[1:])) for number, row in rows]


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError:
        raise FileError(f"The hierarchy {path} cannot be read.", "Check that the file is there.") from None
    except UnicodeDecodeError:
        raise HierarchyError(f"The hierarchy {path.name} is not UTF-8 text.", "Save it as UTF-8.") from None
    if not text.strip() or "\0" in text:
        raise HierarchyError(
            f"The hierarchy {path.name} is empty or not text.", "Write one line a value: value;level 1;level 2;*"
        )
    return text


def _rows(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Return the fields of each line with its number.

    The delimiter is the one with which all lines have the same number of levels; if neither, the one in the first line.
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
        return [(reader.line_num, [field.strip(SPACES) for field in row]) for row in reader if row]
    except csv.Error:
        return None
