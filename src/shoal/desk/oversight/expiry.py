"""What expires by itself: releases that are no longer to be used, and approvals that nobody used.

A release that has expired was seen, and goes on to count as known.
"""

from sqlalchemy import Connection, Table, select

from shoal.desk.actor import THE_DESK, acting_as
from shoal.desk.clock import now
from shoal.desk.store.log import keep
from shoal.desk.store.rows import rows
from shoal.desk.store.tables import APPROVALS, RELEASES

__all__ = ["expire"]

_MAY_EXPIRE: tuple[tuple[Table, tuple[str, ...]], ...] = ((RELEASES, ("done",)), (APPROVALS, ("waiting", "approved")))


def expire(connection: Connection) -> None:
    """Write down everything whose time has come."""
    for table, states in _MAY_EXPIRE:
        due = select(table).where(table.c.state.in_(states), table.c.expires <= now()).order_by(table.c.number)
        for row in rows(connection, due):
            with acting_as(THE_DESK):
                keep(connection, "expired", table, {**row, "state": "expired"})
