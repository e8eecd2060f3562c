"""Data that the desk keeps: nothing of them can be read or changed without the key, and a request needs no file."""

import os
import sqlite3
import sys
from pathlib import Path

import pytest
import sqlalchemy

import shoal
from desk_oracle import SQUARE, write_files
from rating_oracle import write_file as write_ratings
from shoal.desk import Desk, Policy, Purpose
from shoal.desk.keeping import sealing
from shoal.desk.keeping.keys import draw_key, read_key
from shoal.desk.store.tables import KEPT_BLOCKS
from shoal.errors import FileError, MissingExtraError, RequestRefused, WordingError
from shoal.jobs.kept_data import keep

LOUD = {f"Person-{i}": (one, two, f"Disease-{letter}") for i, (one, two, letter) in enumerate(SQUARE.values())}
KEY = bytes(range(32))


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 30])
def test_what_was_sealed_opens_as_it_was_and_not_if_anything_was_done_to_it(monkeypatch, size: int) -> None:
    monkeypatch.setattr(sealing, "BLOCK", 10)
    content = bytes(range(size))
    blocks = list(sealing.sealed(content, KEY, b"what"))
    assert sealing.opened(blocks, KEY, b"what") == content
    assert list(sealing.sealed(content, KEY, b"what")) != blocks
    altered = [[*blocks[:i], bytes([blocks[i][0] ^ 1]) + blocks[i][1:], *blocks[i + 1 :]] for i in range(len(blocks))]
    altered += [blocks[:-1], blocks[1:], [*blocks, blocks[-1]], [blocks[0][:-1], *blocks[1:]], [b""], []]
    altered += [[blocks[1], blocks[0], *blocks[2:]]] if len(blocks) > 1 else []
    for wrong in altered:
        with pytest.raises(FileError, match="changed or cut off"):
            sealing.opened(wrong, KEY, b"what")
    for key, about in ((bytes(32), b"what"), (KEY, b"else")):
        with pytest.raises(FileError):
            sealing.opened(blocks, key, about)


def opened(where: str, folder: Path) -> tuple[Path, Path]:
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1;two:0"))
    data, schema = write_files(folder, LOUD)
    shoal.register(where, "crowd", data, schema, policy=Policy(("k-anonymity:k=2",), identifier="name"))
    return data, schema


def ask(where: str, out: Path, **more: object):
    return shoal.request(where, "crowd", requester="ann", purpose="first", out=out, **more)  # type: ignore[arg-type]


def test_a_request_needs_no_file_from_the_owner(where: str, tmp_path: Path) -> None:
    data, schema = opened(where, tmp_path)
    with pytest.raises(RequestRefused, match="neither keeps"):
        ask(where, tmp_path / "no", key=KEY)
    assert keep(where, data, schema, key=KEY).to_json() == {"dataset": "crowd", "version": 1, "sealed": True}
    later, _ = write_files(tmp_path, {**LOUD, "new 1": (0, 0, "Disease-x"), "new 2": (0, 0, "Disease-y")}, "later")
    first = shoal.dry_run(where, "crowd", requester="ann", purpose="first", key=KEY)
    assert ask(where, tmp_path / "one", key=KEY).levels == first.levels
    shoal.register(where, "crowd", later, schema)
    keep(where, later, schema, key=KEY)
    for file in (data, later, schema, tmp_path / "numbers.csv"):
        file.unlink()
    assert ask(where, tmp_path / "two", key=KEY).version == 2, "the earlier version is at hand, too"
    for key, why in ((bytes(32), "another key"), (None, "sealed")):
        with pytest.raises((FileError, WordingError), match=why):
            ask(where, tmp_path / "three", key=key)
    assert Desk(where).audit(folders=True).holds


def test_data_that_were_meddled_with_are_refused_and_found_by_the_audit(where: str, tmp_path: Path) -> None:
    data, schema = opened(where, tmp_path)
    keep(where, data, schema, key=KEY)
    address = f"sqlite:///{where}" if "://" not in where else where.replace("postgresql:", "postgresql+psycopg:")
    with sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool).begin() as connection:
        block = bytes(connection.execute(sqlalchemy.select(KEPT_BLOCKS.c.block)).scalar_one())
        connection.execute(sqlalchemy.update(KEPT_BLOCKS).values(block=block[:-1] + bytes([block[-1] ^ 1])))
    with pytest.raises(FileError, match="changed or cut off") as caught:
        ask(where, tmp_path / "out", key=KEY)
    assert "Person" not in str(caught.value)
    assert Desk(where).audit().faults == ("The data that are kept of 'crowd', version 1, are gone or changed.",)
    with sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool).begin() as connection:
        connection.execute(sqlalchemy.delete(KEPT_BLOCKS))
    with pytest.raises(FileError):
        ask(where, tmp_path / "out", key=KEY)
    assert not Desk(where).audit().holds
    keep(where, data, schema, key=KEY)
    assert Desk(where).audit().holds
    assert ask(where, tmp_path / "out", key=KEY).number == 1


