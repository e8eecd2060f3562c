"""Ask a release desk for views of a tree when it has given nothing yet, and when it has given 10,000 of them.

30,000 people, nested views by local recoding with k = 5, on SQLite and on PostgreSQL. The past views are to 10,000
requesters of a hundred different trusts, as the desk would have given them. Each figure has the seconds on the clock,
and those of the processor in the process that asks.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from desk_stores import best, desk_stores
from shoal.datasets import generate_table
from shoal.desk import Desk, LinearProjection, Policy, Purpose, Request
from shoal.desk.request import Reservation
from shoal.desk.store import Store
from shoal.desk.store.log import canonical, keep
from shoal.desk.store.tables import RELEASES, REQUESTERS
from shoal.desk.store.trees import keep_document
from shoal.desk.views.cut_views import CutViews
from shoal.desk.views.group_tree import write_cuts
from shoal.desk.views.trees_of_versions import new_views

ROWS, PAST = 30_000, 10_000
POLICY = Policy(("k-anonymity:k=5",), purpose="income", identifier="name")
PURPOSE = Purpose(target="salary-class")
TABLE = generate_table(ROWS, 1)


def main(folder: Path) -> dict[str, Any]:
    """Measure requests, dry runs, listings and the audit on each store."""
    views = new_views(TABLE, TABLE, POLICY, PURPOSE, bytes(32))
    assert isinstance(views, CutViews)
    found: dict[str, Any] = {"rows": ROWS, "past_releases": PAST, "views_of_the_tree": len(views)}
    with desk_stores(folder) as stores:
        for name, where in stores.items():
            for what, figures in _measured(where, views):
                found |= {f"{name}_{what}_{key}": value for key, value in figures.items()}
    return found


def _measured(where: str, views: CutViews) -> Iterator[tuple[str, dict[str, Any]]]:
    desk = Desk.create(where)
    desk.set_requester("ann", Fraction(4, 5))
    desk.add_purpose("income", PURPOSE)
    desk.add_dataset("people", TABLE, POLICY)
    request = Request("people", "ann", "income", TABLE, "nowhere")

    def ask() -> Reservation:
        with desk.held() as token:
            return desk.reserve(token, request)

    ask()  # compiles
    yield "request_without_past", best(ask)
    yield "dry_run_without_past", best(lambda: desk.foreseen(request))
    yield "writing_the_past", best(lambda: _give(where, views), repeat=1)
    given = desk.releases()
    yield "past", {"releases": len(given), "different_views": len(_nodes(where))}
    yield "request", best(ask)
    yield "dry_run", best(lambda: desk.foreseen(request))
    yield "opening", best(lambda: Desk(where))
    yield "listing_releases", best(desk.releases)
    yield "listing_of_one_requester", best(lambda: desk.releases(requester="requester 7"))
    yield "listing_requesters", best(lambda: desk.book("requesters"))
    yield "listing_the_log", best(lambda: desk.book("log"))
    yield "audit", best(desk.audit)
    audit = desk.audit()
    assert audit.holds, audit.faults
    yield "log", {"entries": audit.entries}


def _nodes(where: str) -> list[str]:
    with Store(where).reading() as connection:
        return list(connection.execute(select(RELEASES.c.node).distinct()).scalars())


def _give(where: str, views: CutViews) -> None:
    """Write down past views as the desk does, three entries each, all in one transaction."""
    projection, tree = LinearProjection(), views.tree
    with Store(where).transaction() as connection:
        written: dict[Fraction, tuple[str, str, str]] = {}
        for past in range(PAST):
            trust = Fraction(1 + past % 100, 100)
            if trust not in written:
                degree = projection.degree(trust)
                cuts = views.cuts(views.place(degree))
                view = keep_document(connection, write_cuts(keep_document(connection, tree.written), cuts))
                written[trust] = str(degree), str(views.degree(cuts)), canonical({"view": view})
            _release(connection, 1_000 + past, f"requester {past}", trust, *written[trust])


def _release(
    connection: Connection, number: int, requester: str, trust: Fraction, asked: str, reached: str, node: str
) -> None:
    terms = {"expires": None, "purposes": None, "closed": None}
    keep(connection, "requester", REQUESTERS, {"name": requester, "trust": str(trust), **terms})
    row = {
        "number": number,
        "dataset": "people",
        "version": 1,
        "requester": requester,
        "purpose": "income",
        "trust": str(trust),
        "degree_asked": asked,
        "degree_reached": reached,
        "node": node,
        "folder": "nowhere",
        "decided": "2026-01-01T00:00:00+00:00",
        "token": f"{number:032x}",
        "sha256": None,
        "state": "pending",
        "expires": None,
    }
    keep(connection, "decided", RELEASES, row)
    keep(connection, "done", RELEASES, {**row, "state": "done", "sha256": f"{number:064x}"})
