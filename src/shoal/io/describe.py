"""A first look at a file without a schema: its columns in numbers, and a schema to start from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl
import tomli_w

from shoal.data import Vocabulary
from shoal.errors import DataError
from shoal.io.formats.data_files import find_contents
from shoal.io.formats.location import Location
from shoal.io.formats.parts import open_parts
from shoal.io.formats.registry import file_format
from shoal.io.formats.tabular_file import TabularFile, faults_of
from shoal.io.frames import ReadableData, open_frame
from shoal.io.tables.values import typed_values

from .schemas import RatingsSchema

__all__ = ["ColumnOverview", "open_unexplained", "overview", "starter_schema"]


@dataclass(frozen=True)
class ColumnOverview:
    """One column in numbers; the only values shown are the ends of what looks like a rating scale."""

    name: str
    type: Literal["number", "text", "date"]
    rows: int
    distinct: int
    """The number of distinct values, not counting the missing one."""
    missing: int
    span: tuple[int, int] | None
    """The lowest and highest value of a column that holds whole numbers on few points, as ratings do."""


def overview(data: ReadableData) -> tuple[ColumnOverview, ...]:
    """Return name, type, and the number of distinct and missing values of each column of a file."""
    file = open_unexplained(data)
    file.refuse_if_empty()
    with faults_of(file.name):
        return tuple(_of_column(file, name) for name in file.names)


def open_unexplained(data: ReadableData) -> TabularFile:
    """Open data without a schema; a first line that contains numbers is taken for a record, not a header."""
    if not isinstance(data, str | Path | Location):
        return open_frame(data)
    contents = find_contents(data)
    if not file_format(contents[0]).is_text:
        return open_parts(contents, None)
    without_header = open_parts(contents, RatingsSchema(header=False))
    return without_header if _begins_with_a_record(without_header) else open_parts(contents, None)


def _begins_with_a_record(file: TabularFile) -> bool:
    first = file.scan.head(1).collect().transpose().to_series().cast(pl.String).str.strip_chars()
    given = first.drop_nulls()
    numbers = given.cast(pl.Float64, strict=False).drop_nulls()
    return len(numbers) > 0 or given.n_unique() < len(file.names)


def _of_column(file: TabularFile, name: str) -> ColumnOverview:
    column = file.frame(name).to_series()
    try:
        values = typed_values(column, None, as_written=file.as_written)
    except DataError:
        values = typed_values(column, "text", as_written=file.as_written)
    words = Vocabulary(values.unique())
    given = words.values.drop_nulls()
    kind = "number" if words.is_numeric else "date" if words.is_ordered else "text"
    return ColumnOverview(name, kind, len(values), len(given), values.null_count(), _span(given))


def _span(given: pl.Series) -> tuple[int, int] | None:
    if not given.dtype.is_numeric() or not 2 <= len(given) <= _MOST_POINTS:
        return None
    if not (given == given.round(0)).all():
        return None
    return int(given.min()), int(given.max())  # type: ignore[arg-type]


_MOST_POINTS = 11  # ratings on more than 0…10 are rare


def starter_schema(data: ReadableData) -> str:
    """Return a schema to start from: comments suggest roles, and the owner fills them in."""
    columns = overview(data)
    rated = _rated(columns)
    settings = {
        key: value for key, value in open_unexplained(data).settings.items() if (key, value) != ("header", True)
    }
    if settings.get("header") is False:
        settings["names"] = [column.name for column in columns]
    return _survey(columns, rated, settings) if rated else _table(columns, settings)


def _rated(columns: tuple[ColumnOverview, ...]) -> list[ColumnOverview]:
    """Return the columns that look like ratings on one scale, if they make up most of the file."""
    spans = [column.span for column in columns if column.span is not None]
    if not spans:
        return []
    usual = max(set(spans), key=spans.count)
    rated = [column for column in columns if column.span == usual]
    return rated if len(rated) >= 5 and 2 * len(rated) > len(columns) else []


def _survey(columns: tuple[ColumnOverview, ...], rated: list[ColumnOverview], settings: dict[str, Any]) -> str:
    rest = [column.name for column in columns if column not in rated]
    known = {"scale": list(rated[0].span or ()), **settings}
    lines = [
        "# Most columns look like ratings. Check every list, and list the sensitive items in sensitive.",
        'kind = "ratings"',
        'layout = "wide"',
        tomli_w.dumps(known).strip(),
        "null = []  # marks that mean null, if any; an empty field always does",
        "id = []  # identifying columns, never published",
        "sensitive = []",
        tomli_w.dumps({"ignore": rest, "items": [column.name for column in rated]}).strip(),
    ]
    return "\n".join(lines) + "\n"


def _table(columns: tuple[ColumnOverview, ...], settings: dict[str, Any]) -> str:
    lines = [
        "# Give every column a role: identifier (names a person), quasi-identifier (others may know it), sensitive",
        "# (others must not learn it), insensitive (neither) or drop.",
        'kind = "table"',
        *([tomli_w.dumps(settings).strip()] if settings else []),
    ]
    for column in columns:
        header = tomli_w.dumps({"columns": {column.name: {"role": ""}}}).strip().split("\n")
        lines += ["", *header[:-1], f'role = ""  # {_suggestion(column)}']
    return "\n".join(lines) + "\n"


def _suggestion(column: ColumnOverview) -> str:
    seen = f"{column.type}, {column.distinct:,} distinct values" + (
        f", {column.missing:,} missing" * bool(column.missing)
    )
    if column.distinct <= 1:
        return f"{seen}: carries no information, perhaps drop"
    if column.distinct == column.rows:
        return f"{seen}: unique, perhaps identifier"
    return seen