def test_neither_the_key_nor_a_value_is_in_the_books(tmp_path: Path) -> None:
    where = str(tmp_path / "desk.sqlite")
    keep(where, *opened(where, tmp_path), key=KEY)
    content = Path(where).read_bytes()
    for secret in (b"Person-", b"Disease-", b"pair ", KEY, KEY.hex().encode()):
        assert secret not in content
    with sqlite3.connect(where) as connection:
        assert connection.execute("SELECT count(*) FROM kept_blocks").fetchone() == (1,)
    connection.close()


def test_data_may_stay_outside_and_must_be_those_that_were_registered(where: str, tmp_path: Path) -> None:
    data, schema = opened(where, tmp_path)
    assert not keep(where, data, schema).sealed
    assert ask(where, tmp_path / "one").number == 1
    data.write_text(data.read_text().replace("Person-1,", "Person-x,"))
    with pytest.raises(RequestRefused, match="fingerprint"):
        ask(where, tmp_path / "two")
    with pytest.raises(WordingError, match="not registered"):
        keep(where, data, schema, key=KEY)
    assert Desk(where).audit().holds


def test_a_crash_while_data_are_kept_leaves_all_or_nothing(where: str, tmp_path: Path, monkeypatch) -> None:
    data, schema = opened(where, tmp_path)
    keep(where, data, schema, key=KEY)
    kept = import_kept()

    class Killed(BaseException):
        pass

    def dying(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(kept, "keep", dying)  # the blocks are written, and nothing is said of them
        with pytest.raises(Killed):
            keep(where, data, schema, key=bytes(32))
    assert Desk(where).audit().holds
    assert ask(where, tmp_path / "out", key=KEY).number == 1


def import_kept():
    from shoal.desk.keeping import kept

    return kept


def test_a_key_is_in_a_private_file_or_printed_by_a_command(tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "key"
    draw_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    key = read_key(file)
    assert len(key) == 32
    assert read_key(command=f"cat {file}") == key
    with pytest.raises(FileError, match="exists already"):
        draw_key(file)
    os.chmod(file, 0o640)
    with pytest.raises(FileError, match="Others"):
        read_key(file)
    (tmp_path / "short").write_text("ab" * 31)
    (tmp_path / "short").chmod(0o600)
    for wrong in (
        {"file": tmp_path / "short"},
        {"file": tmp_path / "none"},
        {"command": "false"},
        {"command": "echo x"},
    ):
        with pytest.raises(FileError) as caught:
            read_key(**wrong)  # type: ignore[arg-type]
        assert "abab" not in str(caught.value)
    with pytest.raises(WordingError):
        read_key()
    with pytest.raises(WordingError):
        read_key(file, "x")
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    with pytest.raises(MissingExtraError):
        sealing.key_id(KEY)


def test_ratings_are_kept_as_tables_are_and_need_no_schema_outside(where: str, tmp_path: Path) -> None:
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose())
    people = {f"Person-{i}": {"figs": 1 + i % 2 * 4} for i in range(8)}
    first, later = tmp_path / "first.csv", tmp_path / "later.csv"
    write_ratings(first, people)
    write_ratings(later, people | {f"New-{i}": {"figs": 5} for i in range(4)})
    shoal.register(where, "films", first, policy=Policy(("k-anonymity:k=4",)))
    keep(where, first, key=KEY)
    asked = {"requester": "ann", "purpose": "first", "key": KEY}
    said = shoal.dry_run(where, "films", **asked)  # type: ignore[arg-type]
    made = shoal.request(where, "films", out=tmp_path / "one", **asked)  # type: ignore[arg-type]
    assert (said.groups, made.groups, made.ratings) == (2, 2, 2)
    assert shoal.register(where, "films", later).version == 2
    first.unlink()
    assert not keep(where, later).sealed, "a path is enough, and ratings are recognized"
    assert shoal.request(where, "films", out=tmp_path / "two", **asked).version == 2  # type: ignore[arg-type]
    later.unlink()
    with pytest.raises(FileError):
        shoal.request(where, "films", out=tmp_path / "three", **asked)  # type: ignore[arg-type]
    assert Desk(where).audit(folders=True).holds
    if "://" not in where:
        assert not any(b"Person-" in file.read_bytes() for file in tmp_path.glob("desk.sqlite*"))


def test_sets_with_a_hierarchy_of_items_are_kept_with_it(tmp_path: Path) -> None:
    where = tmp_path / "desk.sqlite"
    Desk.create(where).add_purpose("first", Purpose())
    lines = ["user,item", *(f"p{i},{item}" for i in range(8) for item in (("figs", "dates"), ("figs",))[i % 2])]
    data, schema = tmp_path / "baskets.csv", tmp_path / "baskets.toml"
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "items.csv").write_text("figs;fruit;*\ndates;fruit;*\n", encoding="utf-8")
    schema.write_text('kind = "sets"\nhierarchy = "items.csv"\n', encoding="utf-8")
    Desk(where).set_requester("ann", 1)
    shoal.register(where, "baskets", data, schema, policy=Policy(("k-anonymity:k=2",)))
    keep(where, data, schema, key=KEY)
    for file in (data, schema, tmp_path / "items.csv"):
        file.unlink()
    made = shoal.request(where, "baskets", requester="ann", purpose="first", out=tmp_path / "given", key=KEY)
    assert (made.groups, shoal.verify(tmp_path / "given").holds) == (2, True)
