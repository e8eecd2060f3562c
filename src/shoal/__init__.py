"""Shoal: privacy-preserving publishing of rating data and microdata.

>>> import shoal
>>> source = shoal.read("ratings.csv")                                     # doctest: +SKIP
>>> shoal.check(source, ["k-epsilon:k=5,epsilon=1"]).holds                 # doctest: +SKIP
>>> shoal.publish("people.csv", schema="people.toml", models=["k-anonymity:k=5"], out="release")  # doctest: +SKIP
>>> shoal.verify("release").holds                                          # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

from .call_errors import with_call_errors
from .on_demand import on_demand, within_modules
from .version import __version__

if TYPE_CHECKING:
    from .client import Client
    from .jobs.attack import attack
    from .jobs.check import check
    from .jobs.compare_columns import compare_columns
    from .jobs.describe import describe
    from .jobs.desk import dry_run, register, request
    from .jobs.hierarchy import check_hierarchy, draw_hierarchy, suggest_hierarchy
    from .jobs.in_memory.anonymize import anonymize
    from .jobs.in_memory.release import Release, open_release
    from .jobs.kept_data import keep
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
    "Client",
    "Release",
    "__version__",
    "anonymize",
    "attack",
    "check",
    "check_hierarchy",
    "compare_columns",
    "describe",
    "draw_hierarchy",
    "dry_run",
    "keep",
    "lattice",
    "limits",
    "lookup",
    "measure",
    "open_release",
    "publish",
    "read",
    "register",
    "report",
    "request",
    "suggest_hierarchy",
    "sweep",
    "verify",
]

_find = within_modules(
    __name__,
    {
        "client": ("Client",),
        "jobs.attack": ("attack",),
        "jobs.check": ("check",),
        "jobs.compare_columns": ("compare_columns",),
        "jobs.describe": ("describe",),
        "jobs.desk": ("dry_run", "register", "request"),
        "jobs.hierarchy": ("check_hierarchy", "draw_hierarchy", "suggest_hierarchy"),
        "jobs.in_memory.anonymize": ("anonymize",),
        "jobs.in_memory.release": ("Release", "open_release"),
        "jobs.kept_data": ("keep",),
        "jobs.lattice": ("lattice",),
        "jobs.limits": ("limits",),
        "jobs.lookup": ("lookup",),
        "jobs.measure": ("measure",),
        "jobs.publish": ("publish",),
        "jobs.read": ("read",),
        "jobs.report": ("report",),
        "jobs.sweep": ("sweep",),
        "jobs.verify": ("verify",),
    },
)


def _job(name: str) -> Any:
    found = _find(name)
    return found if isinstance(found, type) else with_call_errors(found)


__getattr__, __dir__ = on_demand(__name__, _job)
