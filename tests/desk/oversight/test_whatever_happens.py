"""Whatever happens in between, nobody and no allowed coalition ever gets more than the policies at that time allow.

The model below knows what the rules say and what was given, person by person and label by label, of two extracts that
have people in common; it asks the library nothing.
"""

import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from desk_crashes import emptied
from desk_oracle import SQUARE, table_of
from local_oracle import Told, keeps
from shoal.data import Microdata
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.clock import clock_set_to
from shoal.desk.request import Reservation
from shoal.engines import LocalEngine
from shoal.errors import ApprovalAwaited, ConfirmationAwaited, RequestRefused, WordingError
from shoal.randomness import Randomness

EXTRACTS: dict[str, Any] = {
    "crowd": {name: person for name, person in SQUARE.items() if person[1] < 3},
    "other": {name: person for name, person in SQUARE.items() if person[1] > 0},
}
TABLES = {name: table_of(people) for name, people in EXTRACTS.items()}
NAMES = ("ann", "bob", "cid")
BEGINNING = datetime(2030, 1, 1, tzinfo=UTC)
SHORT_LIVED = "/dev/shm" if Path("/dev/shm").is_dir() else None
which, who, what = st.sampled_from(list(EXTRACTS)), st.sampled_from(NAMES), st.sampled_from(("first", "second"))
officer = st.sampled_from(["user asks", "user olga"])


class Rules(NamedTuple):
    """What the policy of an extract says at a time; all else in it stays."""

    k: int = 2
    approval: bool = False
    everybody: bool = True
    two_person: bool = False

    @property
    def said(self) -> dict[str, Any]:
        """The parts of a policy that say so."""
        coalitions = None if self.everybody else (("ann", "bob"),)
        promises, oversight = (f"k-anonymity:k={self.k}",), {"approval": self.approval, "two_person": self.two_person}
        return {"promises": promises, "coalitions": coalitions, **oversight}


