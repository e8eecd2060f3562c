"""Ratings of nobody: the items and the scale of ratings that are not in memory, of which a schema is made."""

from dataclasses import replace

import numpy as np

from shoal.data import RatingMatrix, Ratings, Scale, Vocabulary
from shoal.partitioned.ratings.ratings_by_user import RatingsByUser

__all__ = ["nobody_of"]


def nobody_of(ratings: RatingsByUser, scale: Scale, *, in_groups: bool = False) -> Ratings:
    """Return the items without users; or with one who rated nothing, where there is such a user.

    Files of sets have a line for such a user, and a column for it. ``in_groups`` says that records state how many
    people they stand for.
    """
    silent = int((ratings.lengths == 0).any())
    nothing = RatingMatrix.empty(silent, scale.dtype)
    borders = (0, ratings.n_observable), (ratings.n_observable, len(ratings.items))
    observable, sensitive = (replace(nothing, items=ratings.items.select(np.arange(*border))) for border in borders)
    people = np.ones(silent, np.int64) if in_groups else None
    return Ratings(Vocabulary.numbered(silent), observable, sensitive, scale, people)
