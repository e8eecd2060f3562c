"""Which items of a target an attacker knows of."""

from dataclasses import dataclass

import numpy as np

from shoal.data import RatingMatrix

from .knowable_ratings import knowable_ratings

__all__ = ["KnownItems", "known_items"]


@dataclass(frozen=True, eq=False)
class KnownItems:
    """So many known ratings for each target that has so many."""

    targets: np.ndarray
    """The rows of those who have enough ratings to know of."""
    entries: np.ndarray
    """For each of them, in a line, the places of the known ratings in the matrix; items ascend."""


def known_items(
    matrix: RatingMatrix, targets: np.ndarray, known: int, outside_top: int, generator: np.random.Generator
) -> KnownItems:
    """Draw known ratings of each target, all as likely; none of the so many items that most have rated."""
    begins, ends = matrix.indptr[targets], matrix.indptr[targets + 1]
    lengths = ends - begins
    owners = np.repeat(np.arange(len(targets)), lengths)
    places = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(begins, lengths)
    if outside_top:
        left = knowable_ratings(matrix, outside_top)[places]
        owners, places = owners[left], places[left]
    # within each target in random order, of which the first ones are known
    order = np.lexsort((generator.random(len(places)), owners))
    starts = np.searchsorted(owners, np.arange(len(targets)))
    rank = np.arange(len(places)) - starts[owners]
    counts = np.bincount(owners, minlength=len(targets))
    enough = np.flatnonzero(counts >= known)
    chosen = order[(rank < known) & (counts[owners] >= known)]
    return KnownItems(targets[enough], np.sort(places[chosen].reshape(len(enough), known), axis=1))
