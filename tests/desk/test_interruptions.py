"""Whatever happens between deciding and writing, nothing is lost and nothing is repeated; and of two, one is first."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import shoal
from desk_oracle import SQUARE, keeps, table_of, write_files
from shoal import road
from shoal.data import Microdata
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.people.joint_views import JointViews
from shoal.errors import FileError, InternalError, RequestRefused
from shoal.io.folders import staging
from shoal.jobs import make_release
from shoal.jobs.desk import RequestResult

PROMISES = ("k-anonymity:k=2", "l-diversity:l=2,kind=distinct")


class Killed(BaseException):
    """The process is gone: nothing that follows is done."""


@pytest.fixture
def desk(where: str, tmp_path: Path) -> Desk:
    """Return a desk that checks what views tell together, and write the data it knows."""
    data, schema = write_files(tmp_path, SQUARE)
    desk = Desk.create(where)
    for name in ("ann", "bob"):
        desk.set_requester(name, 1)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    desk.add_purpose("second", Purpose("one:0;two:1"))
    shoal.register(where, "crowd", data, schema, policy=Policy(PROMISES, views="checked"))
    return desk


def ask(where: str, folder: Path, requester: str, purpose: str) -> RequestResult:
    """Ask as the command does."""
    return shoal.request(
        where,
        "crowd",
        folder / "people.csv",
        folder / "people.toml",
        requester=requester,
        purpose=purpose,
        out=folder / requester,
    )


def dying(action: Callable[..., object], *, first: bool, only: str = "") -> Callable[..., object]:
    """Return an action in which the process dies, before or after it is done."""

    def die(*arguments: object, **settings: object) -> object:
        if only and only not in arguments:
            return action(*arguments, **settings)
        if not first:
            action(*arguments, **settings)
        raise Killed

    return die


STEPS = [
    (Desk, "reserve", "", False, "abandoned", (1, 0)),
    (road, "publish", "", True, "abandoned", (1, 0)),
    (make_release, "write_release", "", False, "abandoned", (1, 0)),
    (make_release, "proof_read", "", False, "abandoned", (1, 0)),
    (Desk, "settle", "written", True, "abandoned", (1, 0)),
    (Desk, "settle", "written", False, "abandoned", (2, 1)),  # it may have left: the desk cannot know
    (staging, "_rename", "", False, "abandoned", (2, 1)),  # it loses its name again
    (Desk, "settle", "done", True, "done", (2, 1)),
    (Desk, "settle", "done", False, "done", (2, 1)),
]


@pytest.mark.parametrize(("owner", "name", "only", "first", "state", "other"), STEPS)
def test_after_a_crash_the_next_command_settles_what_was_left(
    desk, where, tmp_path, monkeypatch, owner, name, only, first, state, other
):
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, dying(getattr(owner, name), first=first, only=only))
        with pytest.raises(Killed):
            ask(where, tmp_path, "ann", "first")
    again = Desk(where)
    (left,) = again.releases()
    assert left["state"] == state
    assert (tmp_path / "ann").is_dir() == (state == "done")
    assert again.audit(folders=True).holds
    entries = again.audit().entries
    assert Desk(where).audit().entries == entries, "what is settled stays as it is"
    assert tuple(ask(where, tmp_path, "bob", "second").levels.values()) == other
    assert [each["number"] for each in Desk(where).releases()] == [1, 2]
    assert Desk(where).audit(folders=True).holds


def test_a_process_that_is_killed_leaves_a_desk_that_goes_on(desk, where, tmp_path):
    """Not only as good as killed: by the system, with its folder named and nothing said of it."""
    script = (
        "import os, signal, sys, shoal; from shoal.io.folders import staging; from pathlib import Path\n"
        "move = staging._rename\n"
        "def killed(*a, **b): move(*a, **b); os.kill(os.getpid(), signal.SIGKILL)\n"
        "staging._rename = killed; f = Path(sys.argv[2])\n"
        "shoal.request(sys.argv[1], 'crowd', f / 'people.csv', f / 'people.toml', requester='ann', purpose='first', "
        "out=f / 'ann')"
    )
    ran = subprocess.run([sys.executable, "-c", script, where, str(tmp_path)], env={**os.environ}, check=False)
    assert ran.returncode == -signal.SIGKILL
    (left,) = Desk(where).releases()
    assert left["state"] == "done"
    assert Desk(where).audit(folders=True).holds
    assert not list(tmp_path.glob("desk.sqlite-*"))


def test_a_view_that_is_being_made_is_left_alone(desk, where, tmp_path):
    people = shoal.read(tmp_path / "people.csv", tmp_path / "people.toml").records
    assert isinstance(people, Microdata)
    with desk.held() as token:
        desk.reserve(token, Request("crowd", "ann", "first", people, "nowhere"))
        (left,) = Desk(where).releases()
        assert left["state"] == "pending"
    (left,) = Desk(where).releases()
    assert left["state"] == "abandoned"


def test_a_view_that_is_being_made_is_left_alone_under_another_name_of_the_store(tmp_path):
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1"))
    people = table_of(SQUARE)
    desk.add_dataset("crowd", people, Policy(PROMISES))
    (tmp_path / "link").symlink_to(tmp_path / "desk.sqlite")
    with desk.held() as token:
        desk.reserve(token, Request("crowd", "ann", "first", people, "nowhere"))
        (left,) = Desk(tmp_path / "link").releases()
    assert left["state"] == "pending"


def test_a_view_that_the_desk_gave_up_is_not_given_after_all(desk, where, tmp_path):
    people = shoal.read(tmp_path / "people.csv", tmp_path / "people.toml").records
    assert isinstance(people, Microdata)
    with desk.held() as token:
        reservation = desk.reserve(token, Request("crowd", "ann", "first", people, "nowhere"))
    assert Desk(where).releases()[0]["state"] == "abandoned"
    with pytest.raises(InternalError):
        desk.settle(reservation, "written", sha256="0" * 64)


def test_of_two_requests_at_once_the_second_sees_what_the_first_was_given(desk, where, tmp_path, monkeypatch):
    keep = JointViews.keep

    def slowly(self, nodes):
        time.sleep(0.05)
        return keep(self, nodes)

    monkeypatch.setattr(JointViews, "keep", slowly)
    given, start = {}, threading.Barrier(2)

    def asking(requester: str, purpose: str) -> None:
        start.wait()
        given[requester] = tuple(ask(where, tmp_path, requester, purpose).levels.values())

    threads = [threading.Thread(target=asking, args=who) for who in (("ann", "first"), ("bob", "second"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(given) == 2
    assert keeps([(SQUARE, node) for node in given.values()], 2, 2)
    assert Desk(where).audit(folders=True).holds


def test_what_cannot_be_written_or_is_refused_on_the_road_does_not_count(desk, where, tmp_path, monkeypatch):
    (tmp_path / "ann").mkdir()
    with pytest.raises(FileError):
        ask(where, tmp_path, "ann", "first")
    (tmp_path / "ann").rmdir()
    assert Desk(where).releases() == [], "nothing was decided"

    def refused(*_: object, **__: object) -> None:
        raise RequestRefused("for some reason")

    with monkeypatch.context() as patched:
        patched.setattr(road, "publish", refused)
        with pytest.raises(RequestRefused):
            ask(where, tmp_path, "ann", "first")
    assert [each["state"] for each in Desk(where).releases()] == ["refused"]
    assert tuple(ask(where, tmp_path, "bob", "second").levels.values()) == (1, 0)


def test_that_a_disk_is_full_is_told_although_the_desk_cannot_write_it_down(desk, where, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    def full_too(*_: object, **__: object) -> None:
        raise FileError("The store of the desk cannot be used.")

    with monkeypatch.context() as patched:
        patched.setattr(make_release, "write_release", full)
        patched.setattr(Desk, "settle", full_too)
        with pytest.raises(FileError, match="ann cannot be written"):
            ask(where, tmp_path, "ann", "first")
    assert [each["state"] for each in Desk(where).releases()] == ["abandoned"]
    assert tuple(ask(where, tmp_path, "bob", "second").levels.values()) == (1, 0)


def test_a_folder_that_nothing_can_be_written_into_is_told(tmp_path, monkeypatch):
    desk = Desk.create(tmp_path / "desk.sqlite")
    monkeypatch.setattr(os, "O_CREAT", 0)  # the one who runs tests may write everywhere
    with pytest.raises(FileError, match="beside"), desk.held():
        pass


@pytest.mark.parametrize("readers", ["owner", "group"])
def test_the_audit_finds_what_was_put_into_a_release_folder_and_whom_it_was_opened_to(tmp_path, readers):
    data, schema = write_files(tmp_path, SQUARE)
    desk, out = Desk.create(tmp_path / "desk.sqlite"), tmp_path / "out"
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    store = tmp_path / "desk.sqlite"
    shoal.register(store, "crowd", data, schema, policy=Policy(PROMISES))
    shoal.request(store, "crowd", data, schema, requester="ann", purpose="first", out=out, readable_by=readers)
    assert desk.audit(folders=True).holds
    (out / "note.txt").write_text("x")
    assert desk.audit(folders=True).faults == ("Release 1: its folder holds 1 file or folder that is not part of it.",)
    (out / "note.txt").unlink()
    for opened in (out, out / "data.csv"):
        before = opened.stat().st_mode
        opened.chmod(0o755)
        assert desk.audit(folders=True).faults == (
            f"Release 1: more people may open its folder than were to ({readers}).",
        )
        opened.chmod(before)
    assert desk.audit(folders=True).holds


def test_a_folder_that_somebody_made_meanwhile_is_told(tmp_path):
    def taken() -> None:
        with staging.staged(tmp_path / "out", files=(), force=None):
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "theirs").touch()

    with pytest.raises(FileError, match="out exists already"):
        taken()
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
