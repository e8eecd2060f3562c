"""Releases for those who ask: what for, how far they are trusted, and what view of the data follows from that."""

from typing import TYPE_CHECKING, Any

from shoal.anonymizers.decomposition import GeneralizationChain, Purpose

from .policy import Policy, view_method
from .projections import LinearProjection, OwnProjection, Projection, QuadraticProjection, StepProjection, projections

if TYPE_CHECKING:
    from .desk import Desk
    from .request import Request

__all__ = [
    "Desk",
    "GeneralizationChain",
    "LinearProjection",
    "OwnProjection",
    "Policy",
    "Projection",
    "Purpose",
    "QuadraticProjection",
    "Request",
    "StepProjection",
    "projections",
    "view_method",
]


def __getattr__(name: str) -> Any:
    """Import the desk when it is first asked for: a method or a projection needs no database."""
    if name == "Desk":
        from .desk import Desk

        return Desk
    if name == "Request":
        from .request import Request

        return Request
    raise AttributeError(f"module 'shoal.desk' has no attribute {name!r}")
