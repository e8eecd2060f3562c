"""The books of the desk are private, hold no value of a record, and show it when somebody has been at them."""

import hashlib
import json
import os
import secrets
import sqlite3
import stat
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.exc import DatabaseError

from desk_oracle import SQUARE, table_of
from shoal.desk import Desk, Policy, Purpose, Request
from shoal.desk.store import Store, store
from shoal.desk.store.tables import METADATA
from shoal.errors import FileError, MissingExtraError, RequestRefused, WordingError

LOUD = {f"Person-{i}": (one, two, f"Disease-{letter}") for i, (one, two, letter) in enumerate(SQUARE.values())}


@pytest.fixture
def desk(where: str) -> Desk:
    """Return a desk at which something was given, something was refused, and something was revoked."""
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1"))
    desk.add_dataset("crowd", table_of(LOUD), Policy(("k-anonymity:k=2",)))
    request = Request("crowd", "ann", "first", table_of(LOUD), "nowhere")
    with desk.held() as token:
        reservation = desk.reserve(token, request)
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    desk.revoke(1)
    desk.set_requester("ann", 0.5)
    with pytest.raises(RequestRefused), desk.held() as token:
        desk.reserve(token, Request("crowd", "ann", "first", table_of(SQUARE), "nowhere"))
    assert desk.audit().holds
    return desk


def test_an_entry_cannot_be_put_in_place_of_another(tmp_path):
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.set_requester("ann", 1)
    with pytest.raises(DatabaseError, match="append-only"):
        meddle(str(tmp_path / "desk.sqlite"), "INSERT OR REPLACE INTO log SELECT * FROM log")


def meddle(where: str, *statements: str) -> None:
    """Change what is kept behind the desk's back."""
    file = "://" not in where
    address = f"sqlite:///{where}" if file else where.replace("postgresql:", "postgresql+psycopg:")
    with sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool).begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.mark.parametrize("statement", ["UPDATE log SET event = 'x' WHERE number = 2", "DELETE FROM log"])
def test_the_log_refuses_to_be_changed(desk, where, statement):
    with pytest.raises(DatabaseError, match="append-only"):
        meddle(where, statement)
    assert desk.audit().holds


MEDDLED = {
    "changed": ["UPDATE log SET told = replace(told, 'ann', 'bob') WHERE event = 'decided'"],
    "removed": ["DELETE FROM log WHERE number = 3"],
    "the first removed": ["DELETE FROM log WHERE number = 1"],
    "the last removed": ["DELETE FROM log WHERE number = (SELECT max(number) FROM log)"],
    "reordered": [
        "UPDATE log SET number = -3 WHERE number = 3",
        "UPDATE log SET number = 3 WHERE number = 4",
        "UPDATE log SET number = 4 WHERE number = -3",
    ],
    "all gone": ["DELETE FROM log"],
    "a state changed": ["UPDATE releases SET state = 'abandoned'"],
    "a release gone": ["DELETE FROM releases"],
    "trust changed": ["UPDATE requesters SET trust = '1'"],
    "a policy changed": ["UPDATE datasets SET policy = replace(policy, 'k=2', 'k=1')"],
    "given up in secret": ["UPDATE releases SET state = 'pending', sha256 = NULL"],  # the desk settles it when opened
    "marks of nobody": ["INSERT INTO mark_lists SELECT 'x', marks FROM mark_lists LIMIT 1"],
    "given to somebody else": ["UPDATE releases SET state = 'pending', requester = 'bob'"],
}


@pytest.mark.parametrize("what", MEDDLED)
def test_the_audit_finds_what_was_meddled_with(desk, where, what):
    meddle(where, *unlocked(where), *MEDDLED[what])
    result = Desk(where).audit()
    assert [fault for fault in result.faults if "was taken away" not in fault]
    assert result.to_json()["faults"] == list(result.faults)


def unlocked(where: str) -> list[str]:
    """Return what takes away the triggers of the log."""
    if "://" in where:
        return ["DROP TRIGGER log_keeps ON log"]
    return ["DROP TRIGGER log_keeps_UPDATE", "DROP TRIGGER log_keeps_DELETE"]


def test_the_audit_misses_what_keeps_the_log_as_it_is(desk, where):
    meddle(where, *unlocked(where))
    (fault,) = desk.audit().faults
    assert "was taken away" in fault


def made_anew(fires: str, arguments: str = "") -> list[str]:
    """Return what puts another trigger in place of the one that keeps the log."""
    return [
        "DROP TRIGGER log_keeps ON log",
        f"CREATE TRIGGER log_keeps BEFORE {fires} EXECUTE FUNCTION log_keeps({arguments})",
        "ALTER TABLE log ENABLE ALWAYS TRIGGER log_keeps",
    ]


