"""Write down what became of a view that was reserved: it was published, refused or given up."""

from typing import Any

from sqlalchemy import Connection, select

from shoal.errors import FileError, InternalError
from shoal.io.folders.release import release_sha256

from .actor import THE_DESK, acting_as
from .oversight.expiry import expire
from .store.log import keep
from .store.rows import rows
from .store.store import Store
from .store.tables import RELEASES

__all__ = ["settle", "settle_forgotten"]


def settle(store: Store, number: int, event: str, *, state: str | None = None, **changes: Any) -> None:
    """Write down what became of a view: ``written``, ``done``, ``refused``, ``abandoned``.

    Only the log records the reason, and who may read the folder.
    """
    with store.transaction() as connection:
        (row,) = rows(connection, select(RELEASES).where(RELEASES.c.number == number))
        also = {key: changes.pop(key) for key in ("why", "readable_by") if key in changes}
        if row["state"] != "pending" and row["sha256"] is None:
            raise InternalError("The desk gave this view up while it was made; nothing was published.", "Ask again.")
        keep(connection, event, RELEASES, {**row, "state": state or row["state"], **changes}, **also)


def settle_forgotten(store: Store) -> None:
    """Settle what processes that are gone have left open: whole releases are done, the others are given up.

    What has expired meanwhile is written down as well.

    The hash of a release is written down before its folder gets its name. So a view without one has never left; one
    with a hash and without its folder may have been taken away already, and goes on to count as given.
    """
    with store.transaction() as connection:
        for row in rows(connection, select(RELEASES).where(RELEASES.c.state == "pending")):
            if not store.is_held(row["token"]):
                with acting_as(THE_DESK):
                    _settle_forgotten(connection, row)
        expire(connection)


def _settle_forgotten(connection: Connection, row: dict[str, Any]) -> None:
    if row["sha256"] is not None and _sha256(row["folder"]) == row["sha256"]:
        keep(connection, "done", RELEASES, {**row, "state": "done"}, why="found whole after an interruption")
    else:
        keep(connection, "abandoned", RELEASES, {**row, "state": "abandoned"}, why="interrupted")


def _sha256(folder: str) -> str | None:
    try:
        return release_sha256(folder)
    except FileError:
        return None
