"""Who may ask, who approves, who changes a policy and how long it all lasts; the audit knows each of these rules."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy

from desk_oracle import SQUARE, table_of
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.clock import clock_set_to
from shoal.errors import ApprovalAwaited, ConfirmationAwaited, RequestRefused, WordingError

DAY_0 = datetime(2030, 1, 1, 12, tzinfo=UTC)
PROMISES = ("k-anonymity:k=2",)


@contextmanager
def day(number: float) -> Iterator[None]:
    """Let it be so many days after the beginning."""
    with clock_set_to(DAY_0 + timedelta(days=number)):
        yield


def opened(where: str, **policy: object) -> Desk:
    """Return a desk with a data set on day 0."""
    with day(0):
        desk = Desk.create(where)
        desk.add_purpose("first", Purpose("one:1"))
        desk.add_purpose("second", Purpose("two:1"))
        desk.set_requester("ann", 1)
        desk.add_dataset("crowd", table_of(SQUARE), Policy(PROMISES, **policy))  # type: ignore[arg-type]
    return desk


def ask(desk: Desk, requester: str = "ann", purpose: str = "first") -> tuple[int, ...]:
    """Ask for a view, and let it be done."""
    with desk.held() as token:
        reservation = desk.reserve(token, Request("crowd", requester, purpose, table_of(SQUARE), "nowhere"))
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    assert reservation.node is not None or desk.book("datasets")[0]["policy"]["views"] == "nested"
    return reservation.node or ()


def refused(desk: Desk, why: str, requester: str = "ann", purpose: str = "first") -> None:
    """Ask, and be refused for a reason that is in the books."""
    with pytest.raises(RequestRefused, match=why) as caught:
        ask(desk, requester, purpose)
    assert desk.book("refusals", requester=requester)[-1]["why"] == caught.value.message
    assert desk.audit().holds


def test_trust_ends_purposes_are_bound_and_who_is_closed_or_not_trusted_gets_nothing(where: str) -> None:
    desk = opened(where)
    with day(0):
        desk.set_requester("bob", 0)
        refused(desk, "not trusted at all", "bob")
        desk.set_requester("bob", 0.5, until="2030-01-03", purposes=["second"])
        refused(desk, "may not ask for the purpose 'first'", "bob")
    with day(2.4):
        ask(desk, "bob", "second")
        desk.set_requester("bob", 0.7)
        assert desk.book("requesters", requester="bob")[0]["purposes"] == ["second"], "what is not said stays"
    with day(2.5):
        refused(desk, "ended on 2030-01-04T00:00:00", "bob", "second")
        assert desk.book("requesters", state="expired")[0]["requester"] == "bob"
        with pytest.raises(WordingError, match="before now"):
            desk.set_requester("bob", 0.7, until="2030-01-03")
        desk.set_requester("bob", 0.7, until="never", purposes=None)
        ask(desk, "bob", "first")
        desk.close_requester("bob", "left")
        refused(desk, "closed", "bob")
        with pytest.raises(WordingError, match="closed already"):
            desk.close_requester("bob")
        with pytest.raises(WordingError, match="is closed"):
            desk.set_requester("bob", 1)
        desk.set_requester("bob", 0.7, reopen=True)
        ask(desk, "bob")
        for wrong in ("tomorrow", "2030-13-01", "2030-01-01T12:00:00", ""):
            with pytest.raises(WordingError):
                desk.set_requester("bob", 1, until=wrong)
        with pytest.raises(WordingError, match="no purpose"):
            desk.set_requester("bob", 1, purposes=["third"])
        assert desk.audit().holds


def test_a_release_expires_and_goes_on_to_count(where: str) -> None:
    desk = opened(where, release_days=10, views="checked")
    with day(0):
        first = ask(desk)
    with day(9.9):
        assert Desk(where).releases()[0]["state"] == "done"
    with day(10):
        assert desk.releases()[0]["state"] == "expired", "before anybody has written it down"
        again = Desk(where)
        assert again.book("releases", state="expired")
        assert again.log()[-1]["event"] == "expired"
        assert again.log()[-1]["by"] == "the desk"
        entries = again.audit().entries
        assert Desk(where).audit().entries == entries, "once is enough"
        assert again.audit().holds
        again.set_requester("bob", 1)
        assert first == (0, 1)
        assert ask(again, "bob", "second") == (2, 1), "at (1, 0), everybody would be alone with what ann saw"
        with pytest.raises(WordingError, match="no release 1 that could be revoked"):
            again.revoke(1)


def awaited(desk: Desk, by: str = "user carol", requester: str = "ann") -> int:
    """Ask for something that has to wait, and return its number."""
    with acting_as(by), pytest.raises(ApprovalAwaited) as caught:
        ask(desk, requester)
    return caught.value.number


def test_a_request_waits_for_somebody_else_and_an_approval_is_good_for_one_release(where: str) -> None:
    desk = opened(where, approval=True, approval_days=5)
    with day(0):
        number = awaited(desk)
        assert awaited(desk, "user dave") == number, "it waits already"
        assert desk.releases() == []
        with acting_as("user carol"), pytest.raises(WordingError, match="does not approve"):
            desk.approve(number)
        with acting_as("user olga"):
            assert desk.approve(number)["state"] == "approved"
            with pytest.raises(WordingError, match="no request"):
                desk.refuse(number, "too late")
    with day(4.9):
        ask(desk)
        assert desk.book("approvals")[0]["used_for"] == 1
        second = awaited(desk)
        with acting_as("user olga"):
            desk.refuse(second, "once is enough")
        assert desk.book("refusals")[-1]["why"] == "once is enough"
        third = awaited(desk)
    with day(9.9):
        with pytest.raises(WordingError, match="no request"), acting_as("user olga"):
            desk.approve(third)
        fourth = awaited(Desk(where))
        assert fourth == third + 1
        with acting_as("user olga"):
            desk.approve(fourth)
    with day(14.9):
        assert awaited(Desk(where)) == fourth + 1, "an approval that nobody used in time"
        states = [each["state"] for each in desk.book("approvals")]
        assert states == ["used", "refused", "expired", "expired", "waiting"]
        assert desk.audit().holds


def test_an_approval_is_for_the_trust_and_the_policy_that_it_was_asked_under(where: str) -> None:
    desk = opened(where, approval=True)
    with day(0):
        for change in (
            lambda: desk.set_requester("ann", 0.5),
            lambda: desk.change_policy("crowd", promises=("k-anonymity:k=3",)),
        ):
            early, number = awaited(desk), None
            with acting_as("user olga"):
                desk.approve(early)
            change()
            number = awaited(desk)
            assert number == early + 1
            with acting_as("user olga"):
                desk.approve(number)
            desk.set_requester("ann", 0.25)
            with acting_as("user olga"):
                late = awaited(desk)
            desk.set_requester("ann", 0.75)
            with acting_as("user pete"), pytest.raises(WordingError, match="has changed since"):
                desk.approve(late)
        assert desk.releases() == []
        assert desk.audit().holds


def test_what_is_refused_need_not_be_approved(where: str) -> None:
    desk = opened(where, approval=True)
    with day(0):
        desk.set_requester("bob", 0)
        refused(desk, "not trusted", "bob")
        assert desk.book("approvals") == []


def proposed(desk: Desk, by: str, name: str = "crowd", **changes: object) -> int:
    """Propose a change of a policy, and return its number."""
    with acting_as(by), pytest.raises(ConfirmationAwaited) as caught:
        desk.change_policy(name, **changes)
    return caught.value.number


def test_a_policy_that_asks_for_two_people_is_changed_by_two(where: str) -> None:
    desk = opened(where)
    with day(0):
        desk.change_policy("crowd", two_person=True)
        before = desk.book("datasets")[0]["policy"]
        number = proposed(desk, "user ada", two_person=False)
        assert desk.book("datasets")[0]["policy"] == before
        with acting_as("user ada"), pytest.raises(WordingError, match="does not confirm"):
            desk.confirm(number)
        other = proposed(desk, "user ada", release_days=3)
        with acting_as("user bea"):
            assert not desk.confirm(number).two_person
            with pytest.raises(WordingError, match="has changed since"):
                desk.confirm(other)
            desk.reject(other, "stale")
            with pytest.raises(WordingError, match="no proposal"):
                desk.confirm(other)
        desk.change_policy("crowd", two_person=True)
        (change, *_) = [each for each in desk.book("policies") if each["proposal"] == number]
        assert (change["by"], change["changed"]) == ("user bea", ["two_person"])
        assert desk.audit().holds


def test_nobody_sets_data_apart_alone_from_those_that_ask_for_two_people(where: str) -> None:
    desk = opened(where, two_person=True)
    some = table_of({f"other {name}": person for name, person in SQUARE.items()})
    with day(0):
        with pytest.raises(WordingError, match="two people"):
            desk.add_dataset("some", some, Policy(PROMISES, apart_from=("crowd",)))
        desk.add_dataset("some", some, Policy(PROMISES))
        number = proposed(desk, "user ada", "some", apart_from=("crowd",))
        with acting_as("user bea"):
            assert desk.confirm(number).apart_from == ("crowd",)
        assert desk.audit().holds


def forge(where: str, changes: dict[str, tuple[str, str]]) -> None:
    """Rewrite the whole log so that it says something else, and the rows with it: only what it says can be wrong."""
    with sqlalchemy.create_engine(f"sqlite:///{where}", poolclass=sqlalchemy.NullPool).begin() as connection:
        entries = [dict(row) for row in connection.exec_driver_sql("SELECT * FROM log ORDER BY number").mappings()]
        for what in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(f"DROP TRIGGER log_keeps_{what}")
        previous = "0" * 64
        for entry in entries:
            if entry["event"] in changes:
                entry["told"] = entry["told"].replace(*changes[entry["event"]])
            entry["previous"] = previous
            parts = {key: entry[key] for key in ("number", "at", "event", "told", "previous")}
            text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
            previous = entry["hash"] = hashlib.sha256(text.encode()).hexdigest()
            connection.execute(
                sqlalchemy.text(
                    "UPDATE log SET told = :told, previous = :previous, hash = :hash WHERE number = :number"
                ),
                entry,
            )
        connection.execute(sqlalchemy.text("UPDATE head SET hash = :hash"), {"hash": previous})


FORGED = {
    "somebody was not trusted": {"requester": ('"trust":"1"', '"trust":"0"')},
    "trust had ended": {"requester": ('"expires":null', '"expires":"2030-01-01T11:00:00+00:00"')},
    "was closed": {"requester": ('"closed":null', '"closed":"2030-01-01T11:00:00+00:00"')},
    "another purpose": {"requester": ('"purposes":null', '"purposes":"[\\"second\\"]"')},
    "approved by who asked": {"approved": ("user olga", "user carol")},
    "approved by nobody": {"approved": ("user olga", "user pete"), "approval used": ("user olga", "user olga")},
    "an approval of another purpose": dict.fromkeys(
        ("approval asked", "approved", "approval used"), ('"purpose":"first"', '"purpose":"second"')
    ),
    "used for another release": {"approval used": ('"used_for":1', '"used_for":2')},
    "confirmed by who proposed": {"confirmed": ("user bea", "user ada")},
    "another change confirmed": {"policy": ('"proposal":1', '"proposal":7')},
    "expired too soon": {"decided": ('"expires":"2030-01-02', '"expires":"2031-01-02')},
    "expired by somebody": {"expired": ("the desk", "user ada")},
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the books of a desk at which everything that is overseen has happened."""
    where = tmp_path_factory.mktemp("whole") / "desk.sqlite"
    desk = opened(str(where), approval=True, release_days=1, two_person=True)
    with day(0):
        number = awaited(desk)
        with acting_as("user olga"):
            desk.approve(number)
        with acting_as("user carol"):
            ask(desk)
        with acting_as("user bea"):
            desk.confirm(proposed(desk, "user ada", release_days=2))
    with day(1):
        assert Desk(where).audit().holds
    return where.read_bytes()


@pytest.mark.parametrize("what", FORGED)
def test_the_audit_knows_the_rules_even_if_the_whole_log_was_written_anew(tmp_path, whole: bytes, what: str) -> None:
    where = tmp_path / "desk.sqlite"
    where.touch(0o600)
    where.write_bytes(whole)
    forge(str(where), FORGED[what])
    with day(1):
        faults = Desk(where).audit().faults
    assert [fault for fault in faults if "cannot have become" in fault]
