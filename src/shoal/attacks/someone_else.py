"""For each target, somebody else."""

import numpy as np

__all__ = ["someone_else"]


def someone_else(targets: np.ndarray, generator: np.random.Generator, persons: np.ndarray | None = None) -> np.ndarray:
    """Give a target's knowledge to another: each target stands in for another once, none for themselves if possible.

    With one target there is nobody else, and it stands in for itself. ``persons`` says whose record each target is,
    where a person may have several: then another person stands in, unless one has more than half of all records.
    """
    order = generator.permutation(len(targets))
    shift = 1
    if persons is not None and len(persons):
        _, numbers, times = np.unique(persons[order], return_inverse=True, return_counts=True)
        order = order[np.argsort(numbers, kind="stable")]
        shift = int(times.max())  # past all records of whoever has most, so past one's own
    others = np.empty_like(targets)
    others[order] = targets[np.roll(order, shift)]
    return others
