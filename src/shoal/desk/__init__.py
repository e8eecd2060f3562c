"""Releases for those who ask: what for, how far they are trusted, and what view of the data follows from that."""

from shoal.anonymizers import GeneralisationChain, Purpose

from .linear_projection import LinearProjection
from .own_projection import OwnProjection
from .projection import Projection, projections
from .quadratic_projection import QuadraticProjection
from .step_projection import StepProjection
from .view_method import view_method

__all__ = [
    "GeneralisationChain",
    "LinearProjection",
    "OwnProjection",
    "Projection",
    "Purpose",
    "QuadraticProjection",
    "StepProjection",
    "projections",
    "view_method",
]
