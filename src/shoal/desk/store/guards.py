"""Whether the database still refuses what it refused when the store was made.

Triggers refuse changes of the log, and constraints refuse a second row of the same key. Whoever may change the tables
may also take these away, change something, and put them back; what is left behind is compared here with what the desk
makes. A superuser of the database can hide even that: only a hash that was noted elsewhere shows it.
"""

import sqlalchemy
from sqlalchemy import Connection, Table, UniqueConstraint, text

from .tables import METADATA, TRIGGER_FUNCTION

__all__ = ["faults_of_guards"]

_GONE = "What keeps entries of the log from being changed or deleted was taken away."


def faults_of_guards(connection: Connection, owner: str | None) -> list[str]:
    """Return what is not as the desk made it; ``owner`` is the role that made it, where the database has roles."""
    if connection.dialect.name == "sqlite":
        return _faults_in_sqlite(connection)
    return [
        *_faults_of_trigger(connection),
        *_faults_of_function(connection),
        *_faults_of_tables(connection),
        *_faults_of_session(connection),
        *_faults_of_owner(connection, owner),
        *_faults_of_privileges(connection),
    ]


def _faults_in_sqlite(connection: Connection) -> list[str]:
    """Compare all that the file says of itself with what a new store says."""
    found = _sqlite_master(connection)
    with sqlalchemy.create_engine("sqlite://").begin() as other:
        METADATA.create_all(other)
        expected = _sqlite_master(other)
    faults = [] if all(key in found for key in expected if key[0] == "trigger") else [_GONE]
    for kind, name in sorted(found.keys() | expected.keys()):
        published = found.get((kind, name))
        if kind == "trigger" and published is None:
            continue
        if published != expected.get((kind, name)):
            faults.append(f"The {kind} {name!r} of the store is not as the desk made it.")
    return faults


def _sqlite_master(connection: Connection) -> dict[tuple[str, str], str]:
    # what a service keeps beside the books of the desk is its own affair, as long as nothing happens by itself there
    asked = (
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "AND NOT (type IN ('table', 'index') AND tbl_name LIKE 'service\\_%' ESCAPE '\\')"
    )
    return {(kind, name): " ".join(sql.split()) for kind, name, sql in connection.exec_driver_sql(asked)}


_BEFORE_UPDATE_DELETE_TRUNCATE = 2 + 8 + 16 + 32
_TRIGGER = (
    "CREATE TRIGGER log_keeps BEFORE DELETE OR UPDATE OR TRUNCATE ON log "
    "FOR EACH STATEMENT EXECUTE FUNCTION log_keeps()"
)
_ON_OUR_TABLES = "c.oid = ANY (SELECT to_regclass(quote_ident(name)) FROM unnest(CAST(:names AS text[])) AS name)"


def _rows(connection: Connection, asked: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(text(asked), {"names": list(METADATA.tables)})]


def _faults_of_trigger(connection: Connection) -> list[str]:
    asked = (
        "SELECT c.relname, t.tgname, t.tgenabled::text, c.relhastriggers, t.tgtype, t.tgqual IS NULL, "
        "t.tgfoid::regproc::text, NOT t.tgdeferrable, t.tgnargs, t.tgattr::text, pg_get_triggerdef(t.oid, true) "
        "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
        f"WHERE NOT t.tgisinternal AND {_ON_OUR_TABLES}"
    )
    found = {(table, name): rest for table, name, *rest in _rows(connection, asked)}
    ours = found.pop(("log", "log_keeps"), None)
    faults = [f"The table {table!r} has a trigger that the desk did not make." for table, _ in sorted(found)]
    if ours is None:
        return [_GONE, *faults]
    enabled, noticed, *rest = ours
    if enabled != "A" or not noticed:
        faults.append("What keeps entries of the log from being changed or deleted is disabled, always or at times.")
    if rest != [_BEFORE_UPDATE_DELETE_TRUNCATE, True, "log_keeps", True, 0, "", _TRIGGER]:
        faults.append("What keeps entries of the log from being changed or deleted is not as the desk made it.")
    return faults


def _faults_of_function(connection: Connection) -> list[str]:
    asked = (
        "SELECT p.prosrc, l.lanname::text, p.prosecdef, p.proconfig IS NULL FROM pg_proc p "
        "JOIN pg_language l ON l.oid = p.prolang WHERE p.oid = (SELECT tgfoid FROM pg_trigger "
        "WHERE tgrelid = 'log'::regclass AND tgname = 'log_keeps')"
    )
    as_made = (TRIGGER_FUNCTION, "plpgsql", False, True)
    found = _rows(connection, asked)
    return [] if found in ([], [as_made]) else ["The function that refuses changes of the log was replaced."]