LOOSENED = {
    "fires only for replicas": ["ALTER TABLE log ENABLE REPLICA TRIGGER log_keeps"],
    "passed over by replicas": ["ALTER TABLE log ENABLE TRIGGER log_keeps"],
    "disabled": ["ALTER TABLE log DISABLE TRIGGER log_keeps"],
    "all disabled": ["ALTER TABLE log DISABLE TRIGGER USER"],
    "function does nothing": [
        "CREATE OR REPLACE FUNCTION log_keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$"
    ],
    "function has settings": ["ALTER FUNCTION log_keeps() SET search_path = pg_temp"],
    "function belongs to somebody else": ["CREATE ROLE {role}", "ALTER FUNCTION log_keeps() OWNER TO {role}"],
    "tables belong to somebody else": [
        "CREATE ROLE {role}",
        *(f"ALTER TABLE {name} OWNER TO {{role}}" for name in METADATA.tables),
        "ALTER FUNCTION log_keeps() OWNER TO {role}",
    ],
    "another event": [
        "DROP TRIGGER log_keeps ON log",
        "CREATE TRIGGER log_keeps BEFORE TRUNCATE ON log FOR EACH STATEMENT EXECUTE FUNCTION log_keeps()",
        "ALTER TABLE log ENABLE ALWAYS TRIGGER log_keeps",
    ],
    "another function": [
        "CREATE FUNCTION idle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "DROP TRIGGER log_keeps ON log",
        "CREATE TRIGGER log_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON log "
        "FOR EACH STATEMENT EXECUTE FUNCTION idle()",
        "ALTER TABLE log ENABLE ALWAYS TRIGGER log_keeps",
    ],
    "only one column": made_anew("UPDATE OF at OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT"),
    "never": made_anew("UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT WHEN (false)"),
    "with an argument": made_anew("UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT", "'x'"),
    "not looked for": [
        "SET allow_system_table_mods = on",
        "UPDATE pg_class SET relhastriggers = false WHERE oid = 'log'::regclass",
    ],
    "counts by itself": ["ALTER TABLE log ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY"],
    "other letters are alike": ['ALTER TABLE requesters ALTER COLUMN name TYPE text COLLATE "C"'],
    "key that is none": [
        "SET allow_system_table_mods = on",
        "UPDATE pg_index SET indisunique = false WHERE indexrelid = 'releases_pkey'::regclass",
    ],
    "read by somebody": ["CREATE ROLE {role}", "GRANT SELECT ON secret TO {role}"],
    "read by everybody": ["GRANT SELECT ON mark_lists TO PUBLIC"],
    "one column read by somebody": ["CREATE ROLE {role}", "GRANT SELECT (secret) ON secret TO {role}"],
    "read by somebody from now on": [
        "CREATE ROLE {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT ON TABLES TO {role}",
    ],
    "shown by a view": ["CREATE VIEW shown AS SELECT secret FROM secret"],
    "another trigger": [
        "CREATE FUNCTION idle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "CREATE TRIGGER swallow BEFORE INSERT ON releases FOR EACH ROW EXECUTE FUNCTION idle()",
    ],
    "key dropped": ["ALTER TABLE log DROP CONSTRAINT log_pkey"],
    "unique dropped": ["ALTER TABLE versions DROP CONSTRAINT versions_fingerprint_key"],
    "unique put off": [
        "ALTER TABLE releases DROP CONSTRAINT releases_token_key",
        "ALTER TABLE releases ADD CONSTRAINT releases_token_key UNIQUE (token) DEFERRABLE INITIALLY DEFERRED",
    ],
    "may be null": ["ALTER TABLE log ALTER COLUMN told DROP NOT NULL"],
    "has a default": ["ALTER TABLE releases ALTER COLUMN state SET DEFAULT 'abandoned'"],
    "column added": ["ALTER TABLE releases ADD COLUMN note text"],
    "index dropped": ["DROP INDEX given"],
    "rule": ["CREATE RULE swallow AS ON INSERT TO log DO INSTEAD NOTHING"],
    "rows hidden": ["ALTER TABLE releases ENABLE ROW LEVEL SECURITY"],
    "not kept after a crash": ["ALTER TABLE log SET UNLOGGED"],
    "sessions pass over triggers": ["ALTER DATABASE {database} SET session_replication_role = replica"],
}


