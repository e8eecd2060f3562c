"""Labels of groups: one label per group and quasi-identifier.

*Safe* labels are the lowest labels of the hierarchy that cover the group: the records decide which label is chosen, and
not its text. *Tight* labels of numbers are the range from the lowest to the highest value of the group, and whether a
value is missing: they are narrower, and reveal that both ends occur.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.anonymizers.generalization.value_ranges import first_value, range_labels, value_ranges
from shoal.data import Column, Hierarchy, Microdata, Vocabulary
from shoal.kernels.groups.segments import common_levels

__all__ = ["group_labels"]


def group_labels(table: Microdata, hierarchies: Sequence[Hierarchy], groups: np.ndarray, *, tight: bool) -> Microdata:
    """Publish each record under the labels of its group."""
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.diff(groups[order], prepend=-1, append=groups.max(initial=-1) + 1))
    columns = []
    for column, hierarchy in zip(table.quasi_identifiers, hierarchies, strict=True):
        ranged = tight and column.vocabulary.is_ordered
        columns.append(_ranges(column, order, begins) if ranged else _nodes(column, hierarchy, order, begins))
    return table.replaced(tuple(columns))


def _nodes(column: Column, hierarchy: Hierarchy, order: np.ndarray, begins: np.ndarray) -> Column:
    """Label each group at the lowest level on which its values are alike; one text on two levels is one label."""
    maps = np.stack(hierarchy.maps).astype(np.int32)
    of_group = common_levels(order, begins, np.arange(len(begins) - 1), column.codes, maps)
    if not of_group.any():
        return column.recoded(column.vocabulary, column.codes)
    levels = np.empty(len(column), np.int64)
    levels[order] = np.repeat(of_group, np.diff(begins))
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
    """Label each group by the range of its values."""
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
