"""Draw a hierarchy as text."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shoal.data import Column, Hierarchy
from shoal.errors import HierarchyError, InputError
from shoal.io import Source, read_hierarchy
from shoal.io.schema import Schema
from shoal.pages import hierarchy_drawing

from .table_column import table_column

__all__ = ["DrawnHierarchy", "draw_hierarchy"]


@dataclass(frozen=True)
class DrawnHierarchy:
    """A tree, line by line."""

    lines: tuple[str, ...]
    sizes: tuple[int, ...]
    """How many labels each level has, from the values to the root."""

    def to_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {"labels": list(self.sizes), "drawing": list(self.lines)}


def draw_hierarchy(
    file: str | Path | None = None,
    *,
    data: str | Path | Source | None = None,
    schema: Schema | str | Path | None = None,
    column: str | None = None,
    most: int = 10,
    values: bool | None = None,
) -> DrawnHierarchy:
    """Draw the hierarchy of a file, or the one that a schema declares for a column of data.

    With data, it is told how many records have each label. The values themselves are drawn unless they come from the
    data, or as ``values`` says.
    """
    if data is not None and column is None:
        raise InputError("It is not said which column of the data the hierarchy is for.", "Name the column.")
    if file is None:
        if data is None or column is None:
            raise InputError("There is nothing to draw.", "Name a hierarchy file, or data, their schema and a column.")
        hierarchy, counts = _declared(data, schema, column)
    elif data is None or column is None:
        if schema is not None or column is not None:
            raise InputError("Records are counted in data, and no data are given.", "Name the data.")
        hierarchy, counts = read_hierarchy(file), None
    else:
        found, described = table_column(data, schema, column)
        hierarchy = read_hierarchy(file, described.null)
        counts = _counts(hierarchy, found)
    shown = file is not None if values is None else values
    lines = hierarchy_drawing(hierarchy, counts, most=most, values=shown)
    return DrawnHierarchy(lines, tuple(len(np.unique(codes)) for codes in hierarchy.maps))


def _declared(data: str | Path | Source, schema: Schema | str | Path | None, name: str) -> tuple[Hierarchy, np.ndarray]:
    column, _ = table_column(data, schema, name, hierarchy=True)
    if column.hierarchy is None:
        raise HierarchyError(
            f"The schema declares no hierarchy for the column {name!r}.", "`shoal hierarchy suggest` makes one."
        )
    return column.hierarchy, column.counts


def _counts(hierarchy: Hierarchy, column: Column) -> np.ndarray:
    """Count the records that have each value of a hierarchy; it must cover all that occur."""
    places = hierarchy.places(column.vocabulary)
    missed = int(np.count_nonzero((places < 0) & (column.counts > 0)))
    if missed:
        raise HierarchyError(
            f"The hierarchy misses {missed:,} values of the column {column.name!r}.",
            "Add a line for every value that occurs; `shoal hierarchy check` says more.",
        )
    counts = np.zeros(hierarchy.n_values, np.int64)
    np.add.at(counts, places[places >= 0], column.counts[places >= 0])
    return counts
