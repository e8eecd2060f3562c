"""Shoal: privacy-preserving publishing of rating data and microdata.

>>> import shoal
>>> source = shoal.read("ratings.csv")                                     # doctest: +SKIP
>>> shoal.check(source, ["k-epsilon:k=5,epsilon=1"]).holds                 # doctest: +SKIP
>>> shoal.publish("people.csv", schema="people.toml", models=["k-anonymity:k=5"], out="release")  # doctest: +SKIP
>>> shoal.verify("release").holds                                          # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .jobs.attack import attack
    from .jobs.check import check
    from .jobs.describe import describe
    from .jobs.desk import register, request
    from .jobs.hierarchy import check_hierarchy, draw_hierarchy, suggest_hierarchy
    from .jobs.lattice import lattice
    from .jobs.limits import limits
    from .jobs.lookup import lookup
    from .jobs.measure import measure
    from .jobs.publish import publish
    from .jobs.read import read
    from .jobs.report import report
    from .jobs.sweep import sweep
    from .jobs.verify import verify

__all__ = [
    "__version__",
    "attack",
    "check",
    "check_hierarchy",
    "describe",
    "draw_hierarchy",
    "lattice",
    "limits",
    "lookup",
    "measure",
    "publish",
    "read",
    "register",
    "report",
    "request",
    "suggest_hierarchy",
    "sweep",
    "verify",
]

_ELSEWHERE = {
    "check_hierarchy": "hierarchy",
    "draw_hierarchy": "hierarchy",
    "register": "desk",
    "request": "desk",
    "suggest_hierarchy": "hierarchy",
}
"""The modules of the jobs that are not in a module of their own name."""


def __getattr__(name: str) -> Any:
    """Import a job when it is first asked for, so that ``import shoal`` and ``shoal --help`` stay light."""
    if name not in __all__:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    return getattr(import_module(f".jobs.{_ELSEWHERE.get(name, name)}", __name__), name)


def __dir__() -> list[str]:
    """List the public functions, though they are imported when they are first asked for."""
    return sorted(__all__)
