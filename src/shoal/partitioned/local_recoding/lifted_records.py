"""Which records of a table are lifted: the first of a cell, in an order that their sensitive values do not decide.

Records come in the order of their quasi-identifiers, the last one first, and those with equal ones in random order, as
in memory (:mod:`shoal.anonymizers.canonical_order`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.backends import Columns, Shared
from shoal.kernels.sampling import mixed
from shoal.partitioned.table import PartitionedTable
from shoal.partitioned.write_parts import DRAWN

from .cut_tree import CutTree, FollowCuts
from .segment_counts import Kinds

__all__ = ["Cells", "in_random_order", "lifted_records"]

_CELL = "cell"


@dataclass(frozen=True, eq=False)
class Cells:
    """Of a segment that is cut by an attribute, the cells that records are lifted from."""

    segment: int
    attribute: int
    parts: np.ndarray
    """By value of the attribute, the part that it goes to; −1 for values that do not occur."""
    cells: np.ndarray
    """By cell, its part and its kind."""
    wanted: np.ndarray
    """How many records are lifted from each cell."""


def lifted_records(table: PartitionedTable, tree: CutTree, cells: Sequence[Cells], kinds: Kinds) -> list[np.ndarray]:
    """Return what was drawn for the records that are lifted from each segment; these are leaves of the tree."""
    names = table.codes_of(table.quasi_identifiers)
    columns: Columns = {_CELL: pl.UInt32(), DRAWN: pl.UInt64(), **{name: table.rows.columns[name] for name in names}}
    finding = _FindFirst(table.backend.shared(tree.followed()), table.backend.shared(tuple(cells)), kinds, names)
    found = table.rows.map_batches(finding, columns).collect("finding records to lift")
    lifted, begin = [], 0
    for each in cells:
        numbers = [np.zeros(0, np.uint64)]
        for place, wanted in enumerate(each.wanted.tolist(), begin):
            candidates = found.filter(pl.col(_CELL) == place)
            numbers.append(candidates[DRAWN].to_numpy()[_first_in_order(candidates, names, wanted)])
        lifted.append(np.concatenate(numbers))
        begin += len(each.wanted)
    return lifted


def in_random_order(rows: pl.DataFrame) -> np.ndarray:
    """Return a number for each row by which equal records are ordered: not that by which they will be published."""
    return mixed(rows[DRAWN].to_numpy())


@dataclass(frozen=True)
class _FindFirst:
    """Finds the first records of each cell in a batch."""

    followed: Shared[FollowCuts]
    cells: Shared[tuple[Cells, ...]]
    kinds: Kinds
    names: tuple[str, ...]

    def __call__(self, rows: pl.DataFrame) -> pl.DataFrame:
        leaves, kinds, begin = self.followed.value(rows, self.names), self.kinds.of(rows), 0
        columns = [DRAWN, *self.names]
        found = [rows.select(pl.lit(0, pl.UInt32).alias(_CELL), *columns).clear()]
        for each in self.cells.value:
            here = np.flatnonzero(leaves == each.segment)
            parts = each.parts[rows[self.names[each.attribute]].to_numpy()[here]]
            for place, ((part, kind), wanted) in enumerate(zip(each.cells, each.wanted.tolist(), strict=True), begin):
                own = rows[here[(parts == part) & (kinds[here] == kind)]]
                first = own[_first_in_order(own, self.names, wanted)]
                found.append(first.select(pl.lit(place, pl.UInt32).alias(_CELL), *columns))
            begin += len(each.wanted)
        return pl.concat(found)


def _first_in_order(rows: pl.DataFrame, names: Sequence[str], wanted: int) -> np.ndarray:
    """Return the first rows, so many as are wanted; no more rows are sorted than are equal in what was compared."""
    keys = [*(rows[name].to_numpy() for name in reversed(names)), in_random_order(rows)]
    first, tied = [np.zeros(0, np.int64)], np.arange(rows.height)
    for key in keys:
        if len(tied) <= wanted or not wanted:
            break
        values = key[tied]
        last = np.partition(values, wanted - 1)[wanted - 1]
        before = tied[values < last]
        first.append(before)
        wanted -= len(before)
        tied = tied[values == last]
    return np.concatenate([*first, tied[:wanted]])
