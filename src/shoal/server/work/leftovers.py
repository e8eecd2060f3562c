"""What a job that did not come to its end has left: nothing stays, unless the desk counts it as given.

A request to the desk is settled in the books of the desk. Whoever opens them settles what processes that are gone have
left, and a view whose folder is whole is then given, even though its process was stopped just before it could say so.
Such a folder must stay, and the job is told as what it is: done.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from .folder import Order

__all__ = ["cleared"]


def cleared(order: Order) -> dict[str, Any] | None:
    """Remove what a job has left of a release; or return the result of the job, where the release was given.

    While the books of the desk are away, neither can be told, and this raises.
    """
    given = _given(order) if order.ask.get("kind") == "desk-request" else None
    if given is None:
        shutil.rmtree(order.out, ignore_errors=True)
    return given


def _given(order: Order) -> dict[str, Any] | None:
    from shoal.desk import Desk

    found = Desk(order.desk).release(folder=os.path.abspath(Path(order.out) / "release"))
    if found is None or found["state"] not in ("done", "revoked"):
        return None
    told = ("number", "dataset", "version", "requester", "purpose", "degree_asked", "degree_reached", "sha256")
    return {**{key: found[key] for key in told}, "release": order.job}
