"""What to ask a database: one statement that reads, written by the owner or made from the name of a table."""

import re
from typing import Any

from shoal.errors import FileError, SchemaError, WordingError

__all__ = ["statement_for"]

_TABLE = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*){0,2}")
# what stands in quotes or is a comment
_QUOTED = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL
)
_READS = re.compile(r"\s*\(*\s*(?:select|with|values|table)\b", re.IGNORECASE)
_WRITES = re.compile(r"\b(?:insert|update|delete|merge|into|truncate|drop|alter)\b", re.IGNORECASE)


def statement_for(engine: Any, name: str, query: str | None) -> tuple[str, str]:
    """Return a statement that reads, and in words what it reads; refuse one that may do anything else."""
    asked = (query or "").strip().rstrip(";").strip()
    if asked and not _TABLE.fullmatch(asked) and asked not in _tables(engine, name):
        _refuse_other_than_one_that_reads(asked)
        return asked, f"the answer of {name} to a query"
    table = asked or _only_table(engine, name)
    quote = engine.dialect.identifier_preparer.quote
    parts = [table] if table in _tables(engine, name) else table.split(".")
    return f"SELECT * FROM {'.'.join(quote(part) for part in parts)}", f"the table {table!r} of {name}"


def _refuse_other_than_one_that_reads(query: str) -> None:
    bare = _QUOTED.sub(" ", query)
    if ";" in bare:
        raise WordingError("The query is more than one statement.", "Give one, such as: SELECT age, zip FROM people")
    if not _READS.match(bare) or _WRITES.search(bare):
        raise WordingError(
            "The query does more than read.",
            'Give one that begins with SELECT or WITH; put names such as "update" in quotes.',
        )


def _only_table(engine: Any, name: str) -> str:
    tables = _tables(engine, name)
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise FileError(f"There is no table in {name}.", "Check the URL.")
    listed = ", ".join(map(repr, tables[:10])) + (", …" if len(tables) > 10 else "")
    raise SchemaError(
        f"There are {len(tables):,} tables in {name}: {listed}.",
        f"Say which, or give a query: --query {tables[0]}, or --query 'SELECT … FROM {tables[0]}'.",
    )


def _tables(engine: Any, name: str) -> list[str]:
    import sqlalchemy
    from sqlalchemy import exc

    try:
        found = sqlalchemy.inspect(engine)
        return [*found.get_table_names(), *found.get_view_names()]
    except exc.SQLAlchemyError:
        raise FileError(
            f"It is not possible to connect to {name}.",
            "Check the URL, the user and the password, and that the database can be reached from here.",
        ) from None
