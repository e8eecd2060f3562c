"""Ratings that were not given, foretold: a predictor fits factors, and their products are predictions."""

from .als import Als
from .base import Factors, Predictor, predictors

__all__ = ["Als", "Factors", "Predictor", "predictors"]
