"""The laws of predictors: a prediction on the scale for every cell, and the same for the same seed."""

import numpy as np
from hypothesis import given, settings

from shoal.data import Ratings
from shoal.predictors import Predictor, predictors
from shoal.randomness import Randomness
from shoal.wording import Registry

from .check_wording import check_wording
from .strategies import ratings

__all__ = ["check_predictor"]


def check_predictor(predictor: Predictor, *, registry: Registry[Predictor] = predictors, examples: int = 40) -> None:
    """Check every law of predictors on one.

    * It is written and read back as itself.
    * It predicts every rating, of users and items without any rating too, as a finite number on the scale.
    * The same ratings and seed give the same predictions.
    """
    check_wording(predictor, registry)

    @settings(max_examples=examples, deadline=None)
    @given(ratings())
    def law(data: Ratings) -> None:
        predicted = _predictions(predictor, data)
        assert np.isfinite(predicted).all(), "a prediction is no finite number"
        assert ((predicted >= 0) & (predicted <= data.scale.points - 1)).all(), "a prediction is off the scale"
        assert np.array_equal(predicted, _predictions(predictor, data)), "the same seed gives other predictions"

    law()


def _predictions(predictor: Predictor, data: Ratings) -> np.ndarray:
    matrix = data.observable
    cells = np.indices((len(matrix), len(matrix.items)), np.int64).reshape(2, -1)
    return predictor.fit(matrix, data.scale, Randomness(1)).predict(cells[0], cells[1])
