"""What a job that did not come to its end has left: nothing stays, unless the desk counts it as given.

A request to the desk is settled in the books of the desk. Whoever opens them settles what processes that are gone have
left, and a view whose folder is whole is then given, even though its process was stopped just before it could say so.
Such a folder must stay, and the job is told as what it is: done.
"""

import os
import shutil
from fractions import Fraction
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
    from sqlalchemy import select

    from shoal.desk import Desk
    from shoal.desk.store import Store
    from shoal.desk.store.rows import rows
    from shoal.desk.store.tables import RELEASES

    Desk(order.desk)  # which settles what is open
    folder = os.path.abspath(Path(order.out) / "release")
    its = select(RELEASES).where(RELEASES.c.folder == folder, RELEASES.c.state.in_(("done", "revoked")))
    with Store(order.desk).reading() as connection:
        for row in rows(connection, its):
            told = {key: row[key] for key in ("number", "dataset", "version", "requester", "purpose", "sha256")}
            degrees = {key: float(Fraction(row[key])) for key in ("degree_asked", "degree_reached")}
            return {**told, **degrees, "release": order.job}
    return None
