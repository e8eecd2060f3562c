"""Ask a release desk for views of 30,000 people when it has given nothing yet, and when it has given 10,000 views.

The past views are to 10,000 different requesters, all over the lattice above the finest view that is safe: many
requesters, and a few dozen different views, as at any desk.
"""

import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from shoal.datasets import generate_table
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.clock import now
from shoal.desk.request import Reservation
from shoal.desk.store import Store
from shoal.desk.store.log import keep
from shoal.desk.store.tables import RELEASES, REQUESTERS

ROWS, PAST = 30_000, 10_000


def main(folder: Path) -> dict[str, Any]:
    """Measure decisions, listing and audit, before and after."""
    table = generate_table(ROWS, 1)
    where = folder / "desk.sqlite"
    desk = Desk.create(where)
    desk.set_requester("ann", Fraction(4, 5))
    desk.add_purpose("income", Purpose(target="salary-class"))
    chain = desk.add_dataset("people", table, Policy(("k-anonymity:k=5",), purpose="income", recoding="levels"))
    results: dict[str, Any] = {"rows": ROWS, "past_releases": PAST, "views_on_the_chain": len(chain.nodes)}

    def ask() -> Reservation:
        with desk.held() as token:
            return desk.reserve(token, Request("people", "ann", "income", table, "nowhere"))

    ask()  # compiles
    results["nested_seconds_without_past"] = _best(ask)
    results["past_written_seconds"] = _best(lambda: _give(where, chain.nodes[0], chain.nodes[-1]), repeat=1)
    results["different_past_views"] = len({tuple(each["node"]) for each in desk.releases()})
    results["nested_seconds_with_past"] = _best(ask)
    desk.change_policy("people", recoding="local")
    results["local_seconds_with_past"] = _best(ask)
    desk.change_policy("people", recoding="levels", views="checked")
    results["checked_seconds_with_past"] = _best(ask)
    friends = tuple(f"requester {number}" for number in range(PAST))
    desk.change_policy("people", coalitions=(("ann", *friends[:5_000]), ("ann", *friends[5_000:])))
    results["two_coalitions_seconds_with_past"] = _best(ask)
    results["open_seconds"] = _best(lambda: Desk(where))
    results["list_seconds"] = _best(desk.releases)
    results["one_release_seconds"] = _best(lambda: desk.release(1_000 + PAST // 2))
    results["newest_releases_seconds"] = _best(lambda: desk.book("releases", most=50, newest_first=True))
    results["log_page_seconds"] = _best(lambda: desk.book("log", most=50, newest_first=True))
    results["log_page_of_one_seconds"] = _best(
        lambda: desk.book("log", most=50, newest_first=True, requester="requester 17")
    )
    results["audit_seconds"] = _best(desk.audit)
    assert desk.audit().holds
    results["log_entries"] = desk.audit().entries
    results["store_mib"] = round(where.stat().st_size / 2**20, 1)
    return results


def _best(action: Callable[[], object], repeat: int = 5) -> float:
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return round(min(times), 4)


def _give(where: Path, finest: tuple[int, ...], coarsest: tuple[int, ...]) -> None:
    """Write down past views as the desk does, three entries each, all in one transaction."""
    random = Random(1)
    with Store(where).transaction() as connection:
        for past in range(PAST):
            number, requester = 1_000 + past, f"requester {past}"
            keep(connection, "requester", REQUESTERS, {"name": requester, "trust": "1/2"})
            node = [random.randint(low, high) for low, high in zip(finest, coarsest, strict=True)]
            row = {
                "number": number,
                "dataset": "people",
                "version": 1,
                "requester": requester,
                "purpose": "income",
                "trust": "1/2",
                "degree_asked": "1/2",
                "degree_reached": "1/2",
                "node": json.dumps(node, separators=(",", ":")),
                "folder": "nowhere",
                "decided": now(),
                "token": f"{number:032x}",
                "sha256": None,
                "state": "pending",
            }
            keep(connection, "decided", RELEASES, row)
            keep(connection, "done", RELEASES, {**row, "state": "done", "sha256": f"{number:064x}"})
