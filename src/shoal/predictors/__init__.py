"""Ratings that were not given, foretold: a predictor fits factors, and their products are predictions."""

from .als import Als
from .base import Predictor, predictors
from .factors import Factors

__all__ = ["Als", "Factors", "Predictor", "predictors"]
