"""How many people some records are of."""

import numpy as np

__all__ = ["people_among"]


def people_among(records: np.ndarray, persons: np.ndarray | None = None) -> int:
    """Return how many different people the records of a mask are of; without ``persons``, one each."""
    if persons is None or not len(records):
        return int(np.count_nonzero(records))
    seen = np.zeros(int(persons.max()) + 1, np.bool_)
    seen[persons[records]] = True
    return int(np.count_nonzero(seen))