def _faults_of_tables(connection: Connection) -> list[str]:
    """Compare columns, constraints and indexes; and find what would hide rows or do something else instead."""
    columns = _by_table(
        connection,
        "SELECT c.relname, a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || "
        "a.atthasdef || ' ' || (a.attidentity = '' AND a.attgenerated = '' AND a.attcollation = t.typcollation) "
        "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid "
        f"WHERE a.attnum > 0 AND NOT a.attisdropped AND {_ON_OUR_TABLES}",
    )
    constraints = _by_table(
        connection,
        "SELECT c.relname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid "
        f"WHERE k.contype <> 'n' AND {_ON_OUR_TABLES}",  # from PostgreSQL 18 on, NOT NULL is one of them
    )
    indexes = _by_table(
        connection,
        "SELECT c.relname, i.relname || ' ' || x.indisunique || ' ' || (x.indisvalid AND x.indisready AND x.indislive) "
        "|| ' ' || (x.indpred IS NULL) "
        "FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid "
        "WHERE NOT (x.indisunique AND x.indisvalid AND x.indisready AND x.indislive AND x.indpred IS NULL "  # a key's
        f"AND EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = x.indexrelid)) AND {_ON_OUR_TABLES}",
    )
    plain = _by_table(
        connection,
        "SELECT c.relname, concat_ws(' ', c.relkind, c.relpersistence, c.relrowsecurity, c.relhasrules, "
        "EXISTS (SELECT 1 FROM pg_inherits h WHERE c.oid IN (h.inhrelid, h.inhparent))) FROM pg_class c "
        f"WHERE {_ON_OUR_TABLES}",
    )
    faults = []
    for name, table in METADATA.tables.items():
        if columns.get(name) != _columns(table):
            faults.append(f"The columns of the table {name!r} are not as the desk made them.")
        if constraints.get(name, set()) != _constraints(table):
            faults.append(f"The constraints of the table {name!r} are not as the desk made them.")
        if indexes.get(name, set()) != {f"{index.name} false true true" for index in table.indexes}:
            faults.append(f"The indexes of the table {name!r} are not as the desk made them.")
        if plain.get(name) != {"r p f f f"}:
            faults.append(f"The table {name!r} hides rows, has rules or is kept otherwise than the desk made it.")
    return faults


def _by_table(connection: Connection, asked: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for table, published in _rows(connection, asked):
        found.setdefault(str(table), set()).add(str(published))
    return found


_TYPES = {"TEXT": "text", "INTEGER": "integer", "BLOB": "bytea"}


def _columns(table: Table) -> set[str]:
    return {
        f"{column.name} {_TYPES[str(column.type)]} {str(not column.nullable).lower()} false true"
        for column in table.columns
    }


def _constraints(table: Table) -> set[str]:
    unique = (each for each in table.constraints if isinstance(each, UniqueConstraint))
    key = ", ".join(column.name for column in table.primary_key.columns)
    return {f"PRIMARY KEY ({key})", *(f"UNIQUE ({', '.join(each.columns.keys())})" for each in unique)}


def _faults_of_session(connection: Connection) -> list[str]:
    """Find what makes triggers of sessions be passed over, in this session or in those of a role or a database."""
    now = connection.execute(text("SELECT current_setting('session_replication_role')")).scalar_one()
    asked = (
        "SELECT count(*) FROM pg_db_role_setting s, unnest(s.setconfig) AS said "
        "WHERE said LIKE 'session_replication_role=%' AND said <> 'session_replication_role=origin' "
        "AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))"
    )
    if now == "origin" and not connection.execute(text(asked)).scalar_one():
        return []
    return ["Sessions of the database pass over triggers (session_replication_role)."]


def _faults_of_owner(connection: Connection, owner: str | None) -> list[str]:
    asked = (
        "SELECT pg_get_userbyid(c.relowner)::text FROM pg_class c "
        f"WHERE {_ON_OUR_TABLES} UNION SELECT pg_get_userbyid(p.proowner)::text FROM pg_proc p "
        "JOIN pg_trigger t ON t.tgfoid = p.oid WHERE t.tgrelid = 'log'::regclass AND t.tgname = 'log_keeps'"
    )
    owners = {str(name) for (name,) in _rows(connection, asked)}
    if len(owners) == 1 and owner in (None, *owners):
        return []
    return ["The tables of the store, or what guards them, belong to another role than the one that made the desk."]


def _faults_of_privileges(connection: Connection) -> list[str]:
    """Find who else may read or change what is kept, but for superusers and members of the role of the owner."""
    of_tables = (
        "SELECT DISTINCT c.relname FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid "
        "CROSS JOIN LATERAL (SELECT * FROM aclexplode(c.relacl) UNION ALL SELECT * FROM aclexplode(a.attacl)) AS given "
        f"WHERE given.grantee <> c.relowner AND {_ON_OUR_TABLES} ORDER BY 1"
    )
    by_default = (
        "SELECT count(*) FROM pg_default_acl d JOIN pg_class c ON c.relname = 'log' AND d.defaclrole = c.relowner "
        "AND d.defaclnamespace IN (0, c.relnamespace), aclexplode(d.defaclacl) AS given "
        f"WHERE d.defaclobjtype = 'r' AND given.grantee <> d.defaclrole AND {_ON_OUR_TABLES}"
    )
    in_views = (
        "SELECT DISTINCT c.relname FROM pg_depend d JOIN pg_class c ON c.oid = d.refobjid "
        "JOIN pg_rewrite r ON r.oid = d.objid WHERE d.classid = 'pg_rewrite'::regclass "
        f"AND d.refclassid = 'pg_class'::regclass AND r.ev_class <> c.oid AND {_ON_OUR_TABLES} ORDER BY 1"
    )
    faults = [
        f"Others than its owner may read or change the table {table!r}." for (table,) in _rows(connection, of_tables)
    ]
    faults += [f"A view shows what the table {table!r} holds." for (table,) in _rows(connection, in_views)]
    if _rows(connection, by_default) != [(0,)]:
        faults.append(
            "Others than their owner may read or change tables that the owner will make (default privileges)."
        )
    return faults
