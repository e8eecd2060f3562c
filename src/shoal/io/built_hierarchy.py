"""The hierarchy of a column as its schema describes it."""

from collections.abc import Sequence

from shoal.data import Column, Hierarchy

from .hierarchy_file import read_hierarchy
from .hierarchy_schema import (
    DateHierarchy,
    FrequencyHierarchy,
    HierarchySchema,
    IntervalHierarchy,
    MaskHierarchy,
    QuantileHierarchy,
)

__all__ = ["built_hierarchy"]


def built_hierarchy(wanted: HierarchySchema, column: Column, null: Sequence[float | str] = ()) -> Hierarchy:
    """Read a hierarchy from its file or build it from the values of the column.

    What the schema says nothing of is chosen as in a suggestion: levels that would add nothing are left out.
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
    return Hierarchy.from_tree(vocabulary, wanted.tree)
