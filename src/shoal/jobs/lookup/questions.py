"""What a release can be asked about a person, and what the person answers, as a file would have it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import WordingError
from shoal.io.folders.certificate_file import SCHEMA
from shoal.io.schemas import RatingsSchema, TableSchema, read_schema

__all__ = ["Questions", "as_frame", "questions_of"]


@dataclass(frozen=True)
class Questions:
    """What a person may say of herself, as far as others may know it."""

    kind: str
    """``table``, ``ratings``, ``sets`` or ``survey``, whose people have values of columns and answers."""
    columns: tuple[str, ...]
    has_items: bool
    is_rated: bool
    """Whether items have ratings; of sets, the item is enough."""
    scale: tuple[float, float] | None
    date: str | None
    """The name of dates, where periods of ratings are published: then they are asked for, too."""


def questions_of(folder: str | Path) -> Questions:
    """Return what can be asked of a release, from its schema; its records are not read."""
    schema = read_schema(Path(folder) / SCHEMA)
    columns = tuple(name for name, each in schema.columns.items() if each.role.is_observable)
    if isinstance(schema, TableSchema):
        return Questions("table", columns, has_items=False, is_rated=False, scale=None, date=None)
    assert isinstance(schema, RatingsSchema)
    kind = "survey" if schema.columns else str(schema.kind)
    is_rated = schema.kind == "ratings" or bool(schema.columns)
    date = None if schema.dates is None else schema.date or "date"
    return Questions(kind, columns, has_items=True, is_rated=is_rated, scale=_scale(schema), date=date)


def _scale(schema: RatingsSchema) -> tuple[float, float] | None:
    return None if schema.scale is None else (float(schema.scale[0]), float(schema.scale[1]))


def as_frame(asked: Questions, values: Mapping[str, str], items: Sequence[Mapping[str, str]]) -> pl.DataFrame:
    """Return what a person says of herself as :func:`shoal.jobs.lookup.lookup` reads it.

    ``items`` have an ``item`` each, and a ``rating`` and a ``date`` where there are any.
    """
    if not values and not items:
        raise WordingError("Nothing was said that could be looked up.", "Fill in at least one field.")
    if not asked.has_items:
        if items:
            raise WordingError("The release is a table, and has no items.", "Fill in the columns instead.")
        return _line(values)
    if asked.kind == "survey":
        answers = {each["item"]: each.get("rating", "") for each in items}
        if len(answers) < len(items):
            raise WordingError("An item is named twice.", "Name each item once.")
        return _line({**values, **answers})
    columns: dict[str, list[Any]] = {"item": [each["item"] for each in items]}
    if asked.is_rated:
        columns["rating"] = [each.get("rating") or None for each in items]
    if asked.date is not None:
        columns[asked.date] = [each.get("date") or None for each in items]
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def _line(values: Mapping[str, str]) -> pl.DataFrame:
    line = {name: [value or None] for name, value in values.items()}
    return pl.DataFrame(line, schema=dict.fromkeys(line, pl.String))