@pytest.mark.parametrize("what", LOOSENED)
def test_the_audit_finds_what_was_loosened_in_postgresql(postgres, what):
    desk = Desk.create(postgres)
    desk.set_requester("ann", 1)
    assert desk.audit().holds
    names = {"database": sqlalchemy.make_url(postgres).database, "role": f"role_{secrets.token_hex(6)}"}
    names["schema"] = str(sqlalchemy.make_url(postgres).query["options"]).removeprefix("-csearch_path=")
    meddle(postgres, *(each.format(**names) for each in LOOSENED[what]))
    try:
        assert not Desk(postgres).audit().holds
    finally:
        undone = ["ALTER DATABASE {database} RESET session_replication_role"]
        if "{role}" in "".join(LOOSENED[what]):
            undone += ["REASSIGN OWNED BY {role} TO CURRENT_USER", "DROP OWNED BY {role}", "DROP ROLE {role}"]
        meddle(postgres, *(each.format(**names) for each in undone))


def test_a_session_that_replays_a_replica_is_refused_as_well(postgres):
    desk = Desk.create(postgres)
    desk.set_requester("ann", 1)
    with pytest.raises(DatabaseError, match="append-only"):
        meddle(postgres, "SET session_replication_role = replica", "DELETE FROM log")


ALTERED = {
    "a trigger that does nothing": [
        "DROP TRIGGER log_keeps_DELETE",
        "CREATE TRIGGER log_keeps_DELETE BEFORE DELETE ON log BEGIN SELECT 1; END",
    ],
    "a trigger at times": [
        "DROP TRIGGER log_keeps_UPDATE",
        "CREATE TRIGGER log_keeps_UPDATE BEFORE UPDATE ON log WHEN NEW.number > 5 "
        "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    ],
    "another trigger": ["CREATE TRIGGER swallow AFTER INSERT ON releases BEGIN DELETE FROM releases; END"],
    "a key that gives way": [
        "ALTER TABLE requesters RENAME TO old",
        "CREATE TABLE requesters (name TEXT NOT NULL, trust TEXT NOT NULL, expires TEXT, purposes TEXT, closed TEXT, "
        "PRIMARY KEY (name) ON CONFLICT IGNORE)",
        "INSERT INTO requesters SELECT * FROM old",
        "DROP TABLE old",
    ],
    "a column more": ["ALTER TABLE releases ADD COLUMN note TEXT"],
    "an index less": ["DROP INDEX given"],
}


@pytest.mark.parametrize("what", ALTERED)
def test_the_audit_finds_what_was_altered_in_sqlite(tmp_path, what):
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.set_requester("ann", 1)
    assert desk.audit().holds
    meddle(str(tmp_path / "desk.sqlite"), *ALTERED[what])
    assert desk.audit().faults


def test_the_audit_finds_another_secret(where):
    desk = Desk.create(where)
    meddle(where, f"UPDATE secret SET secret = '{'0' * 64}'")
    (fault,) = desk.audit().faults
    assert "secret of the desk" in fault


def test_two_ends_of_the_log_are_a_fault_and_stop_the_desk(where):
    desk = Desk.create(where)
    desk.set_requester("ann", 1)
    meddle(where, "INSERT INTO head SELECT 2, number, hash FROM head")
    assert desk.audit().faults == ("The desk writes down one end of its log, and 2 are there.",)
    with pytest.raises(FileError, match="several ends"):
        desk.set_requester("bob", 1)


@pytest.mark.parametrize("trust", ["0.5", None, True, b"1", float("nan"), 2])
def test_trust_that_is_no_number_is_refused(tmp_path, trust):
    desk = Desk.create(tmp_path / "desk.sqlite")
    with pytest.raises(WordingError, match="Trust is a number"):
        desk.set_requester("ann", trust)


def test_that_the_disk_of_the_store_is_full_is_told(tmp_path, monkeypatch):
    def begin_without_room(connection: sqlalchemy.Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # no more than there are
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def add_many(desk: Desk) -> None:
        for number in range(100):
            desk.set_requester(f"somebody {number}", 1)

    desk = Desk.create(tmp_path / "desk.sqlite")
    monkeypatch.setattr(store, "_begin_at_once", begin_without_room)
    with pytest.raises(FileError, match="the disk is full"):
        add_many(Desk(tmp_path / "desk.sqlite"))
    monkeypatch.undo()
    assert desk.audit().holds


@pytest.mark.parametrize("column", ["at", "event", "told", "previous", "hash"])
def test_bytes_in_the_log_are_found(tmp_path, column):
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.set_requester("ann", 1)
    meddle(str(tmp_path / "desk.sqlite"), "DROP TRIGGER log_keeps_UPDATE", f"UPDATE log SET {column} = x'ff'")
    assert "Entry 1 of the log was changed." in desk.audit().faults


def test_what_was_meddled_with_is_not_made_good_by_the_next_change(desk, where):
    meddle(where, "UPDATE datasets SET policy = replace(policy, 'k=2', 'k=3')")
    desk.change_policy("crowd", coalitions=())
    (fault,) = desk.audit().faults
    assert "cannot have become" in fault


def test_an_entry_that_was_changed_and_hashed_anew_does_not_fit_the_next(tmp_path):
    where = tmp_path / "desk.sqlite"
    desk = Desk.create(where)
    for trust in (1, 0.5, 0.25):
        desk.set_requester("ann", trust)
    with sqlite3.connect(where) as connection:
        connection.execute("DROP TRIGGER log_keeps_UPDATE")
        connection.execute("UPDATE log SET told = replace(told, 'ann', 'bob') WHERE number = 2")
        columns = ("number", "at", "event", "told", "previous")
        entry = connection.execute(f"SELECT {', '.join(columns)} FROM log WHERE number = 2").fetchone()
        text = json.dumps(dict(zip(columns, entry, strict=True)), sort_keys=True, separators=(",", ":"))
        connection.execute("UPDATE log SET hash = ? WHERE number = 2", [hashlib.sha256(text.encode()).hexdigest()])
    connection.close()
    assert "Entry 3 of the log does not follow the one before it." in desk.audit().faults
    assert not [fault for fault in desk.audit().faults if "was changed" in fault]


def test_the_audit_knows_a_hash_that_was_noted_and_misses_folders(desk):
    noted = desk.audit().head
    desk.set_requester("bob", 1)
    assert desk.audit(noted=noted).holds
    assert not desk.audit(noted="f" * 64).holds
    with desk.held() as token:
        reservation = desk.reserve(token, Request("crowd", "ann", "first", table_of(LOUD), "nowhere"))
    desk.settle(reservation, "done", state="done", sha256="0" * 64)
    assert desk.audit().holds
    assert [fault for fault in desk.audit(folders=True).faults if "Release 2" in fault]


def test_store_files_are_private_whatever_the_mask(tmp_path):
    mask, modes = os.umask(0), dict[str, int]()
    try:
        desk, where = Desk.create(tmp_path / "desk.sqlite"), tmp_path / "desk.sqlite"
        with desk.held(), suppress(InterruptedError), Store(where).transaction() as connection:
            connection.exec_driver_sql("INSERT INTO requesters (name, trust) VALUES ('x', '1')")
            files = list(tmp_path.iterdir())
            modes |= {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
            raise InterruptedError  # nothing of it is to hold
    finally:
        os.umask(mask)
    assert len(modes) == 3, "the books, their journal and a mark of what is being made"
    assert set(modes.values()) == {0o600}
    where.chmod(0o644)
    with pytest.raises(FileError, match="Others"):
        Desk(where)


def test_no_value_of_a_record_is_kept(tmp_path):
    desk = Desk.create(tmp_path / "desk.sqlite")
    desk.set_requester("ann", 1)
    desk.add_purpose("first", Purpose("one:1"))
    desk.add_dataset("crowd", table_of(LOUD), Policy(("k-anonymity:k=2",), identifier="name"))
    with desk.held() as token:
        desk.reserve(token, Request("crowd", "ann", "first", table_of(LOUD), "nowhere"))
    with sqlite3.connect(tmp_path / "desk.sqlite") as connection:
        text = "\n".join(connection.iterdump())
    connection.close()
    assert "crowd" in text
    assert not [value for value in ("Person-", "Disease-", "pair ") if value in text]


def test_what_is_no_desk_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "other.sqlite"
    other.write_text("something else", encoding="utf-8")
    other.chmod(0o600)
    empty = tmp_path / "empty.sqlite"
    empty.touch(0o600)
    for where in (other, empty, tmp_path / "none.sqlite", "mysql://x/y", "postgresql://:x:y/z", tmp_path):
        with pytest.raises(FileError):
            Desk(where)
    for where in (other, tmp_path / "no folder" / "desk.sqlite"):
        with pytest.raises(FileError):
            Desk.create(where)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError):
        Desk("postgresql://nowhere/desk")
    assert Path(other).read_text(encoding="utf-8") == "something else"


def test_a_store_without_the_newer_tables_gets_them_and_is_guarded_as_a_new_one(where):
    Desk.create(where)
    meddle(where, "DROP TABLE trees", "UPDATE secret SET schema = 2")
    desk = Desk(where)
    assert desk.audit().holds
    assert [entry["event"] for entry in desk.log()] == ["opened", "upgraded"]
    Desk(where)
    assert desk.audit().entries == 2, "once is enough"