def told(people: Iterable[str], table: Microdata, reservation: Reservation) -> Told:
    """Return the labels that everybody has in a view."""
    made = reservation.method.recode(table, reservation.models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    labels = zip(*(made[name].vocabulary.words.gather(made[name].codes) for name in ("one", "two")), strict=True)
    return dict(zip(people, labels, strict=True))


class DeskThroughTime(RuleBasedStateMachine):
    """A desk, and beside it what must be true of it."""

    where = ""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir=SHORT_LIVED)
        self.place = emptied(self.where) if "://" in self.where else str(Path(self.folder.name) / "desk.sqlite")
        self.day = 0
        self.policies: dict[str, Rules] = {}
        self.terms: dict[str, dict[str, Any]] = {}
        self.given: dict[str, list[tuple[str, Told]]] = {name: [] for name in NAMES}
        self.waiting: dict[int, tuple[Any, ...]] = {}
        self.approved: dict[tuple[Any, ...], int] = {}
        self.proposed: dict[int, tuple[str, Rules, Rules, str]] = {}
        with self.clock():
            self.desk = Desk.create(self.place)
            self.desk.add_purpose("first", Purpose("one:1;two:0"))
            self.desk.add_purpose("second", Purpose("one:0;two:1"))
            for name in NAMES:
                self.desk.set_requester(name, 1)
                self.terms[name] = {"trust": 1, "until": None, "closed": False, "purposes": None}

    @initialize(kinds=st.tuples(*[st.sampled_from(["checked", "levels", "local"])] * 2), two_person=st.booleans())
    def data_are_registered(self, kinds: tuple[str, str], two_person: bool) -> None:
        for (name, table), kind in zip(TABLES.items(), kinds, strict=True):
            views = {"views": "checked"} if kind == "checked" else {"views": "nested", "recoding": kind}
            self.policies[name] = Rules(two_person=two_person)
            said = {**self.policies[name].said, **views, "identifier": "name"}
            with self.clock():
                self.desk.add_dataset(name, table, Policy(**said, release_days=2, approval_days=3))

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
            self.desk = Desk(self.place)

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

    @rule(
        dataset=which,
        rules=st.builds(Rules, st.sampled_from([2, 2, 4]), st.booleans(), st.booleans(), st.booleans()),
        by=officer,
    )
    def policy_changes(self, dataset: str, rules: Rules, by: str) -> None:
        with self.clock(), acting_as(by):
            try:
                self.desk.change_policy(dataset, **rules.said)
            except ConfirmationAwaited as awaited:
                assert self.policies[dataset].two_person
                self.proposed[awaited.number] = dataset, self.policies[dataset], rules, by
                return
        assert not self.policies[dataset].two_person, "one person alone has changed it"
        self.policies[dataset] = rules

    @precondition(lambda self: self.proposed)
    @rule(data=st.data(), by=officer, confirms=st.sampled_from([True, True, False]))
    def proposal_is_decided_on(self, data: st.DataObject, by: str, confirms: bool) -> None:
        number = data.draw(st.sampled_from(sorted(self.proposed)))
        dataset, before, after, proposed_by = self.proposed[number]
        with self.clock(), acting_as(by):
            try:
                self.desk.confirm(number) if confirms else self.desk.reject(number)
            except WordingError:
                assert confirms
                assert by == proposed_by or self.policies[dataset] != before
                return
        if confirms:
            assert by != proposed_by
            assert self.policies[dataset] == before
            self.policies[dataset] = after
        del self.proposed[number]

    @rule(by=officer)
    def officer_approves(self, by: str) -> None:
        with self.clock(), acting_as(by):
            for row in self.desk.book("approvals", state="waiting"):
                asked = self.waiting[row["number"]]
                try:
                    self.desk.approve(row["number"])
                except WordingError:
                    is_same = asked == self.asked_for(row["dataset"], row["requester"], row["purpose"])
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

    @rule(order=st.permutations([(d, name, p) for d in EXTRACTS for name in NAMES for p in ("first", "second")]))
    def all_ask(self, order: list[tuple[str, str, str]]) -> None:
        for dataset, name, purpose in order[:4]:
            self.asks(dataset, name, purpose)

    @rule(dataset=which, name=who, purpose=what)
    def somebody_asks(self, dataset: str, name: str, purpose: str) -> None:
        self.asks(dataset, name, purpose)

    def asks(self, dataset: str, name: str, purpose: str) -> None:
        others = tuple(table for other, table in TABLES.items() if other != dataset)
        request = Request(dataset, name, purpose, TABLES[dataset], "nowhere", others)
        asked = self.asked_for(dataset, name, purpose)
        with self.clock(), acting_as("user asks"), self.desk.held() as token:
            try:
                reservation = self.desk.reserve(token, request)
            except RequestRefused:
                coarsest = dict.fromkeys(EXTRACTS[dataset], ("*", "*"))
                assert not self.is_entitled(name, purpose) or not self.is_safe(dataset, name, coarsest)
                return
            except ApprovalAwaited as awaited:
                assert self.is_entitled(name, purpose)
                assert self.policies[dataset].approval
                assert self.approved.get(asked, -1) <= self.day
                self.waiting[awaited.number] = asked
                return
            self.desk.settle(reservation, "done", state="done", sha256="0" * 64)
        assert self.is_entitled(name, purpose)
        assert not self.policies[dataset].approval or self.approved.pop(asked) > self.day
        view = told(EXTRACTS[dataset], TABLES[dataset], reservation)
        assert self.is_safe(dataset, name, view)
        self.given[name].append((dataset, view))

    def asked_for(self, dataset: str, name: str, purpose: str) -> tuple[Any, ...]:
        return dataset, name, purpose, self.terms[name]["trust"], self.policies[dataset]

    def is_entitled(self, name: str, purpose: str) -> bool:
        terms = self.terms[name]
        return (
            not terms["closed"]
            and terms["trust"] > 0
            and (terms["until"] is None or self.day < terms["until"])
            and (terms["purposes"] is None or purpose in terms["purposes"])
        )

    def is_safe(self, dataset: str, name: str, view: Told) -> bool:
        """Tell whether a view and all that any coalition of its reader ever saw keep what the policies promise now.

        Whoever may collude by the policy of one extract does so with what they have of both.
        """
        coalitions = [{name}]
        for rules in self.policies.values():
            coalitions += [set(NAMES)] if rules.everybody else [{"ann", "bob"}] if name != "cid" else []
        seen = [[each for member in sorted(members) for each in self.given[member]] for members in coalitions]
        return all(
            keeps([(EXTRACTS[of], labels, self.policies[of].k, 1) for of, labels in (*views, (dataset, view))])
            for views in ([], *seen)
        )

    @invariant()
    def the_books_hold(self) -> None:
        with self.clock():
            assert self.desk.audit().holds


def test_nobody_ever_gets_more_than_the_policies_allow_whatever_happens(where: str) -> None:
    machine = type("DeskSomewhere", (DeskThroughTime,), {"where": where})
    examples = 12 if "://" not in where else 3  # a server takes longer for each of the steps
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=15, deadline=None))
