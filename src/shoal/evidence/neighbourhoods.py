"""How crowded it is around each record."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

__all__ = ["Neighbourhoods"]


@dataclass(frozen=True, eq=False, repr=False)
class Neighbourhoods:
    """For each record, how many *other* records are within ε of it."""

    epsilon: Fraction
    others: np.ndarray
    """int64, one entry a record."""

    def __post_init__(self) -> None:
        assert self.others.dtype == np.int64

    def __len__(self) -> int:
        return len(self.others)

    def __repr__(self) -> str:
        return f"Neighbourhoods({len(self):,} records)"
