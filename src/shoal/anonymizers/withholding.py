"""Choosing the records whose withholding pays: those that cost the other records of their groups most."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.data import Column, Microdata

from .allowance import Allowance
from .base import Recoding

__all__ = ["Removal", "chosen_removals", "withholding_all_but"]


@dataclass(frozen=True, eq=False)
class Removal:
    """Records of one group, and the loss avoided by withholding them after the earlier removals of the group."""

    rows: np.ndarray
    saved: float

    @property
    def rate(self) -> float:
        """The loss avoided per record."""
        return self.saved / len(self.rows)


def chosen_removals(
    removals: Sequence[Sequence[Removal]], allowance: Allowance, persons: np.ndarray | None
) -> np.ndarray:
    """Return the rows to withhold, those first that avoid most loss per record, as far as the allowance goes.

    ``removals`` has those of each group, which are taken in their order; ``persons`` holds the person of each row.
    """
    waiting = [(-each[0].rate, group, 0) for group, each in enumerate(removals) if each]
    heapq.heapify(waiting)
    rows: list[np.ndarray] = []
    n_rows, losing = 0, set[int]()
    while waiting:
        _, group, step = heapq.heappop(waiting)
        removal = removals[group][step]
        also = set() if persons is None else set(persons[removal.rows].tolist()) - losing
        if n_rows + len(removal.rows) > allowance.records or len(losing) + len(also) > allowance.people:
            continue  # nothing after it in this group either
        rows.append(removal.rows)
        n_rows += len(removal.rows)
        losing |= also
        if step + 1 < len(removals[group]):
            heapq.heappush(waiting, (-removals[group][step + 1].rate, group, step + 1))
    return np.concatenate(rows) if rows else np.zeros(0, np.int64)


def withholding_all_but(table: Microdata, rows: np.ndarray, published: Microdata) -> Recoding:
    """Return the recoding that publishes these ``rows`` of the table as ``published`` and withholds all others."""
    if len(rows) == len(table):
        return Recoding(published)
    withheld = np.ones(len(table), bool)
    withheld[rows] = False
    columns = tuple(_over_all_rows(column, rows, len(table)) for column in published.quasi_identifiers)
    return Recoding(table.replaced(columns), withheld=withheld)


def _over_all_rows(column: Column, rows: np.ndarray, n: int) -> Column:
    """Return the column with a value for every record; that of a withheld record does not matter."""
    codes = np.full(n, column.codes[0], np.int32)
    codes[rows] = column.codes
    return column.recoded(column.vocabulary, codes)
