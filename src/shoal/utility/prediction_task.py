"""A rating to be predicted from others: what is learnt from, and what is asked.

*What is predicted.* The first sensitive item with two different ratings; where there is none, the non-sensitive item
that the originals rate most often. *From what.* The 50 other non-sensitive items that the originals rate most often;
null is a value of its own. *On what.* At most 5,000 published records, drawn at random among those of which the item
is rated before or after; in each of 5 random splits, two thirds are learnt from and one third is asked about, on each
side those that have the rating. The items and splits are the same before and after; accuracy is the average over the
splits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.data import RatingMatrix, Ratings

from .comparison import Comparison
from .measure import Unmeasurable

__all__ = ["Classifier", "PredictionTask", "prediction_task"]

_FEATURES = 50
_RECORDS = 5_000
_SPLITS = 5
_FEWEST = 20
_MOST_POINTS = 100


class Classifier(Protocol):
    """What learns from examples and guesses."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> object:  # noqa: N803 - scikit-learn calls them so
        """Learn."""
        ...

    def predict(self, X: np.ndarray) -> np.ndarray:  # noqa: N803
        """Guess."""
        ...


@dataclass(frozen=True)
class PredictionTask:
    """The same records before and after: the rating to predict and the ratings to predict it from, −1 being null."""

    targets: tuple[np.ndarray, np.ndarray]
    features: tuple[np.ndarray, np.ndarray]
    points: int
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    """Which records to learn from and which to ask about."""

    def accuracy(self, make: Callable[[int], Classifier], *, after: bool) -> float:
        """Give the share of right guesses, on average over the splits; make is told how many values a feature has."""
        accuracies = [*self._accuracies(make, after=after)]
        if not accuracies:
            raise Unmeasurable("No split has a rating to learn from and one to ask about.")
        return float(np.mean(accuracies))

    def _accuracies(self, make: Callable[[int], Classifier], *, after: bool) -> Iterator[float]:
        target, features = self.targets[after], self.features[after] + 1
        for rows in self.splits:
            learnt, asked = (part[target[part] >= 0] for part in rows)
            if not (len(learnt) and len(asked)):
                continue
            model = make(self.points + 1)
            model.fit(features[learnt], target[learnt])
            yield float(np.mean(model.predict(features[asked]) == target[asked]))


def prediction_task(comparison: Comparison) -> PredictionTask:
    """Choose what to predict from what, and split the records."""
    before, after = comparison.original, comparison.published
    if not (isinstance(before, Ratings) and isinstance(after, Ratings)):
        raise Unmeasurable("Defined on ratings only.")
    if before.scale.points > _MOST_POINTS:
        raise Unmeasurable(f"The scale has more than {_MOST_POINTS} points: to hit the right one means little.")
    sensitive, target = _target(before)
    rated = np.bincount(before.observable.indices, minlength=len(before.observable.items))
    if not sensitive:
        rated[target] = 0
    items = np.argsort(-rated, kind="stable")[: min(_FEATURES, np.count_nonzero(rated))]
    if not len(items):
        raise Unmeasurable("There is no other rated item to predict from.")
    chance = comparison.generator("prediction")
    sides = [each.sensitive if sensitive else each.observable for each in (before, after)]
    targets = [_dense(side, np.array([target]))[:, 0] for side in sides]
    rows = _enough([target >= 0 for target in targets], chance)
    features = [_dense(each.observable.take(rows), items) for each in (before, after)]
    return PredictionTask(
        (targets[0][rows], targets[1][rows]),
        (features[0], features[1]),
        before.scale.points,
        tuple(_split(len(rows), chance) for _ in range(_SPLITS)),
    )


def _target(ratings: Ratings) -> tuple[bool, int]:
    """Choose the first sensitive item with two different ratings, or else the item rated most often."""
    for item in range(len(ratings.sensitive.items)):
        if len(np.unique(ratings.sensitive.codes[ratings.sensitive.indices == item])) > 1:
            return True, item
    rated = np.bincount(ratings.observable.indices, minlength=len(ratings.observable.items))
    if not rated.any():
        raise Unmeasurable("No item is rated.")
    return False, int(rated.argmax())


def _enough(rated: list[np.ndarray], chance: np.random.Generator) -> np.ndarray:
    """Draw records of which the target is rated before or after, and make sure that it often is on both sides."""
    rows = np.sort(chance.permutation(np.flatnonzero(rated[0] | rated[1]))[:_RECORDS])
    if min(np.count_nonzero(side[rows]) for side in rated) < _FEWEST:
        raise Unmeasurable(f"The item to predict is rated by fewer than {_FEWEST} records before or after.")
    return rows


def _split(n: int, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two thirds to learn from, one third to ask about."""
    order = chance.permutation(n)
    return order[: 2 * n // 3], order[2 * n // 3 :]


def _dense(matrix: RatingMatrix, items: np.ndarray) -> np.ndarray:
    """Give records × some items, −1 where there is no rating."""
    place = np.full(len(matrix.items), -1)
    place[items] = np.arange(len(items))
    chosen = np.flatnonzero(place[matrix.indices] >= 0)
    rows = np.searchsorted(matrix.indptr, chosen, side="right") - 1
    out = np.full((len(matrix), len(items)), -1, np.int32)
    out[rows, place[matrix.indices[chosen]]] = matrix.codes[chosen]
    return out
