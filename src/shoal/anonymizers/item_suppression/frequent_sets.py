"""The sets of items that enough records hold, found from the rarest item on."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.data import RankedRows
from shoal.engines import Engine
from shoal.kernels.matching.frequent_sets import frequent_sets

__all__ = ["FrequentSets"]

_SPANS = 64
"""In how many spans of first items the sets are looked for, side by side."""


@dataclass(frozen=True, eq=False, repr=False)
class FrequentSets:
    """A tree of sets: each level has sets of one more item, and under each set are the items that extend it."""

    n_rare: int
    """How many ranks are rare by themselves: the first ones."""
    columns: np.ndarray
    """The last item of the sets of two items, of three, and so on: int32."""
    begins: np.ndarray
    """Where the extensions of each set begin on the next level, level after level: int64."""
    first_columns: np.ndarray
    """Where each level begins among the columns."""
    first_begins: np.ndarray
    """Where each level begins among the begins."""
    size: int
    """How many items a set has at most."""

    @classmethod
    def of(cls, rows: RankedRows, fewest: np.ndarray, engine: Engine) -> Self:
        """Find the sets that so many records hold at least: those of one item, of two, and so on."""
        spans = list(rows.spans(_SPANS))
        parts = engine.map_blocks(lambda span: frequent_sets(*rows.arrays, *span, fewest), spans)
        size = len(fewest)
        columns = [np.zeros(0, np.int32)]  # a single item is its own number
        begins = []
        for level in range(size):
            columns += [np.concatenate([part[0][part[1] == level] for part in parts])] if level else []
            begins += [_begins([part[2][part[3] == level] for part in parts])] if level + 1 < size else []
        first_columns, first_begins = (np.cumsum([0, *map(len, arrays)]) for arrays in (columns, begins))
        n_rare = int(np.searchsorted(rows.support, fewest[0]))
        all_begins = np.concatenate(begins) if begins else np.zeros(0, np.int64)
        return cls(n_rare, np.concatenate(columns), all_begins, first_columns, first_begins, size)

    def __repr__(self) -> str:
        return f"FrequentSets({len(self.columns):,} sets of 2 to {self.size:,} items)"

    @property
    def tree(self) -> tuple[np.ndarray, ...]:
        """What kernels look sets up in."""
        return self.columns, self.begins, self.first_columns, self.first_begins


def _begins(ends: list[np.ndarray]) -> np.ndarray:
    """Return where extensions begin, from the ends that each part counted from 0."""
    shifts = np.cumsum([0, *(int(each[-1]) if len(each) else 0 for each in ends)])
    shifted = [each + shift for each, shift in zip(ends, shifts[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *shifted])
