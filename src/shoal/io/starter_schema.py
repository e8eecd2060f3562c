"""A schema to start from, in which everything that only the owner can know is left open."""

from pathlib import Path
from typing import Any

import tomli_w

from .overview import ColumnOverview, open_unexplained, overview

__all__ = ["starter_schema"]


def starter_schema(path: str | Path) -> str:
    """Write the beginning of a schema for a file: roles are suggested in comments and given by nobody but the owner."""
    columns = overview(path)
    rated = _rated(columns)
    settings = {
        key: value for key, value in open_unexplained(path).settings.items() if (key, value) != ("header", True)
    }
    if settings.get("header") is False:
        settings["names"] = [column.name for column in columns]
    return _survey(columns, rated, settings) if rated else _table(columns, settings)


def _rated(columns: tuple[ColumnOverview, ...]) -> list[ColumnOverview]:
    """Give the columns that look like ratings on one scale, if they make up most of the file."""
    spans = [column.span for column in columns if column.span is not None]
    if not spans:
        return []
    usual = max(set(spans), key=spans.count)
    rated = [column for column in columns if column.span == usual]
    return rated if len(rated) >= 5 and 2 * len(rated) > len(columns) else []


def _survey(columns: tuple[ColumnOverview, ...], rated: list[ColumnOverview], settings: dict[str, Any]) -> str:
    rest = [column.name for column in columns if column not in rated]
    told = {"scale": list(rated[0].span or ()), **settings}
    lines = [
        "# Most columns look like ratings. Check every list; name the sensitive items in sensitive.",
        'kind = "ratings"',
        'layout = "wide"',
        tomli_w.dumps(told).strip(),
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
        return f"{seen}: says nothing, perhaps drop"
    if column.distinct == column.rows:
        return f"{seen}: unique, perhaps identifier"
    return seen
