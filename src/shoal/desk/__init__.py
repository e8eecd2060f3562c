"""The release desk: requesters, purposes and trust, and the view of the data that follows from them.

Read ``policy`` and ``projections`` first (what an owner allows), then ``request``, ``reserve`` (the decision) and
``settle`` (what became of it); ``desk`` puts them together, and ``audit`` checks the log. ``people`` recognizes people
who are in several data sets, and ``store`` keeps the books.
"""

from typing import TYPE_CHECKING

from shoal.anonymizers.decomposition import GeneralizationChain, Purpose
from shoal.on_demand import on_demand, within_modules

from .policy import Policy, view_method
from .projections import LinearProjection, OwnProjection, Projection, QuadraticProjection, StepProjection, projections

if TYPE_CHECKING:
    from .desk import Desk
    from .keeping.keys import draw_key, read_key
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
    "draw_key",
    "projections",
    "read_key",
    "view_method",
]

# a method or a projection needs no database
__getattr__, __dir__ = on_demand(
    __name__,
    within_modules(__name__, {"desk": ("Desk",), "keeping.keys": ("draw_key", "read_key"), "request": ("Request",)}),
)
