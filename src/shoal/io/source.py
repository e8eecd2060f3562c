"""Records together with what was understood of the file they were read from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import polars as pl

from shoal.data import Microdata, Ratings, Survey
from shoal.display import Displayed, Summary
from shoal.display.summary import listed
from shoal.wording.format import format_count, format_share

from .formats.tabular_file import TabularFile
from .frames import ReadableData
from .schemas import Schema

__all__ = ["Data", "Source"]


@dataclass(frozen=True, repr=False)
class Source(Displayed):
    """Records as read from a file."""

    records: Ratings | Microdata | Survey
    schema: Schema
    """The schema as understood: complete, so that it can be written down and used again."""
    notes: tuple[str, ...]
    """What was recognized, in sentences; none of them contains a value of a record."""
    columns: tuple[str, ...]
    """The names of the columns in file order."""
    schema_file: Path | None = None
    """The schema that was found beside the data and taken."""
    file: TabularFile | None = field(default=None, compare=False)
    """For a table, the file with its fields as written; they are read only when asked for."""
    types: Mapping[str, pl.DataType] = field(default_factory=dict, compare=False)
    """The types that columns came in, where they had any: published ones get them back if their values allow it."""

    def _summary(self) -> Summary:
        records = self.records
        parts = (records.ratings, records.table) if isinstance(records, Survey) else (records,)
        facts = [
            fact for part in parts for fact in (_of_ratings(part) if isinstance(part, Ratings) else _of_table(part))
        ]
        what = {"table": "a table", "survey": "a survey"}.get(records.kind, "ratings")
        return Summary(f"Source: {what} of {_who(records)}", None, tuple(facts), (), self.notes)


Facts = tuple[tuple[str, str], ...]


def _who(records: Ratings | Microdata | Survey) -> str:
    if not isinstance(records, Microdata):
        return format_count(records.n_people, "person", "people")
    of = f" of {format_count(records.n_people, 'person', 'people')}" if records.has_repeated_people else ""
    return format_count(len(records), "record") + of


def _of_ratings(ratings: Ratings) -> Facts:
    """Return counts alone: where each line is a rating, the names of items are values."""
    n_sensitive = len(ratings.sensitive.items)
    items = len(ratings.observable.items) + n_sensitive
    share = ratings.n_ratings / max(len(ratings) * items, 1)
    return (
        ("items", f"{items:,}, {n_sensitive:,} of them sensitive"),
        ("ratings", f"{ratings.n_ratings:,} ({format_share(share)} of what could be rated), {ratings.scale}"),
    )


def _of_table(table: Microdata) -> Facts:
    by_role: dict[str, list[str]] = {}
    for column in table.columns:
        by_role.setdefault(str(column.role), []).append(column.name)
    return tuple((role, listed(names)) for role, names in by_role.items())


Data: TypeAlias = ReadableData | Source
"""What every job takes as its data: a path, another location, a frame, or what was read from one before."""
