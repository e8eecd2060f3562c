"""Kill processes at a release desk at random moments, on SQLite and on PostgreSQL, and see what is left.

A process does one thing after another at a desk: it registers data, purposes and requesters, changes policies (one of
them by two people), asks for views of two overlapping extracts and of data that are recoded locally, with and without
approval, revokes, keeps data, anchors the log. It notes what it begins and what it has been told is done. It gets
SIGKILL; then the desk is opened, which settles what was left, and the next process goes on with the same desk.

After every kill: whatever the process was told is done is in the log. What it was at is there by whole transactions, or
not at all. No release is left open, and a folder has its name if and only if its release is done. The audit holds, with
folders and the anchor. All views of the extracts that may have left keep k, counted person by person.
"""

import json
import os
import random
import signal
import tempfile
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import FileIO
from itertools import accumulate
from pathlib import Path
from typing import Any

import shoal
from desk_stores import desk_stores
from shoal.data.fingerprint import fingerprint
from shoal.desk import Desk, Policy, Purpose
from shoal.desk.actor import THE_DESK, acting_as
from shoal.desk.store import Store
from shoal.desk.store.anchor import head_of
from shoal.errors import ShoalError
from tests.desk_oracle import SQUARE, People, keeps_each, table_of, write_files

KILLS, AHEAD, LONGEST, K = 20, 6, 1.5, 2
EXTRACTS: dict[str, People] = {
    "one": {name: person for name, person in SQUARE.items() if person[0] < 3},
    "two": {name: person for name, person in SQUARE.items() if person[0] > 0},
}
FREE: People = {f"r{i}": (i // 2 % 4, i // 8, "fg"[i % 2]) for i in range(32)}
APART: People = {f"q{i}": (i % 4, i // 8, "vw"[i % 2]) for i in range(32)}
NAMED = {"promises": (f"k-anonymity:k={K}",), "identifier": "name"}


class Work:
    """What a process does at a desk, one thing at a time."""

    def __init__(self, where: str, folder: Path, turn: int) -> None:
        self.where, self.folder, self.turn = where, folder, turn
        self.drawn = random.Random(turn)
        self.done = 0

    @property
    def new(self) -> str:
        """A name that nothing has yet."""
        return f"{self.turn}-{self.done}"

    def go_on(self) -> None:
        """Do one thing after another, and note what is begun and what is done."""
        with (self.folder / "notes").open("ab", buffering=0) as notes:
            while True:
                what = self.drawn.choice(list(DOINGS))
                _note(notes, begun=what, turn=self.turn)
                with suppress(ShoalError), acting_as(self.drawn.choice(["user ada", "user olga"])):
                    DOINGS[what](self)
                with Store(self.where).reading() as connection:
                    head = head_of(connection)
                _note(notes, done=what, number=head.number, hash=head.hash)
                self.done += 1

    def warm_up(self) -> None:
        """Do once what takes long at the first time."""
        for what in ("dataset", "asked of cuts", "asked of one"):
            DOINGS[what](self)
            self.done += 1

    def ask(self, dataset: str) -> None:
        """Ask for a view."""
        other = {"one": "two", "two": "one"}.get(dataset)
        schema = self.folder / "people.toml"
        shoal.request(
            self.where,
            dataset,
            self.folder / f"{dataset}.csv",
            schema,
            requester=self.drawn.choice(["ann", "bob"]),
            purpose=self.drawn.choice(["first", "second"]),
            out=self.folder / f"out {self.new}",
            earlier=[] if other is None else [self.folder / f"{other}.csv"],
        )

    def decide(self, book: str, ways: tuple[str, ...]) -> None:
        """Decide on something that waits."""
        desk = Desk(self.where)
        states = {"approvals": "waiting", "proposals": "open"}
        waiting = desk.book(book, state=states[book])
        if waiting:
            way = self.drawn.choice(ways)
            getattr(desk, way)(waiting[0]["number"], *(["no"] if way == "refuse" else []))

    def keep(self) -> None:
        """Keep data, or where they are."""
        print_ = fingerprint(table_of(APART))
        desk = Desk(self.where)
        if self.drawn.random() < 0.5:
            desk.keep_content(print_, self.drawn.randbytes(100), bytes(32))
        else:
            desk.keep_path(print_, "apart.csv", None)

    def add_dataset(self) -> None:
        """Register data of other people."""
        people: People = {f"{self.new} {name}": (one, two, self.new) for name, (one, two, _) in SQUARE.items()}
        Desk(self.where).add_dataset(self.new, table_of(people), Policy(**NAMED))

    def add_version(self) -> None:
        """Register a change of data of which nothing is asked for."""
        people: People = {f"s{i}": (i % 4, i // 4, self.new) for i in range(16)}
        Desk(self.where).add_version("changing", table_of(people))

    def revoke(self) -> None:
        """Revoke a release."""
        desk = Desk(self.where)
        if given := [each["number"] for each in desk.releases() if each["state"] == "done"]:
            desk.revoke(self.drawn.choice(given))


_REQUEST = (("decided",), ("written",), ("done",))
DOINGS: dict[str, Callable[[Work], object]] = {
    "purpose": lambda work: Desk(work.where).add_purpose(work.new, Purpose("one:1")),
    "requester": lambda work: Desk(work.where).set_requester("cid", work.drawn.choice([0.5, 1]), reopen=True),
    "closed": lambda work: Desk(work.where).close_requester("cid"),
    "dataset": Work.add_dataset,
    "version": Work.add_version,
    "policy": lambda work: Desk(work.where).change_policy("one", release_days=work.drawn.randint(1, 99)),
    "proposal": lambda work: Desk(work.where).change_policy("apart", release_days=work.drawn.randint(1, 99)),
    "decided on a proposal": lambda work: work.decide("proposals", ("confirm", "reject")),
    "decided on a request": lambda work: work.decide("approvals", ("approve", "approve", "refuse")),
    "asked of one": lambda work: work.ask("one"),
    "asked of two": lambda work: work.ask("two"),
    "asked with approval": lambda work: work.ask("apart"),
    "asked of cuts": lambda work: work.ask("free"),
    "revoked": Work.revoke,
    "kept": Work.keep,
    "anchored": lambda work: Desk(work.where).set_anchor(file=work.folder / "anchor"),
}
TRANSACTIONS: dict[str, tuple[tuple[tuple[str, ...], ...], ...]] = {
    "purpose": ((("purpose",),),),
    "requester": ((("requester",),),),
    "closed": ((("requester closed",),),),
    "dataset": ((("dataset", "version", "marked"),),),
    "version": ((("version", "marked"),),),
    "policy": ((("policy",),),),
    "proposal": ((("proposed",),),),
    "decided on a proposal": ((("confirmed", "policy"),), (("rejected",),)),
    "decided on a request": ((("approved",),), (("approval refused",),)),
    "asked of one": (_REQUEST, (("refused",),)),
    "asked of two": (_REQUEST, (("refused",),)),
    "asked of cuts": (_REQUEST, (("refused",),)),
    "asked with approval": (
        (("approval used", "decided"), *_REQUEST[1:]),
        (("refused",),),
        (("approval asked",),),
    ),
    "revoked": ((("revoked",),),),
    "kept": ((("kept",),),),
    "anchored": ((("anchor",),),),
}
"""For each of them, what its transactions may write into the log, in each way that it may go."""


def main(folder: Path) -> dict[str, Any]:
    """Kill processes on each store, and count."""
    found: dict[str, Any] = {}
    with desk_stores(folder) as stores:
        for name, where in stores.items():
            (folder / name).mkdir()
            began = time.perf_counter()
            _open(where, folder / name)
            counted = _killed(where, folder / name)
            counted["seconds"] = round(time.perf_counter() - began)
            found |= {f"{name}_{key}": value for key, value in counted.items()}
    return found


def _open(where: str, folder: Path) -> None:
    """Make the desk, in a process of its own: threads of Polars must not be there when others are forked."""
    if (pid := os.fork()) == 0:
        try:
            _furnish(where, folder)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    audit = Desk(where).audit()
    with (folder / "notes").open("ab", buffering=0) as notes:
        _note(notes, number=audit.entries, hash=audit.head)


def _furnish(where: str, folder: Path) -> None:
    """Make a desk with all that processes need for their work."""
    desk = Desk.create(where)
    for requester in ("ann", "bob", "cid"):
        desk.set_requester(requester, 1)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("second", Purpose("one:0;two:1"))
    policies = {name: Policy(**NAMED, views="checked") for name in EXTRACTS}
    policies |= {"apart": Policy(**NAMED, approval=True, two_person=True), "free": Policy(**NAMED)}
    for name, people in {**EXTRACTS, "apart": APART, "free": FREE}.items():
        data, schema = write_files(folder, people, name)
        shoal.register(where, name, data, schema, policy=policies[name])
    changing: People = {f"s{i}": (i % 4, i // 4, "c") for i in range(16)}
    desk.add_dataset("changing", table_of(changing), Policy(**NAMED))


def _killed(where: str, folder: Path) -> Counter[str]:
    """Let processes work and kill them; return how often, at what, and what came of it."""
    drawn, counted, at = random.Random(0), Counter[str](), Counter[str]()
    ready = deque(_started(where, folder, turn) for turn in range(AHEAD))
    for turn in range(KILLS):
        pid, go = ready.popleft()
        os.write(go, b"!")
        _wait_for_work(folder, turn, pid)
        time.sleep(drawn.uniform(0, LONGEST))
        os.kill(pid, signal.SIGKILL)
        assert os.waitpid(pid, 0)[1] == signal.SIGKILL, "it was at work until then"
        os.close(go)
        if turn + AHEAD < KILLS:
            ready.append(_started(where, folder, turn + AHEAD))
        begun, is_within = _looked_at(where, folder, counted)
        at[begun] += 1
        counted["kills"] += 1
        counted["kills_that_left_the_first_part_of_a_request"] += is_within
    states = Counter(each["state"] for each in Desk(where).releases())
    counted["log_entries"] = Desk(where).audit().entries
    counted |= {f"at_{what.replace(' ', '_')}": n for what, n in at.items()}
    return counted | Counter({f"releases_{state}": n for state, n in states.items()})


def _started(where: str, folder: Path, turn: int) -> tuple[int, int]:
    """Start a process that waits for a byte before it goes to work; return it, and where to write the byte."""
    wait, go = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            with tempfile.TemporaryDirectory() as scratch:  # what is compiled only once is over before
                _furnish(f"{scratch}/desk.sqlite", Path(scratch))
                Work(f"{scratch}/desk.sqlite", Path(scratch), turn).warm_up()
            os.read(wait, 1)
            Work(where, folder, turn).go_on()
        except BaseException:  # noqa: BLE001 - a process that was forked never returns
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(wait)
    return pid, go


def _wait_for_work(folder: Path, turn: int, pid: int) -> None:
    while not any(each.get("turn") == turn for each in _notes(folder)):
        assert os.waitpid(pid, os.WNOHANG) == (0, 0), "it ended by itself"
        time.sleep(0.01)


def _note(notes: FileIO, **what: object) -> None:
    notes.write(f"{json.dumps(what)}\n".encode("ascii"))


def _notes(folder: Path) -> list[dict[str, Any]]:
    file = folder / "notes"
    lines = file.read_text(encoding="ascii").splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]  # the last one may be half there


def _looked_at(where: str, folder: Path, counted: Counter[str]) -> tuple[str, bool]:
    """Check all that is left; return what the process was at, and whether some of it holds and some does not."""
    desk, notes = Desk(where), _notes(folder)
    counted["done_by_their_own_account"] = sum("done" in each for each in notes)
    told = next(each for each in reversed(notes) if "number" in each)
    entries = {entry["number"]: entry for entry in desk.log(told["number"] - 1)}
    assert entries[told["number"]]["hash"] == told["hash"], "what was done is lost"
    since = tuple(
        entry["event"]
        for number, entry in sorted(entries.items())
        if number > told["number"] and entry["by"] != THE_DESK
    )
    begun = notes[-1].get("begun", "nothing")
    ways = list(_left_by(begun))
    assert since in ways, f"between what was before and what comes after: {begun}, {since}"
    releases = desk.releases()
    assert not [each for each in releases if each["state"] == "pending"]
    named = {each["folder"] for each in releases if each["state"] in ("done", "revoked", "expired")}
    assert {str(each) for each in folder.glob("out *")} == named
    audit = desk.audit(folders=True)
    assert audit.holds, audit.faults
    left = [each for each in releases if each["dataset"] in EXTRACTS and each["sha256"] is not None]
    views = {(each["dataset"], tuple(each["node"])) for each in left}
    assert keeps_each([(EXTRACTS[dataset], node, K, 1) for dataset, node in views])
    with (folder / "notes").open("ab", buffering=0) as more:
        _note(more, looked_at=begun, number=audit.entries, hash=audit.head)
    return begun, bool(since) and since not in [way[-1] for way in _whole(begun)]


def _left_by(what: str) -> Iterator[tuple[str, ...]]:
    """Return what may be in the log of something that was begun: its first transactions, whole."""
    yield ()
    for way in _whole(what):
        yield from way


def _whole(what: str) -> list[list[tuple[str, ...]]]:
    """Return for each way that something may go what is in the log after each of its transactions."""
    return [list(accumulate(way, lambda one, other: (*one, *other))) for way in TRANSACTIONS.get(what, ())]
