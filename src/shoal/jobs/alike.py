"""How many records look alike in what others may know, as data stand."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal.data import Records
from shoal.engines import LocalEngine

__all__ = ["Alike", "alike"]

_MOST = 1000
"""So many sizes are told one by one; records in larger groups are told together."""


@dataclass(frozen=True)
class Alike:
    """The groups of records that are equal in what others may know."""

    facts: dict[str, Any]
    """How many groups there are, and how many records and people are alone in theirs."""
    by_size: dict[int, int] = field(default_factory=dict)
    """How many records are in groups of each size, in people, the smallest first."""


def alike(records: Records) -> Alike:
    """Count the groups of records, and who is alone."""
    engine = LocalEngine()
    grouping = engine.group(records)
    sizes = engine.count(records, grouping, sensitive=False).sizes
    by_size = _by_size(sizes, np.bincount(grouping.labels, minlength=len(sizes)))
    if records.n_people == len(records) and records.stated is None:
        return Alike({"groups": len(sizes), "unique_records": int(np.count_nonzero(sizes == 1))}, by_size)
    alone = records.take(np.flatnonzero(grouping.members(sizes == 1)))
    # of published records only the numbers by class are known, and those who are alone are one a class
    unique = int(np.count_nonzero(sizes == 1)) if records.stated is not None else alone.n_people
    return Alike({"groups": len(sizes), "unique_people": unique, "unique_records": len(alone)}, by_size)


def _by_size(sizes: np.ndarray, records: np.ndarray) -> dict[int, int]:
    different, places = np.unique(sizes, return_inverse=True)
    counts = np.bincount(places, records, minlength=len(different)).astype(np.int64)
    return dict(zip(different.tolist()[:_MOST], counts.tolist()[:_MOST], strict=True))
