"""The hierarchy of a column as its schema describes it."""

from collections.abc import Sequence

from shoal.data import Column, Hierarchy
from shoal.data.tree_levels import Tree
from shoal.errors import HierarchyError

from .hierarchy_file import read_hierarchy
from .hierarchy_lines import HierarchyLine
from .hierarchy_schema import (
    DateHierarchy,
    FrequencyHierarchy,
    HierarchySchema,
    IntervalHierarchy,
    MaskHierarchy,
    QuantileHierarchy,
)
from .label_faults import label_faults

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
