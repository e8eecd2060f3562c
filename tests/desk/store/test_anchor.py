"""With its head written outside, a log shows that the whole store was put back or written anew."""

import shutil
import sys
from pathlib import Path

import pytest

from desk_oracle import SQUARE, table_of
from shoal.desk import Desk, Policy
from shoal.desk.store import Store
from shoal.desk.store.anchor import Anchor
from shoal.desk.store.log import note
from shoal.errors import FileError, WordingError


@pytest.fixture
def anchored(where: str, tmp_path: Path) -> Desk:
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    desk.set_anchor(file=tmp_path / "anchor")
    desk.set_requester("bob", 1)
    assert desk.audit().holds
    return desk


def test_every_change_is_anchored_before_and_after(anchored: Desk, tmp_path: Path) -> None:
    anchored.add_dataset("crowd", table_of(SQUARE), Policy(("k-anonymity:k=2",)))
    lines = [line.split() for line in (tmp_path / "anchor").read_text().splitlines()]
    assert [line[0] for line in lines] == ["before", "after"] * 3
    assert (tmp_path / "anchor").stat().st_mode & 0o077 == 0
    assert lines[-1][4] == anchored.audit().head
    before = (tmp_path / "anchor").read_bytes()
    anchored.releases()
    assert (tmp_path / "anchor").read_bytes() == before, "nothing was changed"


def test_a_store_that_was_put_back_or_written_anew_is_found(tmp_path: Path) -> None:
    store, anchor = tmp_path / "desk.sqlite", tmp_path / "anchor"
    desk = Desk.create(store)
    desk.set_anchor(file=anchor)
    shutil.copy(store, tmp_path / "old.sqlite")
    desk.set_requester("ann", 1)
    shutil.copy(tmp_path / "old.sqlite", store)
    put_back = Desk(store).audit()
    assert [fault for fault in put_back.faults if "put back or written anew" in fault]
    desk.set_requester("eve", 1)
    assert not desk.audit().holds, "and going on does not mend it"
    store.unlink()
    Desk.create(store).set_requester("ann", 1)
    assert Desk(store).audit().holds, "a new store names no anchor"
    assert not Desk(store).audit(anchor=anchor).holds
    assert Desk(store).audit(anchor=tmp_path / "gone").faults == (f"The anchor {tmp_path / 'gone'} cannot be read.",)


def test_a_change_that_cannot_be_anchored_is_not_made(anchored: Desk, where: str, tmp_path: Path) -> None:
    (tmp_path / "anchor").rename(tmp_path / "moved")
    for change in (
        lambda: anchored.set_requester("cid", 1),
        lambda: anchored.set_anchor(),
        lambda: anchored.close_requester("ann"),
    ):
        with pytest.raises(FileError, match="Nothing was changed"):
            change()
    assert not (tmp_path / "anchor").exists(), "one that has gone does not begin anew"
    (tmp_path / "moved").rename(tmp_path / "anchor")
    assert Desk(where).audit().holds
    assert [each["requester"] for each in anchored.book("requesters")] == ["ann", "bob"]


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("first", [True, False])
def test_whenever_the_process_dies_the_anchor_fits(
    anchored: Desk, where: str, monkeypatch: pytest.MonkeyPatch, when: str, first: bool
) -> None:
    write = Anchor.write

    def dying(self: Anchor, moment, *heads) -> None:
        if moment != when or not first:
            write(self, moment, *heads)
        if moment == when:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Anchor, "write", dying)
        with pytest.raises(Killed):
            anchored.set_requester("cid", 1)
    again = Desk(where)
    assert again.audit().holds
    assert len(again.book("requesters")) == (2 if when == "before" else 3)
    again.set_requester("dot", 1)
    again.set_requester("eve", 1)
    assert again.audit().holds


def test_what_was_announced_is_not_taken_for_what_was_kept(anchored: Desk, where: str, tmp_path: Path) -> None:
    """Somebody puts back the store after a change that was confirmed, and makes another one in its place."""
    lines = (tmp_path / "anchor").read_text().splitlines(keepends=True)
    other = lines[-1].split()
    other[0], other[4] = "before", "f" * 64
    (tmp_path / "anchor").write_text("".join([*lines, " ".join(other) + "\n"]))
    assert not anchored.audit().holds
    (tmp_path / "anchor").write_text("".join(lines[:2]))
    assert anchored.audit().faults == ("The log ends with an entry that the anchor does not have.",)
    (tmp_path / "anchor").write_text("".join(lines[2:]))
    assert anchored.audit().holds, "it may have begun later"
    (tmp_path / "anchor").write_text("".join([*lines, "after 1\n"]))
    assert anchored.audit().faults == ("Line 5 of the anchor cannot be read.",)


def test_a_command_gets_each_line(where: str, tmp_path: Path) -> None:
    desk, sent = Desk.create(where), tmp_path / "sent"
    script = f"import sys; open({str(sent)!r}, 'a').write(sys.stdin.read())"
    desk.set_anchor(command=f'{sys.executable} -c "{script}"')
    with Store(where).transaction() as connection:
        note(connection, "tried", {})
    assert len(sent.read_text().splitlines()) == 4
    assert desk.audit(anchor=sent).holds
    desk.set_anchor(file=tmp_path / "file")
    assert len(sent.read_text().splitlines()) == 6, "the last one it hears of"
    assert Desk(where).audit().holds
    with pytest.raises(FileError, match="Nothing was changed"):
        desk.set_anchor(command="false")
    desk.set_requester("ann", 1)
    assert Desk(where).audit().holds


def test_a_wrong_anchor_is_refused(tmp_path: Path) -> None:
    desk = Desk.create(tmp_path / "desk.sqlite")
    with pytest.raises(WordingError):
        desk.set_anchor(file="x", command="y")
    with pytest.raises(WordingError):
        desk.set_anchor(command=" ")
    with pytest.raises(FileError):
        desk.set_anchor(file=tmp_path / "no folder" / "anchor")
    assert desk.audit().entries == 1
