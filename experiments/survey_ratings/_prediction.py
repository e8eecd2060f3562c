"""Naive Bayes on training and test records that are anonymized apart, as the papers have it."""

from collections.abc import Iterator

import numpy as np

from experiments.data import DATA_SETS, load
from experiments.experiment import Panel, Point, Row
from shoal.data import Ratings
from shoal.utility import Prediction

from ._publication import ORIGINAL, published

__all__ = ["ACCURACY", "INCOME", "MOVIE", "PANELS", "accuracies"]

ACCURACY = "naive Bayes accuracy"
INCOME, MOVIE = "the income", "the movie rated most"
"""What is predicted; the papers do not say what it was."""
PANELS = tuple(
    Panel("k", ACCURACY, where={"predicted": predicted}, y_label=f"accuracy, {predicted}")
    for predicted in (INCOME, MOVIE)
)


def accuracies(point: Point, epsilon: int, beside: object) -> Iterator[Row]:
    """Yield the accuracy on the release of a point and, beside one of the methods, that on the originals."""
    training, testing = _apart(point)
    test, made = (published(point, part, point["k"], epsilon) for part in (testing, training))
    for predicted, target in ((INCOME, "income"), (MOVIE, _rated_most(training))):
        tried = made.asked(prediction=Prediction(target=target, trials=1), tested_on=test.comparison)
        found = tried.measured(ACCURACY, f"{ACCURACY} before")
        yield {"predicted": predicted, ACCURACY: found[ACCURACY]}
        if point["method"] == beside:
            yield {"predicted": predicted, "method": ORIGINAL, ACCURACY: found[f"{ACCURACY} before"]}


def _apart(point: Point) -> tuple[Ratings, Ratings]:
    """Draw records for training and others for testing."""
    most = point.size.pick(4_000, 600, 80)
    everybody = load(DATA_SETS[point["data"]], point.size, most, seed=point["seed"])
    order = np.random.default_rng(point["seed"]).permutation(len(everybody))
    training, testing = (everybody.take(np.sort(part)) for part in (order[::2], order[1::2]))
    assert isinstance(training, Ratings)
    assert isinstance(testing, Ratings)
    return training, testing


def _rated_most(ratings: Ratings) -> str:
    matrix = ratings.observable
    return str(matrix.items.values[int(np.bincount(matrix.indices, minlength=len(matrix.items)).argmax())])
