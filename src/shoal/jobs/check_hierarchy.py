"""Check a hierarchy file, alone or against the column it is for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Hierarchy
from shoal.errors import InputError
from shoal.io import Source
from shoal.io.hierarchy_fault import HierarchyFault
from shoal.io.hierarchy_faults import hierarchy_faults
from shoal.io.hierarchy_lines import HierarchyLine, hierarchy_lines
from shoal.io.schema import Schema

from .table_column import table_column

__all__ = ["CheckedHierarchy", "check_hierarchy"]


@dataclass(frozen=True)
class CheckedHierarchy:
    """What is wrong with a hierarchy file, and what is odd; in counts and lines, never in values."""

    faults: tuple[HierarchyFault, ...]
    notes: tuple[str, ...]
    values: int
    levels: int
    """How many levels the first line has, that of the value included."""

    @property
    def holds(self) -> bool:
        """Whether the file is a hierarchy, of the column if one was named."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        faults = [{"fault": each.sentence, "cure": each.cure, "lines": list(each.lines)} for each in self.faults]
        told = {"holds": self.holds, "values": self.values, "levels": self.levels}
        return {**told, "faults": faults, "notes": list(self.notes)}


def check_hierarchy(
    file: str | Path,
    *,
    data: str | Path | Source | None = None,
    schema: Schema | str | Path | None = None,
    column: str | None = None,
) -> CheckedHierarchy:
    """Find everything because of which a file is not a hierarchy or, with data, not one of a column of theirs."""
    if data is None:
        if schema is not None or column is not None:
            raise InputError(
                "A hierarchy is checked against a column of data, and no data are given.", "Name the data."
            )
        lines = hierarchy_lines(file)
        return _result(lines, (), ())
    if column is None:
        raise InputError("It is not said which column of the data the hierarchy is for.", "Name the column.")
    values, described = table_column(data, schema, column)
    lines = hierarchy_lines(file, described.null)
    return _result(lines, *_against(lines, values))


def _result(
    lines: list[HierarchyLine], more_faults: tuple[HierarchyFault, ...], more_notes: tuple[str, ...]
) -> CheckedHierarchy:
    faults = hierarchy_faults(lines)
    idle = () if faults else _idle_levels(lines)
    notes = (*idle, *more_notes)
    return CheckedHierarchy((*faults, *more_faults), notes, len(lines), len(lines[0].labels) + 1)


def _against(lines: list[HierarchyLine], column: Column) -> tuple[tuple[HierarchyFault, ...], tuple[str, ...]]:
    """Compare the values that are listed with those that occur."""
    listed = pl.Series([line.value for line in lines], dtype=pl.String).unique(maintain_order=True)
    places = Hierarchy.from_columns([listed, pl.Series(["*"] * len(listed))]).places(column.vocabulary)
    occurring = column.counts > 0
    missed = (places < 0) & occurring
    unused = len(listed) - len(np.unique(places[occurring & (places >= 0)]))
    notes = (f"Listed values that do not occur in the data: {unused:,} of {len(listed):,}.",) if unused else ()
    if not missed.any():
        return (), notes
    records = int(column.counts[missed].sum())
    sentence = (
        f"Values of the column {column.name!r} that are not listed: {int(missed.sum()):,} of "
        f"{int(occurring.sum()):,}; {records:,} of {len(column):,} records have them."
    )
    without_missing = bool(column.vocabulary.values.filter(pl.Series(missed)).has_nulls())
    cure = "Add a line for every value that occurs" + (
        ", and one that begins with nothing for the missing value." if without_missing else "."
    )
    return (HierarchyFault(sentence, cure),), notes


def _idle_levels(lines: list[HierarchyLine]) -> list[str]:
    """Say which levels between the values and the root tell as much as the one below, or as little as the root."""
    columns = list(zip(*((line.value, *line.labels) for line in lines), strict=True))
    sizes = [len(set(column)) for column in columns]
    return [
        f"Level {level} tells {'as little as the root' if sizes[level] == 1 else f'as much as level {level - 1}'}, "
        "and could be left out."
        for level in range(1, len(sizes) - 1)
        if sizes[level] in (1, sizes[level - 1])
    ]
