"""Every change that a desk can be asked for, each from a furnished desk, for tests in which the process dies.

Nothing here says what is in the books afterward: tests compare them with what an undisturbed process has left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desk_crashes import connected, emptied, meddle
from local_oracle import TOWNS, Crowd, Told, table_of
from shoal.data import Microdata
from shoal.data.fingerprint import fingerprint
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.actor import acting_as
from shoal.desk.request import Reservation
from shoal.desk.store.tables import METADATA
from shoal.engines import LocalEngine
from shoal.errors import ApprovalAwaited, ConfirmationAwaited, RequestRefused, ShoalError
from shoal.randomness import Randomness

__all__ = ["CHANGES", "Change", "Place"]

_EVERYBODY: Crowd = {f"p{i}": (i // 4 % 4, list(TOWNS)[i // 16], "xy"[i % 2]) for i in range(40)}
_A: Crowd = {name: _EVERYBODY[name] for i, name in enumerate(_EVERYBODY) if i < 24}
_B: Crowd = {name: _EVERYBODY[name] for i, name in enumerate(_EVERYBODY) if i >= 16}
_PEOPLE = {"a": _A, "b": _B}
_LATER: Crowd = {**{name: _A[name] for name in list(_A)[1:]}, "new 1": (3, "Genf", "x"), "new 2": (3, "Genf", "y")}
_KEY = bytes(range(32))
_K = 2
_SINCE_MARKS = ("marks", "mark_lists", "common_people", "secret", "trees")
_SINCE_APPROVALS = ("approvals", "proposals", "kept", "kept_blocks", "anchors")


@dataclass
class Place:
    """Where a desk is kept, the desk as a process has opened it, and which views have left it."""

    where: str
    folder: Path
    desk: Desk = field(init=False)
    left: list[tuple[Crowd, Told, int, int]] = field(default_factory=list)

    @property
    def anchor(self) -> Path:
        """The file in which some of the desks are anchored."""
        return self.folder / "anchor"

    def open(self) -> Desk:
        """Open the desk, as every command does."""
        self.desk = Desk(self.where)
        return self.desk


Step = Callable[[Place], object]


@dataclass(frozen=True)
class Change:
    """What is done to a furnished desk before a change, the change, and how it is made once more after a crash."""

    change: Step
    before: tuple[Step, ...] = ()
    again: Step | None = None
    opens: bool = False
    """Whether it is the opening of the desk that changes something."""
    days: int = 0
    """How many days after all that was before."""
    furnish: Step = lambda place: _furnish(place)


def _furnish(place: Place, **settings: Any) -> None:
    """Make a desk with two requesters, a purpose and a data set."""
    place.anchor.unlink(missing_ok=True)
    place.left.clear()
    Desk.create(emptied(place.where))
    desk = place.open()
    desk.add_purpose("use", Purpose("number:1;town:1/3"))
    desk.set_requester("ann", 1)
    desk.set_requester("bob", 0.7)
    desk.add_dataset("a", table_of(_A), _policy(**settings))


def _furnished(**settings: Any) -> Step:
    return lambda place: _furnish(place, **settings)


def _policy(**settings: Any) -> Policy:
    settings = {"promises": (f"k-anonymity:k={_K}",), "identifier": "name", **settings}
    return Policy(**settings)


def _does(action: Callable[[Desk], object], by: str = "user olga") -> Step:
    """Return a step at the desk, in a name."""

    def do(place: Place) -> None:
        with acting_as(by):
            action(place.desk)

    return do


def _asks(dataset: str, requester: str, *earlier: Crowd, until: str = "done") -> Step:
    """Return the request for a view: from the first look at it until it is decided on, written or done."""

    def ask(place: Place) -> None:
        people, desk = _PEOPLE[dataset], place.desk
        table = table_of(people)
        request = Request(dataset, requester, "use", table, "nowhere", tuple(map(table_of, earlier)))
        with acting_as("user carol"), desk.held() as token:
            reservation = desk.reserve(token, request)
            if until == "decided":
                return
            desk.settle(reservation, "written", sha256="0" * 64)
            place.left.append((people, _told(people, table, reservation), _K, 1))
            if until == "done":
                desk.settle(reservation, "done", state="done")

    return ask


def _told(people: Crowd, table: Microdata, reservation: Reservation) -> Told:
    """Return the labels that everybody has in a view."""
    made = reservation.method.recode(table, reservation.models, LocalEngine(), Randomness(1)).records
    assert isinstance(made, Microdata)
    labels = zip(*(made[name].vocabulary.words.gather(made[name].codes) for name in ("number", "town")), strict=True)
    return dict(zip(people, labels, strict=True))


def _told_to_wait(step: Step, kind: type[ShoalError]) -> Step:
    """Return a step that ends with an error that is no fault: it waits for somebody, or is refused."""

    def waits(place: Place) -> None:
        with pytest.raises(kind):
            step(place)

    return waits


def _ask_until_approved(place: Place) -> None:
    """Ask, and let an officer approve it if it waits: an approval that was used for a view that was lost is used up."""
    ask = _asks("a", "ann")
    try:
        ask(place)
    except ApprovalAwaited as awaited:
        number = awaited.number
        _does(lambda desk: desk.approve(number))(place)
        ask(place)


def _older(place: Place) -> None:
    """Make a desk as it was before there were approvals and anchors, with a release in its books."""
    _furnish(place)
    _asks("a", "bob")(place)
    meddle(
        place.where,
        *(f"DROP TABLE {name}" for name in _SINCE_APPROVALS),
        *(f"ALTER TABLE requesters DROP COLUMN {name}" for name in ("expires", "purposes", "closed")),
        "ALTER TABLE releases DROP COLUMN expires",
        "UPDATE secret SET schema = 3",
    )


def _oldest(place: Place) -> None:
    """Make a desk as it was before people in several data sets were noticed; it is empty."""
    where = emptied(place.where)
    if "://" not in where:
        Path(where).touch(0o600)
    newer = (*_SINCE_MARKS, *_SINCE_APPROVALS)
    with connected(where) as connection:
        METADATA.create_all(connection, [table for table in METADATA.sorted_tables if table.name not in newer])


_add_b = _does(lambda desk: desk.add_dataset("b", table_of(_B), _policy()))
_two_people = _furnished(two_person=True)
_approved = _furnished(approval=True, approval_days=5)
_waits = _told_to_wait(_asks("a", "ann"), ApprovalAwaited)
_approve = _does(lambda desk: desk.approve(1))
_proposes = _told_to_wait(_does(lambda desk: desk.change_policy("a", release_days=3), "user ada"), ConfirmationAwaited)
_print = fingerprint(table_of(_A))
_anchors = lambda place: place.desk.set_anchor(file=place.anchor)  # noqa: E731

CHANGES: Mapping[str, Change] = {
    "a purpose": Change(_does(lambda desk: desk.add_purpose("other", Purpose("number:1")))),
    "a requester": Change(_does(lambda desk: desk.set_requester("cid", 1))),
    "terms": Change(_does(lambda desk: desk.set_requester("ann", 0.5, until="2999-01-01", purposes=["use"]))),
    "closed": Change(_does(lambda desk: desk.close_requester("ann"))),
    "a data set": Change(_add_b, (_asks("a", "bob"),)),
    "a version": Change(_does(lambda desk: desk.add_version("a", table_of(_LATER))), (_add_b,)),
    "a policy": Change(_does(lambda desk: desk.change_policy("a", release_days=3))),
    "a proposal": Change(_proposes, furnish=_two_people),
    "confirmed": Change(_does(lambda desk: desk.confirm(1)), (_proposes,), furnish=_two_people),
    "rejected": Change(_does(lambda desk: desk.reject(1)), (_proposes,), furnish=_two_people),
    "waits": Change(_waits, furnish=_approved),
    "approved": Change(_approve, (_waits,), furnish=_approved),
    "not approved": Change(_does(lambda desk: desk.refuse(1, "no")), (_waits,), furnish=_approved),
    "asked as approved": Change(_asks("a", "ann"), (_waits, _approve), _ask_until_approved, furnish=_approved),
    "asked of an extract": Change(_asks("b", "ann", _A), (_add_b, _asks("a", "bob"))),
    "refused": Change(
        _told_to_wait(_asks("a", "ann"), RequestRefused), (_does(lambda desk: desk.close_requester("ann")),)
    ),
    "revoked": Change(_does(lambda desk: desk.revoke(1)), (_asks("a", "bob"),)),
    "expired": Change(
        Place.open, (_asks("a", "bob"), _asks("a", "ann")), opens=True, days=3, furnish=_furnished(release_days=2)
    ),
    "an approval expired": Change(Place.open, (_waits, _approve), opens=True, days=6, furnish=_approved),
    "settled": Change(Place.open, (_asks("a", "bob", until="decided"), _asks("a", "ann", until="written")), opens=True),
    "kept": Change(_does(lambda desk: desk.keep_content(_print, b"these data", _KEY))),
    "kept anew": Change(
        _does(lambda desk: desk.keep_content(_print, b"these data", _KEY[::-1])),
        (_does(lambda desk: desk.keep_content(_print, b"these data", _KEY)),),
    ),
    "kept outside": Change(
        _does(lambda desk: desk.keep_path(_print, "people.csv", None)),
        (_does(lambda desk: desk.keep_content(_print, b"these data", _KEY)),),
    ),
    "anchored": Change(_anchors),
    "changed while anchored": Change(_does(lambda desk: desk.set_requester("cid", 1)), (_anchors,)),
    "anchored no more": Change(_does(lambda desk: desk.set_anchor()), (_anchors,)),
    "upgraded": Change(Place.open, opens=True, furnish=_older),
    "upgraded from the first": Change(Place.open, opens=True, furnish=_oldest),
}
