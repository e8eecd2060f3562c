"""Blocks of a table, each of which is aggregated by itself: cut at the middle of what is widest, as Mondrian cuts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from shoal.anonymizers.generalization.cut_segments import cut_segments, table_attributes
from shoal.anonymizers.generalization.cuts import Segments
from shoal.anonymizers.promises import GroupPromises
from shoal.data import CountedColumn, Microdata
from shoal.engines import Engine
from shoal.models import PrivacyModel

__all__ = ["table_blocks"]


def table_blocks(
    table: Microdata, models: Sequence[PrivacyModel], engine: Engine, enough: int
) -> Iterator[tuple[np.ndarray, Microdata]]:
    """Yield the rows of each block, and the block, in which values are as frequent as in the whole table.

    Blocks of more than ``enough`` records are cut as long as every part, as one group, keeps the promises.
    """
    whole = Segments(np.arange(len(table)), np.array([0, len(table)]))
    attributes = table_attributes(table, by_hierarchy=False)
    blocks = cut_segments(whole, attributes, GroupPromises(table, models, engine), enough=enough)
    columns = [CountedColumn.with_counts(column) for column in table.columns if column.role.leaves]
    counted = replace(table, columns=tuple(columns))
    for begin, end in pairwise(blocks.begins.tolist()):
        rows = np.sort(blocks.order[begin:end])
        yield rows, counted.take(rows)
