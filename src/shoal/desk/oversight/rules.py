"""What the log must show of oversight: who may have decided what, and when.

The audit asks this of each entry, knowing all rows as they stood before it. So a release that was decided on for
somebody who was not entitled to it, without the approval that was asked for, or a policy that one person has changed
alone, are found even if the books and the log agree.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from shoal.desk.actor import THE_DESK
from shoal.desk.store.tables import APPROVALS, DATASETS, PROPOSALS, RELEASES, REQUESTERS

from .approvals import ASKED_FOR
from .terms import why_not_entitled

__all__ = ["is_overseen"]

Row = Mapping[str, Any]
Known = Mapping[tuple[str, str], Row]
"""All rows by table and key."""


def is_overseen(known: Known, table: str, before: Row | None, body: Mapping[str, Any], at: str) -> bool:
    """Tell whether a row may have become what an entry of the log says, by whom and when it says so."""
    rule = _RULES.get(table)
    return rule is None or rule(known, before, body, at)


def _release(known: Known, before: Row | None, body: Mapping[str, Any], at: str) -> bool:
    row = body["row"]
    if before is not None:
        is_expiry = row["state"] == "expired" != before["state"]
        return not is_expiry or (body["by"] == THE_DESK and row["expires"] is not None and row["expires"] <= at)
    if "expires" not in row:  # of a desk from before
        return True
    requester, policy = known[REQUESTERS.name, row["requester"]], known[DATASETS.name, row["dataset"]]["policy"]
    if requester["trust"] != row["trust"] or why_not_entitled(requester, row["purpose"], at) is not None:
        return False
    return not json.loads(policy).get("approval") or any(
        approval["state"] == "used" and approval["used_for"] == row["number"] and _is_for(approval, row, policy)
        for (table, _), approval in known.items()
        if table == APPROVALS.name
    )


def _is_for(approval: Row, release: Row, policy: str) -> bool:
    return all(approval[part] == (policy if part == "policy" else release[part]) for part in ASKED_FOR)


def _approval(_known: Known, before: Row | None, body: Mapping[str, Any], at: str) -> bool:
    row, by = body["row"], body["by"]
    if before is None:
        return row["state"] == "waiting" and row["asked_by"] == by
    match before["state"], row["state"]:
        case ("waiting", "approved"):
            return _is_before(at, before) and by == row["decided_by"] != row["asked_by"]
        case ("waiting", "refused"):
            return _is_before(at, before) and by == row["decided_by"]
        case ("approved", "used"):
            return _is_before(at, before) and row["used_for"] is not None and _is_other(before, row, "used_for")
        case ("waiting" | "approved", "expired"):
            return by == THE_DESK and not _is_before(at, before) and _is_other(before, row)
    return False


def _is_other(before: Row, row: Row, *parts: str) -> bool:
    """Tell whether nothing but the state and some other parts has changed."""
    return all(before[key] == row[key] for key in before if key not in ("state", *parts))


def _is_before(at: str, row: Row) -> bool:
    return row["expires"] is None or at < row["expires"]


def _proposal(_known: Known, before: Row | None, body: Mapping[str, Any], _at: str) -> bool:
    row, by = body["row"], body["by"]
    if before is None:
        return row["state"] == "open" and row["proposed_by"] == by
    if before["state"] != "open" or row["decided_by"] != by:
        return False
    return row["state"] == "rejected" or (row["state"] == "confirmed" and row["proposed_by"] != by)


def _dataset(known: Known, before: Row | None, body: Mapping[str, Any], _at: str) -> bool:
    row = body["row"]
    old, new = {} if before is None else json.loads(before["policy"]), json.loads(row["policy"])
    apart = set(new.get("apart_from", ())) - set(old.get("apart_from", ()))
    others = {
        name: json.loads(each["policy"])
        for (table, name), each in known.items()
        if table == DATASETS.name and name != row["name"]
    }
    if new.get("population") and any(
        each.get("population") == new["population"]
        and (name in new.get("apart_from", ()) or row["name"] in each.get("apart_from", ()))
        for name, each in others.items()
    ):
        return False
    left = old.get("population") if old.get("population") != new.get("population") else None
    policies = [each for name, each in others.items() if name in apart or (left and each.get("population") == left)]
    if (before is not None and before["policy"] == row["policy"]) or not any(
        each.get("two_person") for each in (old, *policies)
    ):
        return True
    proposal = known.get((PROPOSALS.name, str(body.get("proposal"))))
    return (
        proposal is not None
        and before is not None
        and proposal["state"] == "confirmed"
        and [proposal[part] for part in ("dataset", "policy_before", "policy")]
        == [row["name"], before["policy"], row["policy"]]
    )


_RULES: Final[Mapping[str, Callable[[Known, Row | None, Mapping[str, Any], str], bool]]] = {
    RELEASES.name: _release,
    APPROVALS.name: _approval,
    PROPOSALS.name: _proposal,
    DATASETS.name: _dataset,
}
