"""The release desk: requesters, purposes and trust, and the view of the data that follows from them.

Read ``policy`` and ``projections`` first (what an owner allows), then ``request``, ``reserve`` (the decision) and
``settle`` (what became of it); ``desk`` puts them together, and ``audit`` checks the log. ``people`` recognizes people
who are in several data sets, and ``store`` keeps the books.
"""

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
