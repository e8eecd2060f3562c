"""Microdata from a table as papers print it."""

from collections.abc import Mapping, Sequence

import polars as pl

from shoal.data import Column, Hierarchy, Microdata, Role, Vocabulary

__all__ = ["Levels", "microdata_of"]

Levels = Mapping[str | int, Sequence[str]] | str
"""The labels of each value from level 1 to the root; or ``mask``, or ``root`` for a root and nothing in between."""


def microdata_of(
    header: Mapping[str, Role],
    rows: Sequence[Sequence[str | int]],
    levels: Mapping[str, Levels] | None = None,
    categories: Mapping[str, tuple[tuple[str, ...], ...]] | None = None,
) -> Microdata:
    """Give the rows under their header, with the hierarchies and categories of some columns."""
    columns = []
    for at, (name, role) in enumerate(header.items()):
        values = pl.Series([row[at] for row in rows])
        column = Column.encode(name, role, values, (categories or {}).get(name, ()))
        if levels and name in levels:
            column = column.with_hierarchy(_hierarchy(column.vocabulary, levels[name]))
        columns.append(column)
    return Microdata(tuple(columns))


def _hierarchy(vocabulary: Vocabulary, levels: Levels) -> Hierarchy:
    if levels == "mask":
        return Hierarchy.from_masks(vocabulary)
    if isinstance(levels, str):
        return Hierarchy.from_columns([vocabulary.values, pl.Series(["*"] * len(vocabulary))])
    above = zip(*(levels[value] for value in vocabulary.values), strict=True)
    return Hierarchy.from_columns([vocabulary.values, *(pl.Series(labels) for labels in above)])
