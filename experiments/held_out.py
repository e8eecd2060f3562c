"""Ratings split into those that are given and those that are held out."""

import numpy as np

from shoal.data import RatingMatrix, Ratings

__all__ = ["held_out", "item_means"]


def held_out(ratings: Ratings, share: float, seed: int) -> tuple[Ratings, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return the ratings without a random share of them, and users, items and codes of that share."""
    matrix = ratings.observable
    held = np.random.default_rng(seed).random(matrix.n_ratings) < share
    users = np.repeat(np.arange(len(matrix)), np.diff(matrix.indptr))
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(users[~held], minlength=len(matrix)))])
    given = RatingMatrix(matrix.items, indptr, matrix.indices[~held], matrix.codes[~held])
    cells = users[held], matrix.indices[held], matrix.codes[held]
    return Ratings(ratings.users, given, ratings.sensitive, ratings.scale), cells


def item_means(given: Ratings) -> np.ndarray:
    """Return the mean rating of each item in stars; of an item without raters, that of all ratings."""
    matrix = given.observable
    stars = given.scale.decode(matrix.codes)
    counts = np.bincount(matrix.indices, minlength=len(matrix.items))
    sums = np.bincount(matrix.indices, stars, minlength=len(matrix.items))
    return np.where(counts > 0, sums / np.maximum(counts, 1), stars.mean())
