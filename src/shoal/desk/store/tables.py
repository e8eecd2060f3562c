"""The tables of the store, and the triggers that keep its log append-only."""

from typing import Final

from sqlalchemy import DDL, Column, Index, Integer, LargeBinary, MetaData, Table, Text, event

__all__ = [
    "ALWAYS",
    "ANCHORS",
    "APPROVALS",
    "DATASETS",
    "HEAD",
    "KEPT",
    "KEPT_BLOCKS",
    "LOG",
    "MARKS",
    "MARK_LISTS",
    "METADATA",
    "OVERLAPS",
    "PROPOSALS",
    "PURPOSES",
    "RELEASES",
    "REQUESTERS",
    "SECRET",
    "TREES",
    "TRIGGER_FUNCTION",
    "VERSIONS",
]


METADATA: Final = MetaData()

DATASETS: Final = Table(
    "datasets",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("policy", Text, nullable=False),
    Column("chain", Text, nullable=False),
)
VERSIONS: Final = Table(
    "versions",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("values_print", Text, nullable=False),  # keyed, of the fields as written
    Column("columns", Text, nullable=False),  # names, roles and heights; no value of a record
)
MARKS: Final = Table(
    "marks",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("people", Text, nullable=False),  # the SHA-256 of each list of keyed hashes
    Column("records", Text, nullable=False),  # the same of records
)
MARK_LISTS: Final = Table(
    "mark_lists",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("marks", LargeBinary, nullable=False),
)
OVERLAPS: Final = Table(
    "common_people",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("other", Text, primary_key=True),
    Column("other_number", Integer, primary_key=True, autoincrement=False),
    Column("people", Integer, nullable=False),
    Column("records", Integer, nullable=False),
)
TREES: Final = Table(
    "trees",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("tree", Text, nullable=False),  # cuts by the numbers of attributes and values; no value of a record
)
PURPOSES: Final = Table(
    "purposes", METADATA, Column("name", Text, primary_key=True), Column("settings", Text, nullable=False)
)
REQUESTERS: Final = Table(
    "requesters",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("trust", Text, nullable=False),
    Column("expires", Text),  # when the trust ends
    Column("purposes", Text),  # those it may ask for, JSON; null: all
    Column("closed", Text),
)
RELEASES: Final = Table(
    "releases",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("requester", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("trust", Text, nullable=False),
    Column("degree_asked", Text, nullable=False),
    Column("degree_reached", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("decided", Text, nullable=False),
    Column("token", Text, nullable=False, unique=True),
    Column("sha256", Text),
    Column("state", Text, nullable=False),
    Column("expires", Text),
    Index("given", "dataset", "version", "node"),
    Index("given_to", "dataset", "requester"),
    Index("in_state", "state"),
)
APPROVALS: Final = Table(
    "approvals",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("requester", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("trust", Text, nullable=False),  # with the policy, what an approval is given for
    Column("policy", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("asked_by", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("decided", Text),
    Column("decided_by", Text),
    Column("why", Text),
    Column("expires", Text),
    Column("used_for", Integer),  # the number of a release
)
PROPOSALS: Final = Table(
    "proposals",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("dataset", Text, nullable=False),
    Column("parts", Text, nullable=False),  # which parts of the policy are to be changed, JSON
    Column("policy_before", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("proposed", Text, nullable=False),
    Column("proposed_by", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("decided", Text),
    Column("decided_by", Text),
    Column("why", Text),
)
KEPT: Final = Table(
    "kept",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("path", Text),  # of data that stay where they are, and of their schema
    Column("schema_path", Text),
    Column("key_id", Text),  # of data that are kept here, encrypted: which key, and the hash of what is kept
    Column("sha256", Text),
)
KEPT_BLOCKS: Final = Table(
    "kept_blocks",
    METADATA,
    Column("dataset", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("block", LargeBinary, nullable=False),
)
ANCHORS: Final = Table(
    "anchors",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # a file, a command or none
    Column("target", Text, nullable=False),
)
LOG: Final = Table(
    "log",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("told", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
HEAD: Final = Table(
    "head",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("hash", Text, nullable=False),
)
SECRET: Final = Table(
    "secret",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("schema", Integer, nullable=False),  # which tables a store has
    Column("secret", Text, nullable=False),
)

TRIGGER_FUNCTION: Final = " BEGIN RAISE EXCEPTION 'the log is append-only'; END "
ALWAYS: Final = "ALTER TABLE log ENABLE ALWAYS TRIGGER log_keeps"
"""Whoever replays a replica's changes, or says so of a session, is refused as well."""
_SQLITE = [
    f"CREATE TRIGGER log_keeps_{what} BEFORE {what} ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
    for what in ("UPDATE", "DELETE")
] + [  # INSERT OR REPLACE would delete without asking
    "CREATE TRIGGER log_keeps_INSERT BEFORE INSERT ON log WHEN NEW.number <= (SELECT max(number) FROM log) "
    "BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
]
_POSTGRESQL = [
    f"CREATE OR REPLACE FUNCTION log_keeps() RETURNS trigger LANGUAGE plpgsql AS $${TRIGGER_FUNCTION}$$",
    "CREATE TRIGGER log_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON log "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_keeps()",
    ALWAYS,
]
for _dialect, _statements in (("sqlite", _SQLITE), ("postgresql", _POSTGRESQL)):
    for _statement in _statements:
        event.listen(LOG, "after_create", DDL(_statement).execute_if(dialect=_dialect))
