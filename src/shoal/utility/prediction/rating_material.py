"""Ratings to predict from: one item, from the items rated most often."""

import numpy as np

from shoal.data import RatingMatrix, Ratings
from shoal.utility.comparison import Comparison
from shoal.utility.measure import Unmeasurable

from .classification_task import Material

__all__ = ["rating_material"]

_MOST_POINTS = 100


def rating_material(comparison: Comparison) -> Material:
    """Predict one item from the items rated most often; null is the lowest category."""
    before, after = comparison.original, comparison.published
    assert isinstance(before, Ratings)
    assert isinstance(after, Ratings)
    if before.scale.points > _MOST_POINTS:
        raise Unmeasurable(f"The scale has more than {_MOST_POINTS} points: predicting the exact one means little.")
    sensitive, target = _target(comparison.prediction.target, before)
    rated = before.observable.raters
    if not sensitive:
        rated[target] = 0
    items = np.argsort(-rated, kind="stable")[: min(comparison.prediction.features, np.count_nonzero(rated))]
    if not len(items):
        raise Unmeasurable("There is no other rated item to predict from.")
    one, other = (
        _dense(each.sensitive if sensitive else each.observable, np.array([target]))[:, 0] for each in (before, after)
    )

    def features(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _dense(before.observable.take(rows), items) + 1, _dense(after.observable.take(rows), items) + 1

    n_values = np.full(len(items), before.scale.points + 1)
    return Material((one, other), features, (n_values, n_values))


def _target(name: str | None, ratings: Ratings) -> tuple[bool, int]:
    """Choose the named item, or the first sensitive one with two different ratings, or that rated most often."""
    if name is not None:
        return ratings.place_of(name)
    for item in range(len(ratings.sensitive.items)):
        if len(np.unique(ratings.sensitive.codes[ratings.sensitive.indices == item])) > 1:
            return True, item
    rated = ratings.observable.raters
    if not rated.any():
        raise Unmeasurable("No item is rated.")
    return False, int(rated.argmax())


def _dense(matrix: RatingMatrix, items: np.ndarray) -> np.ndarray:
    """Return records × some items, −1 where there is no rating."""
    place = np.full(len(matrix.items), -1)
    place[items] = np.arange(len(items))
    chosen = np.flatnonzero(place[matrix.indices] >= 0)
    rows = np.searchsorted(matrix.indptr, chosen, side="right") - 1
    out = np.full((len(matrix), len(items)), -1, np.int32)
    out[rows, place[matrix.indices[chosen]]] = matrix.codes[chosen]
    return out
