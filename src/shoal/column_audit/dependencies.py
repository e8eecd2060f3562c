"""Which columns depend on which quasi-identifiers, before anything is generalized."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.data import Column
from shoal.evidence import PairCounts

from .telling import telling

__all__ = ["Dependency", "dependencies"]


@dataclass(frozen=True)
class Dependency:
    """A column that tells a quasi-identifier as a whole, or is told by it."""

    column: str
    quasi_identifier: str
    which: Literal["determines", "is determined by"]
    exact: bool
    """Whether nobody is an exception."""

    def __str__(self) -> str:
        nearly = "" if self.exact else "nearly always "
        return f"{self.column!r} {nearly}{self.which} the quasi-identifier {self.quasi_identifier!r}"


def dependencies(
    columns: Sequence[Column], known: Sequence[Column], persons: np.ndarray | None = None
) -> Iterator[Dependency]:
    """Return every dependency between a column and a quasi-identifier: that which determines, or else is determined."""
    for column in columns:
        for other in known:
            width, n_values = len(column.vocabulary), len(other.vocabulary)
            pairs = PairCounts.of(column.codes, width, other.codes, n_values, persons)
            tells, told = telling(pairs), telling(pairs.swapped)
            if tells.whole:
                yield Dependency(column.name, other.name, "determines", tells.exact)
            elif told.whole:
                yield Dependency(column.name, other.name, "is determined by", told.exact)
