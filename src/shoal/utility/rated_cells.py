"""What became of the ratings of some people: those they gave, and what is published in their place."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.data import RatingMatrix, Ratings

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["RatedCells"]


@dataclass(frozen=True)
class RatedCells:
    """The non-sensitive ratings of some of the people published, and what is told of the same cells."""

    people: np.ndarray
    """Which of the people published they are."""
    given: RatingMatrix
    """What they rated, in codes of the original scale."""
    told: np.ndarray
    """For each of those ratings, the published code, on the scale of the release; −1 for null."""

    @classmethod
    def drawn(cls, comparison: Comparison, at_least: int, most: int, purpose: str) -> Self:
        """Take all people with at least so many ratings, or so many of them drawn at random if there are more."""
        whole, released = comparison.whole, comparison.released
        if not (isinstance(whole, Ratings) and isinstance(released, Ratings)):
            raise Unmeasurable("Defined on ratings only.")
        people = np.flatnonzero(np.diff(whole.observable.indptr)[comparison.origins] >= at_least)
        if len(people) == 0:
            raise Unmeasurable("Nobody who is published rated enough non-sensitive items.")
        if len(people) > most:
            people = np.sort(comparison.generator(purpose).choice(people, most, replace=False))
        given = whole.observable.take(comparison.origins[people])
        rows = people if comparison.places is None else comparison.places[people]
        return cls(people, given, _told(given, released.observable, rows))


def _told(given: RatingMatrix, published: RatingMatrix, rows: np.ndarray) -> np.ndarray:
    """Look each rating up in the published row of the person."""
    told = np.full(given.n_ratings, -1, np.int64)
    for person, row in enumerate(rows):
        mine = slice(given.indptr[person], given.indptr[person + 1])
        theirs = slice(published.indptr[row], published.indptr[row + 1])
        items = published.indices[theirs]
        at = np.searchsorted(items, given.indices[mine])
        there = np.flatnonzero(np.append(items, -1)[at] == given.indices[mine])
        told[mine.start + there] = published.codes[theirs][at[there]]
    return told
