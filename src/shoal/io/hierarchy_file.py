"""Hierarchy files: one line a value, ``value;level 1;level 2;…;*``."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from shoal.data import Hierarchy
from shoal.errors import HierarchyError

from .hierarchy_lines import hierarchy_lines
from .label_faults import label_faults
from .told_as_unwritable import told_as_unwritable

__all__ = ["read_hierarchy", "write_hierarchy"]


def read_hierarchy(path: str | Path, null: Sequence[float | str] = ()) -> Hierarchy:
    """Read a hierarchy, its levels between semicolons or commas; every line must have the same number of levels.

    An empty value, or a mark that means null, is the missing value.
    """
    path = Path(path)
    lines = hierarchy_lines(path, null)
    depth = len(lines[0].labels)
    for line in lines:
        if len(line.labels) != depth:
            raise HierarchyError(
                f"Line {line.number} of the hierarchy {path.name} has {len(line.labels) + 1} levels, and the first has "
                f"{depth + 1}.",
                "Give every value the same number of levels; repeat a label where nothing changes.",
            )
    for fault in label_faults(lines)[:1]:
        raise HierarchyError(f"{path.name}: {fault.sentence}", fault.cure)
    values = pl.Series([line.value for line in lines], dtype=pl.String)
    labels = [pl.Series([line.labels[level] for line in lines], dtype=pl.String) for level in range(depth)]
    try:
        return Hierarchy.from_columns([values, *labels])
    except HierarchyError as error:
        raise HierarchyError(f"{path.name}: {error.message}", error.cure) from None


def write_hierarchy(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write a hierarchy so that :func:`read_hierarchy` reads the same."""
    levels = [labels.words.gather(codes) for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]
    columns = {str(i): level for i, level in enumerate(levels)}
    with told_as_unwritable(path):
        # with a mark of its own, a first value that begins like one is not taken for it
        pl.DataFrame(columns).write_csv(Path(path), separator=";", include_header=False, include_bom=True)
