"""The two-person rule: a change of a policy that one person proposes holds when another one confirms it.

It binds where the policy as it stands says so, and where a change sets a data set apart from one whose policy says so,
or takes it out of the population of one: that lifts what the other policy protects.
"""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, func, select

from shoal.desk.actor import actor
from shoal.desk.clock import now
from shoal.desk.people.named_populations import refuse_misfit_population
from shoal.desk.policy import Policy
from shoal.desk.store.log import canonical, keep
from shoal.desk.store.rows import dataset_row, rows
from shoal.desk.store.tables import DATASETS, PROPOSALS
from shoal.errors import WordingError

__all__ = ["confirm_proposal", "needs_second_person", "propose", "reject_proposal"]


def needs_second_person(connection: Connection, before: Policy | None, after: Policy) -> bool:
    """Tell whether a policy may follow on another one only if a second person confirms it."""
    apart = set(after.apart_from) - set(() if before is None else before.apart_from)
    others = [Policy.of_json(json.loads(dataset_row(connection, name)["policy"])) for name in sorted(apart)]
    if before is not None and before.population not in ("", after.population):
        kept = [Policy.of_json(json.loads(row["policy"])) for row in rows(connection, select(DATASETS))]
        others += [each for each in kept if each.population == before.population]
    return any(each.two_person for each in (*others, *([] if before is None else [before])))


def propose(connection: Connection, dataset: dict[str, Any], policy: Policy, parts: Iterable[str]) -> int:
    """Write down a change that waits for a second person; return its number."""
    number = (connection.execute(select(func.max(PROPOSALS.c.number))).scalar_one() or 0) + 1
    row = {
        "number": number,
        "dataset": dataset["name"],
        "parts": canonical(sorted(parts)),
        "policy_before": dataset["policy"],
        "policy": canonical(policy.to_json()),
        "proposed": now(),
        "proposed_by": actor(),
        "state": "open",
        "decided": None,
        "decided_by": None,
        "why": None,
    }
    keep(connection, "proposed", PROPOSALS, row)
    return number


def confirm_proposal(connection: Connection, number: int) -> dict[str, Any]:
    """Let a change hold that somebody else has proposed; return the row of the proposal."""
    row = _open(connection, number)
    if row["proposed_by"] == actor():
        raise WordingError("Whoever proposes a change does not confirm it.", "Let somebody else confirm it.")
    dataset = dataset_row(connection, row["dataset"])
    if dataset["policy"] != row["policy_before"]:
        raise WordingError(
            "The policy has changed since this was proposed.", f"Reject it: shoal desk reject {number}; propose anew."
        )
    refuse_misfit_population(connection, row["dataset"], Policy.of_json(json.loads(row["policy"])))
    decided = {**row, "state": "confirmed", "decided": now(), "decided_by": actor()}
    keep(connection, "confirmed", PROPOSALS, decided)
    changed = {**dataset, "policy": row["policy"]}
    keep(connection, "policy", DATASETS, changed, changed=json.loads(row["parts"]), proposal=number)
    return decided


def reject_proposal(connection: Connection, number: int, why: str = "") -> dict[str, Any]:
    """Let a change that was proposed never hold; whoever proposed it may take it back so."""
    decided = {"state": "rejected", "decided": now(), "decided_by": actor(), "why": why}
    row = {**_open(connection, number), **decided}
    keep(connection, "rejected", PROPOSALS, row)
    return row


def _open(connection: Connection, number: int) -> dict[str, Any]:
    found = rows(connection, select(PROPOSALS).where(PROPOSALS.c.number == number, PROPOSALS.c.state == "open"))
    if not found:
        raise WordingError(f"There is no proposal {number} that is open.", "shoal desk proposals")
    return found[0]
