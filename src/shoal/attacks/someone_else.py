"""For each target, somebody else."""

import numpy as np

__all__ = ["someone_else"]


def someone_else(targets: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Give a target's knowledge to another: each target stands in for another once, none for themselves if possible.

    With one target there is nobody else, and it stands in for itself.
    """
    order = generator.permutation(len(targets))
    others = np.empty_like(targets)
    others[order] = targets[np.roll(order, 1)]
    return others
