"""A process that is killed at any write of oversight leaves all of a change or nothing, and books that hold."""

from collections.abc import Callable

import pytest

from desk_oracle import SQUARE, table_of
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.store import log
from shoal.errors import ApprovalAwaited, ConfirmationAwaited

TABLE = table_of(SQUARE)


class Killed(BaseException):
    """The process is gone."""


def ask(desk: Desk) -> None:
    """Ask for something that needs approval."""
    with desk.held() as token:
        reservation = desk.reserve(token, Request("crowd", "ann", "first", TABLE, "nowhere"))
    desk.settle(reservation, "done", state="done", sha256="0" * 64)


def wait(desk: Desk) -> None:
    """Let a request wait."""
    with acting_as("user carol"), pytest.raises(ApprovalAwaited):
        ask(desk)


def propose(desk: Desk) -> None:
    """Propose a change."""
    with acting_as("user ada"), pytest.raises(ConfirmationAwaited):
        desk.change_policy("crowd", release_days=3)


CHANGES: dict[str, Callable[[Desk], object]] = {
    "terms": lambda desk: desk.set_requester("ann", 0.5, until="2999-01-01", purposes=["first"]),
    "closed": lambda desk: desk.close_requester("ann"),
    "waits": wait,
    "approved": lambda desk: desk.approve(1),
    "refused": lambda desk: desk.refuse(1, "no"),
    "used": ask,
    "proposed": propose,
    "confirmed": lambda desk: desk.confirm(1),
    "rejected": lambda desk: desk.reject(1),
}
BEFORE = {"approved": [wait], "refused": [wait], "used": [wait, CHANGES["approved"]]}
BEFORE |= {"confirmed": [propose], "rejected": [propose]}


@pytest.mark.parametrize("what", CHANGES)
def test_all_of_a_change_is_kept_or_nothing(where: str, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    desk = Desk.create(where)
    desk.add_purpose("first", Purpose("one:1"))
    desk.set_requester("ann", 1)
    desk.add_dataset("crowd", TABLE, Policy(("k-anonymity:k=2",), approval=True, two_person=True))
    for change in BEFORE.get(what, []):
        change(desk)
    note, rounds = log.note, 0
    while True:
        rounds += 1
        written: list[str] = []
        before = Desk(where).audit().entries

        def dying(connection, event, details, *, die_at: int = rounds, written: list[str] = written) -> None:
            note(connection, event, details)
            written.append(event)
            if len(written) == die_at:
                raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(log, "note", dying)
            try:
                CHANGES[what](desk)
            except Killed:
                pass
            else:
                break
        again = Desk(where)
        assert again.audit().holds
        kept = [entry["event"] for entry in again.log(before) if entry["by"] != "the desk"]
        assert kept == written[: len(kept)]
        assert len(kept) < len(written), "what was written last is not there"
        if what == "used" and again.releases():
            assert again.releases()[0]["state"] in ("pending", "abandoned")
            return  # the approval is used up, and the view was lost
    assert rounds > 1
    assert Desk(where).audit().holds
