"""Hierarchies read from files, one line per value (``value;level 1;level 2;…;*``), or built from a column."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from shoal.data import Column, Hierarchy
from shoal.data.hierarchies.category_levels import Tree
from shoal.errors import HierarchyError
from shoal.io.schemas.hierarchy_schema import (
    DateHierarchy,
    FrequencyHierarchy,
    HierarchySchema,
    IntervalHierarchy,
    MaskHierarchy,
    QuantileHierarchy,
)
from shoal.io.write_errors import unwritable_as_error

from .faults import label_faults
from .lines import HierarchyLine, hierarchy_lines

__all__ = ["built_hierarchy", "hierarchy_text", "read_hierarchy", "write_hierarchy"]


def read_hierarchy(path: str | Path, null: Sequence[float | str] = ()) -> Hierarchy:
    """Read a hierarchy with levels separated by semicolons or commas, the same number on every line.

    An empty value, or one that ``null`` lists, is the missing value.
    """
    path = Path(path)
    lines = hierarchy_lines(path, null)
    depth = len(lines[0].labels)
    for line in lines:
        if len(line.labels) != depth:
            raise HierarchyError(
                f"Line {line.number} of the hierarchy {path.name} has {len(line.labels) + 1} levels, the first line "
                f"has {depth + 1}.",
                "Give every value the same number of levels; repeat a label where it does not change.",
            )
    for fault in label_faults(lines)[:1]:
        raise HierarchyError(f"{path.name}: {fault.sentence}", fault.cure)
    values = pl.Series([line.value for line in lines], dtype=pl.String)
    labels = [pl.Series([line.labels[level] for line in lines], dtype=pl.String) for level in range(depth)]
    try:
        return Hierarchy.from_columns([values, *labels])
    except HierarchyError as error:
        raise HierarchyError(f"{path.name}: {error.message}", error.cure) from None


def hierarchy_text(hierarchy: Hierarchy) -> str:
    """Write a hierarchy as text, a line for each value."""
    return _frame(hierarchy).write_csv(separator=";", include_header=False)


def write_hierarchy(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write a hierarchy so that :func:`read_hierarchy` reads the same."""
    with unwritable_as_error(path):
        # with a byte-order mark of its own, a first value that begins with one keeps it
        _frame(hierarchy).write_csv(Path(path), separator=";", include_header=False, include_bom=True)


def _frame(hierarchy: Hierarchy) -> pl.DataFrame:
    levels = [labels.words.gather(codes) for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]
    return pl.DataFrame({str(i): level for i, level in enumerate(levels)})


def built_hierarchy(wanted: HierarchySchema, column: Column, null: Sequence[float | str] = ()) -> Hierarchy:
    """Read a hierarchy from its file or build it from the values of the column.

    What the schema leaves open is chosen as ``shoal hierarchy`` suggests it; levels that add nothing are left out.
    """
    vocabulary = column.vocabulary
    if isinstance(wanted, str):
        return read_hierarchy(wanted, null).rebased(vocabulary, f"the column {column.name!r}")
    if isinstance(wanted, MaskHierarchy):
        return Hierarchy.from_masks(vocabulary)
    if isinstance(wanted, IntervalHierarchy) and wanted.widths is not None:
        return Hierarchy.from_intervals(vocabulary, wanted.widths)
    if isinstance(wanted, QuantileHierarchy) and wanted.parts is not None:
        return Hierarchy.from_quantiles(vocabulary, column.counts, wanted.parts)
    if isinstance(wanted, FrequencyHierarchy) and wanted.shares is not None:
        return Hierarchy.from_frequencies(vocabulary, column.counts, wanted.shares)
    if isinstance(wanted, IntervalHierarchy | QuantileHierarchy | DateHierarchy | FrequencyHierarchy):
        return Hierarchy.suggest(vocabulary, column.counts, wanted.kind)
    return _from_tree(wanted.tree, column)


def _from_tree(tree: Tree, column: Column) -> Hierarchy:
    hierarchy = Hierarchy.from_tree(column.vocabulary, tree)
    whole = hierarchy.declared or hierarchy
    leaves, *levels = (labels.words.gather(codes) for labels, codes in zip(whole.labels, whole.maps, strict=True))
    rows = zip(leaves, zip(*levels, strict=True), strict=True)
    lines = [HierarchyLine(number, value, labels) for number, (value, labels) in enumerate(rows, start=1)]
    for fault in label_faults(lines)[:1]:
        raise HierarchyError(f"The category tree: {fault.sentence}", fault.cure)
    return hierarchy
