"""Requests that wait for an officer: approved, refused with a reason, expired, or used for a release.

An approval is for one requester, one purpose and one version of the data, under the trust and the policy that it was
asked under: if either has changed, it is good for nothing. It decides only whether something is given; what is given
is decided when it is given. Nobody approves what he has asked for himself.
"""

import json
from typing import Any

from sqlalchemy import Connection, func, select

from shoal.desk.actor import actor
from shoal.desk.clock import days_from_now, is_over, now
from shoal.desk.policy import Policy
from shoal.desk.store.log import canonical, keep
from shoal.desk.store.rows import dataset_row, requester_row, rows
from shoal.desk.store.tables import APPROVALS
from shoal.errors import ApprovalAwaited, WordingError

__all__ = ["ASKED_FOR", "decide_approval", "use_approval", "wait_for_approval"]

ASKED_FOR = ("dataset", "version", "requester", "purpose", "trust", "policy")
"""What an approval is given for."""


def use_approval(connection: Connection, policy: Policy, release: dict[str, Any]) -> bool:
    """Use up the approval of a release; tell whether there was one, or none is needed."""
    if not policy.approval:
        return True
    for row in _of(connection, policy, release, "approved"):
        keep(connection, "approval used", APPROVALS, {**row, "state": "used", "used_for": release["number"]})
        return True
    return False


def wait_for_approval(connection: Connection, release: dict[str, Any]) -> ApprovalAwaited:
    """Let a request wait, unless it waits already; return what whoever asks is told."""
    policy = Policy.of_json(_policy(connection, release["dataset"]))
    waiting = _of(connection, policy, release, "waiting")
    if waiting:
        return ApprovalAwaited(waiting[0]["number"])
    number = (connection.execute(select(func.max(APPROVALS.c.number))).scalar_one() or 0) + 1
    row = {
        "number": number,
        **_asked_for(policy, release),
        "asked": now(),
        "asked_by": actor(),
        "state": "waiting",
        "decided": None,
        "decided_by": None,
        "why": None,
        "expires": days_from_now(policy.approval_days),
        "used_for": None,
    }
    keep(connection, "approval asked", APPROVALS, row)
    return ApprovalAwaited(number)


def decide_approval(connection: Connection, number: int, state: str, why: str) -> dict[str, Any]:
    """Let a request that waits be ``approved`` or ``refused``, by somebody else than who asked; return its row."""
    found = rows(connection, select(APPROVALS).where(APPROVALS.c.number == number, APPROVALS.c.state == "waiting"))
    if not found or is_over(found[0]["expires"]):
        raise WordingError(f"There is no request {number} that waits for approval.", "shoal desk approvals")
    if state == "approved" and found[0]["asked_by"] == actor():
        raise WordingError("Whoever asks for something does not approve it.", "Let somebody else approve it.")
    policy = Policy.of_json(_policy(connection, found[0]["dataset"]))
    decided = {"state": state, "decided": now(), "decided_by": actor(), "why": why}
    row = {**found[0], **decided, "expires": days_from_now(policy.approval_days)}
    if state == "approved" and not _is_still_asked_for(connection, row):
        raise WordingError(
            "The policy or the trust in the requester has changed since this was asked for.", "It is to be asked again."
        )
    keep(connection, "approved" if state == "approved" else "approval refused", APPROVALS, row)
    return row


def _is_still_asked_for(connection: Connection, row: dict[str, Any]) -> bool:
    policy = dataset_row(connection, row["dataset"])["policy"]
    return (row["policy"], row["trust"]) == (policy, requester_row(connection, row["requester"])["trust"])


def _of(connection: Connection, policy: Policy, release: dict[str, Any], state: str) -> list[dict[str, Any]]:
    """Return what there is in a state for a release, and has not expired."""
    asked = select(APPROVALS).where(APPROVALS.c.state == state).order_by(APPROVALS.c.number)
    for part, wanted in _asked_for(policy, release).items():
        asked = asked.where(APPROVALS.c[part] == wanted)
    return [row for row in rows(connection, asked) if not is_over(row["expires"])]


def _asked_for(policy: Policy, release: dict[str, Any]) -> dict[str, Any]:
    return {part: canonical(policy.to_json()) if part == "policy" else release[part] for part in ASKED_FOR}


def _policy(connection: Connection, dataset: str) -> dict[str, Any]:
    return json.loads(dataset_row(connection, dataset)["policy"])
