"""Whatever happens in between, nobody and no allowed coalition ever gets more than the policy at that time allows.

The model below knows what the rules say and what was given, person by person; it asks the library nothing.
"""

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from desk_oracle import SQUARE, keeps, table_of
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.clock import clock_set_to
from shoal.errors import ApprovalAwaited, RequestRefused, WordingError

TABLE = table_of(SQUARE)
NAMES = ("ann", "bob", "cid")
BEGINNING = datetime(2030, 1, 1, tzinfo=UTC)
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
who, what = st.sampled_from(NAMES), st.sampled_from(("first", "second"))


class DeskThroughTime(RuleBasedStateMachine):
    """A desk, and beside it what must be true of it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=SHORT_LIVED)
        self.day, self.k, self.approval, self.everybody = 0, 2, False, True
        self.terms: dict[str, dict[str, Any]] = {}
        self.given: dict[str, list[tuple[int, ...]]] = {name: [] for name in NAMES}
        self.waiting: dict[int, tuple[Any, ...]] = {}
        self.approved: dict[tuple[Any, ...], int] = {}
        with self.clock():
            self.desk = Desk.create(Path(self.folder.name) / "desk.sqlite")
            self.desk.add_purpose("first", Purpose("one:1;two:0"))
            self.desk.add_purpose("second", Purpose("one:0;two:1"))
            for name in NAMES:
                self.desk.set_requester(name, 1)
                self.terms[name] = {"trust": 1, "until": None, "closed": False, "purposes": None}
            policy = Policy(("k-anonymity:k=2",), views="checked", release_days=2, approval_days=3)
            self.desk.add_dataset("crowd", TABLE, policy)

    def clock(self):
        """Let it be today."""
        return clock_set_to(BEGINNING + timedelta(days=self.day))

    def teardown(self) -> None:
        """Forget the desk."""
        self.folder.cleanup()

    @rule(days=st.integers(1, 4))
    def time_passes(self, days: int) -> None:
        self.day += days
        with self.clock():
            self.desk = Desk(Path(self.folder.name) / "desk.sqlite")

    @rule(name=who, trust=st.sampled_from([0, 0.3, 1]), lasts=st.sampled_from([None, 1, 3]), bound=st.booleans())
    def terms_change(self, name: str, trust: float, lasts: int | None, bound: bool) -> None:
        until = None if lasts is None else self.day + lasts
        purposes = ["first"] if bound else None
        end = "never" if until is None else (BEGINNING + timedelta(days=until)).isoformat()
        with self.clock():
            self.desk.set_requester(name, trust, until=end, purposes=purposes, reopen=True)
        self.terms[name] = {"trust": trust, "until": until, "closed": False, "purposes": purposes}

    @rule(name=who)
    def closes(self, name: str) -> None:
        with self.clock():
            try:
                self.desk.close_requester(name)
            except WordingError:
                assert self.terms[name]["closed"]
        self.terms[name]["closed"] = True

    @rule(k=st.sampled_from([2, 2, 4]), approval=st.booleans(), everybody=st.booleans())
    def policy_changes(self, k: int, approval: bool, everybody: bool) -> None:
        with self.clock():
            coalitions = None if everybody else (("ann", "bob"),)
            self.desk.change_policy("crowd", promises=(f"k-anonymity:k={k}",), approval=approval, coalitions=coalitions)
        self.k, self.approval, self.everybody = k, approval, everybody

    @rule(by=st.sampled_from(["user asks", "user olga"]))
    def officer_approves(self, by: str) -> None:
        with self.clock(), acting_as(by):
            for row in self.desk.book("approvals", state="waiting"):
                asked = self.waiting[row["number"]]
                try:
                    self.desk.approve(row["number"])
                except WordingError:
                    is_same = asked == self.asked_for(row["requester"], row["purpose"])
                    assert by == "user asks" or not is_same, "an officer may approve what waits"
                else:
                    assert by == "user olga"
                    self.approved[asked] = self.day + 3

    @precondition(lambda self: any(self.given.values()))
    @rule(data=st.data())
    def release_is_revoked(self, data: st.DataObject) -> None:
        with self.clock():
            done = [each["number"] for each in self.desk.releases() if each["state"] == "done"]
            if done:
                self.desk.revoke(data.draw(st.sampled_from(done)))

    @rule(order=st.permutations([(name, purpose) for name in NAMES for purpose in ("first", "second")]))
    def all_ask(self, order: list[tuple[str, str]]) -> None:
        for name, purpose in order[:4]:
            self.asks(name, purpose)

    @rule(name=who, purpose=what)
    def somebody_asks(self, name: str, purpose: str) -> None:
        self.asks(name, purpose)

    def asks(self, name: str, purpose: str) -> None:
        request = Request("crowd", name, purpose, TABLE, "nowhere")
        asked = self.asked_for(name, purpose)
        with self.clock(), acting_as("user asks"), self.desk.held() as token:
            try:
                reservation = self.desk.reserve(token, request)
            except RequestRefused:
                assert not self.is_entitled(name, purpose) or not self.is_safe(name, (2, 2))
                return
            except ApprovalAwaited as awaited:
                assert self.is_entitled(name, purpose)
                assert self.approval
                assert self.approved.get(asked, -1) <= self.day
                self.waiting[awaited.number] = asked
                return
            self.desk.settle(reservation, "done", state="done", sha256="0" * 64)
        assert self.is_entitled(name, purpose)
        assert not self.approval or self.approved.pop(asked) > self.day
        assert reservation.node is not None
        assert self.is_safe(name, reservation.node)
        self.given[name].append(reservation.node)

    def asked_for(self, name: str, purpose: str) -> tuple[Any, ...]:
        return name, purpose, self.terms[name]["trust"], self.k, self.approval, self.everybody

    def is_entitled(self, name: str, purpose: str) -> bool:
        terms = self.terms[name]
        return (
            not terms["closed"]
            and terms["trust"] > 0
            and (terms["until"] is None or self.day < terms["until"])
            and (terms["purposes"] is None or purpose in terms["purposes"])
        )

    def is_safe(self, name: str, node: tuple[int, ...]) -> bool:
        """Tell whether a view and all that any coalition of its reader ever saw keep what the policy promises now."""
        coalitions = [set(NAMES)] if self.everybody else [{name}, *([{"ann", "bob"}] if name != "cid" else [])]
        alone = [*([{name}] if self.everybody else []), *coalitions]
        seen = [[view for each in sorted(members) for view in self.given[each]] for members in alone]
        return all(keeps([(SQUARE, view) for view in (*views, node)], self.k, 1) for views in seen)

    @invariant()
    def the_books_hold(self) -> None:
        with self.clock():
            assert self.desk.audit().holds


def test_nobody_ever_gets_more_than_the_policy_allows_whatever_happens() -> None:
    run_state_machine_as_test(
        DeskThroughTime, settings=settings(max_examples=12, stateful_step_count=15, deadline=None)
    )
