"""Shoal: privacy-preserving publishing of rating data and microdata.

>>> import shoal
>>> source = shoal.read("ratings.csv")                                     # doctest: +SKIP
>>> shoal.check(source, ["k-epsilon:k=5,epsilon=1"]).holds                 # doctest: +SKIP
>>> shoal.publish("people.csv", schema="people.toml", models=["k-anonymity:k=5"], out="release")  # doctest: +SKIP
>>> shoal.verify("release").holds                                          # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .jobs import (
        attack,
        check,
        check_hierarchy,
        describe,
        draw_hierarchy,
        lattice,
        limits,
        lookup,
        measure,
        publish,
        read,
        register,
        report,
        request,
        suggest_hierarchy,
        sweep,
        verify,
    )

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


def __getattr__(name: str) -> Any:
    """Import a job when it is first asked for, so that ``import shoal`` and ``shoal --help`` stay light."""
    if name in __all__:
        from . import jobs

        return getattr(jobs, name)
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")
