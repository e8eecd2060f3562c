"""Predictors: what people would have rated the items they did not rate.

:mod:`.base` says what a predictor is: it fits factors of users and items, and their products are the predictions.
:mod:`.als` is the default. The registry :data:`predictors` finds all that lie here.
"""

from .als import Als
from .base import Factors, Predictor, predictors

__all__ = ["Als", "Factors", "Predictor", "predictors"]
