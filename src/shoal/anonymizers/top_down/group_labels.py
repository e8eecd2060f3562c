"""Groups of records, told by one label a group in every quasi-identifier.

*Safe* labels are the lowest of the hierarchy that cover the group. They depend on the records by which of them is
chosen, and not by what it is called. *Tight* labels of numbers are the range from the lowest to the highest value in
the group, and whether a value is missing in it: they tell more, and that both ends occur.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.anonymizers.value_ranges import first_value, range_labels, value_ranges
from shoal.data import Column, Hierarchy, Microdata, Vocabulary
from shoal.kernels.groups.segments import common_levels

__all__ = ["group_labels"]


def group_labels(table: Microdata, hierarchies: Sequence[Hierarchy], groups: np.ndarray, *, tight: bool) -> Microdata:
    """Publish each record under the labels of its group."""
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.diff(groups[order], prepend=-1, append=groups.max(initial=-1) + 1))
    published = []
    for column, hierarchy in zip(table.quasi_identifiers, hierarchies, strict=True):
        ranged = tight and column.vocabulary.is_ordered
        published.append(_ranges(column, order, begins) if ranged else _nodes(column, hierarchy, order, begins))
    return table.replaced(tuple(published))


def _nodes(column: Column, hierarchy: Hierarchy, order: np.ndarray, begins: np.ndarray) -> Column:
    """Tell each group at the lowest level on which its values are alike; one text on two levels is one label."""
    maps = np.stack(hierarchy.maps).astype(np.int32)
    group_offsets = common_levels(order, begins, np.arange(len(begins) - 1), column.codes, maps)
    if not group_offsets.any():
        return column.recoded(column.vocabulary, column.codes)
    levels = np.empty(len(column), np.int64)
    levels[order] = np.repeat(group_offsets, np.diff(begins))
    codes = np.empty(len(column), np.int64)
    texts: list[pl.Series] = []
    begin = 0
    for level in np.unique(levels):
        here = levels == level
        codes[here] = begin + hierarchy.generalized(column.codes[here], int(level))
        texts.append(hierarchy.labels[level].words)
        begin += len(texts[-1])
    vocabulary, places = Vocabulary.encode(pl.concat(texts))
    return column.recoded(vocabulary, places[codes])


def _ranges(column: Column, order: np.ndarray, begins: np.ndarray) -> Column:
    """Tell each group by the range of its values."""
    ranks = column.rank_of
    assert ranks is not None
    words = column.vocabulary.words.gather(np.argsort(ranks)).to_list()
    groups = np.arange(len(begins) - 1)
    ranges = np.stack(value_ranges(order, begins, groups, ranks[column.codes], first_value(words)), axis=1)
    if (ranges[:, 0] == ranges[:, 1]).all() and not ranges[:, 2].any():
        return column.recoded(column.vocabulary, column.codes)
    vocabulary, codes = range_labels(words, ranges, ordered=True)
    published = np.empty(len(column), np.int64)
    published[order] = np.repeat(codes, np.diff(begins))
    return column.recoded(vocabulary, published)
