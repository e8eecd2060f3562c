"""The questions of a survey in figures, one by one: each is a column of the file, as those of a table are."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.data import RatingMatrix, Ratings

__all__ = ["AnswersProfile", "answers_profile"]

_MOST = 2000
"""So many columns are told one by one."""


@dataclass(frozen=True)
class AnswersProfile:
    """The answers to one question."""

    name: str
    distinct: int
    """How many different answers were given."""
    missing: int
    """How many people gave none."""


def answers_profile(ratings: Ratings) -> tuple[AnswersProfile, ...]:
    """Return the figures of each item, those that others may know first; nothing where there are very many."""
    sides = (ratings.observable, ratings.sensitive)
    if sum(len(side.items) for side in sides) > _MOST:
        return ()
    return tuple(each for side in sides for each in _of_side(side, ratings.scale.points))


def _of_side(side: RatingMatrix, points: int) -> list[AnswersProfile]:
    given = np.bincount(side.indices, minlength=len(side.items))
    seen = np.zeros((len(side.items), points), bool)
    seen[side.indices, side.codes] = True
    missing, distinct = len(side.indptr) - 1 - given, seen.sum(axis=1)
    names = side.items.values.cast(pl.String).to_list()
    counts = zip(names, distinct.tolist(), missing.tolist(), strict=True)
    return [AnswersProfile(*each) for each in counts]
