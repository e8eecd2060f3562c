"""The ways in which the values of a group may be shared out among its parts."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

__all__ = ["SharedOut", "shared_out"]


@dataclass(frozen=True, eq=False)
class SharedOut:
    """All ways with their chances, or many that were drawn by their chances."""

    counts: np.ndarray
    """By way, part and value."""
    weights: np.ndarray
    """Proportional to the chance of each way, were it by lot who in the group has which value."""
    are_all: bool


def shared_out(sizes: np.ndarray, counts: np.ndarray, limit: int, generator: np.random.Generator) -> SharedOut:
    """Share out values that occur so often among parts of such sizes; draw so many ways if there are more."""
    assert sizes.sum() == counts.sum()
    found = _all_ways(sizes, counts, limit)
    if found is None:
        return SharedOut(_drawn_ways(sizes, counts, limit, generator), np.ones(limit), are_all=False)
    # so many arrangements of the members come to the same counts
    logarithms = -gammaln(found + 1.0).sum(axis=(1, 2))
    return SharedOut(found, np.exp(logarithms - logarithms.max()), are_all=True)


def _all_ways(sizes: np.ndarray, counts: np.ndarray, limit: int) -> np.ndarray | None:
    """Fill part after part, value after value, with every number that can still be made up; None: there are more."""
    left = counts[None].astype(np.int64)
    filled = np.zeros((1, 0), np.int64)
    for size in sizes.tolist():
        room = np.full(len(left), size)
        for value in range(len(counts)):
            fewest = np.maximum(room - left[:, value + 1 :].sum(axis=1), 0)
            choices = np.minimum(left[:, value], room) - fewest + 1
            if choices.sum() > limit:  # every beginning can be finished, so there are at least as many ways
                return None
            row = np.repeat(np.arange(len(left)), choices)
            taken = fewest[row] + np.arange(len(row)) - np.repeat(np.cumsum(choices) - choices, choices)
            left, room, filled = left[row], room[row] - taken, np.column_stack([filled[row], taken])
            left[:, value] -= taken
    return filled.reshape(len(filled), len(sizes), len(counts))


def _drawn_ways(sizes: np.ndarray, counts: np.ndarray, n: int, generator: np.random.Generator) -> np.ndarray:
    left = np.tile(counts.astype(np.int64), (n, 1))
    ways = np.empty((n, len(sizes), len(counts)), np.int64)
    for part, size in enumerate(sizes.tolist()):
        room = np.full(n, size)
        for value in range(len(counts)):
            taken = generator.hypergeometric(left[:, value], left[:, value + 1 :].sum(axis=1), room)
            ways[:, part, value] = taken
            left[:, value] -= taken
            room -= taken
    return ways
