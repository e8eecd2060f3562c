"""Records whose leaving would save something, and which of them to leave out."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .allowance import Allowance

__all__ = ["Removal", "chosen_removals"]


@dataclass(frozen=True, eq=False)
class Removal:
    """Records of one group, and what is saved by leaving them out after those of the group that came before."""

    rows: np.ndarray
    saved: float

    @property
    def rate(self) -> float:
        """What is saved a record."""
        return self.saved / len(self.rows)


def chosen_removals(
    by_group: Sequence[Sequence[Removal]], allowance: Allowance, persons: np.ndarray | None
) -> np.ndarray:
    """Return the rows to leave out, those first that save most a record, as far as is allowed.

    Removals of a group are taken in their order; ``persons`` says whose the rows are.
    """
    waiting = [(-each[0].rate, group, 0) for group, each in enumerate(by_group) if each]
    heapq.heapify(waiting)
    rows: list[np.ndarray] = []
    n_rows, losing = 0, set[int]()
    while waiting:
        _, group, step = heapq.heappop(waiting)
        removal = by_group[group][step]
        also = set() if persons is None else set(persons[removal.rows].tolist()) - losing
        if n_rows + len(removal.rows) > allowance.records or len(losing) + len(also) > allowance.people:
            continue  # nothing after it in this group either
        rows.append(removal.rows)
        n_rows += len(removal.rows)
        losing |= also
        if step + 1 < len(by_group[group]):
            heapq.heappush(waiting, (-by_group[group][step + 1].rate, group, step + 1))
    return np.concatenate(rows) if rows else np.zeros(0, np.int64)
