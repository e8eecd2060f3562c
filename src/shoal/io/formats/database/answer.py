"""The answer of a database to a statement: as Arrow where a driver speaks it, else row by row in batches."""

import importlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import polars as pl

from shoal.errors import FileError, SchemaError
from shoal.io.formats.whole_numbers import with_whole_numbers
from shoal.progress import stage

__all__ = ["answer_of"]

_BATCH = 1 << 16
_DRIVERS = {"sqlite": "adbc_driver_sqlite", "postgresql": "adbc_driver_postgresql"}
"""The Arrow driver of a kind of database; a URL that names another, as in sqlite+pysqlite, is not for it."""


def answer_of(engine: Any, url: Any, statement: str, name: str) -> pl.DataFrame:
    """Return all rows of the answer, from one reading of the database; nothing is ever committed to it."""
    with stage(f"reading {name}"):
        data = _by_arrow(url, statement)
        data = _by_rows(engine, statement, name) if data is None else data
    for column, dtype in data.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise SchemaError(f"The column {column!r} of {name} is not of a simple type.", "Leave it out of the query.")
    nothing = [each.name for each in data.iter_columns() if each.null_count() == data.height]
    data = data.cast(dict.fromkeys(nothing, pl.String))  # a column without values has no type
    decimals = [each.name for each in data.iter_columns() if each.dtype == pl.Decimal and _are_floats(each)]
    return with_whole_numbers(data.cast(dict.fromkeys(decimals, pl.Float64))) if decimals else data


def _are_floats(decimals: pl.Series) -> bool:
    """Return whether all of them differ as floats, too: numbers of accounts may have more digits than these hold."""
    return decimals.n_unique() == decimals.cast(pl.Float64).n_unique()


def _by_arrow(url: Any, statement: str) -> pl.DataFrame | None:
    """Return the answer by an Arrow driver; None where there is none, or where it does not manage."""
    if url.drivername not in _DRIVERS:
        return None
    try:
        driver = importlib.import_module(f"{_DRIVERS[url.drivername]}.dbapi")
        address = f"{url.database}?mode=ro" if url.drivername == "sqlite" else url.render_as_string(hide_password=False)
        with driver.connect(address) as connection, connection.cursor() as cursor:
            if url.drivername == "sqlite":
                cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(_BATCH)})
            else:
                cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute(statement)
            return pl.DataFrame(cursor.fetch_arrow())
    except Exception:  # noqa: BLE001 - it infers types from the first rows, and gives up where later ones differ
        return None


def _by_rows(engine: Any, statement: str, name: str) -> pl.DataFrame:
    import sqlalchemy
    from sqlalchemy import exc

    # what looks like a parameter, such as :a, is meant as it stands
    asked = sqlalchemy.text(statement.replace(":", r"\:"))
    try:
        with engine.connect().execution_options(stream_results=True, **_read_only(engine)) as connection:
            found = connection.execute(asked)
            names = _distinct(list(found.keys()), name)
            batches = [_Batch(names, rows) for rows in found.partitions(_BATCH)]
    except exc.SQLAlchemyError:
        raise FileError(
            f"The query to {name} failed, or the connection to it.",
            "Try the query in a program of the database, and check that the user may read what it names.",
        ) from None
    return _joined(batches, names, name)


def _read_only(engine: Any) -> dict[str, Any]:
    return {"postgresql_readonly": True} if engine.dialect.name == "postgresql" else {}


def _distinct(names: list[str], name: str) -> list[str]:
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise SchemaError(
            f"The answer of {name} has two columns named {twice!r}.", "Give one another name: SELECT a.id AS first_id"
        )
    return names


class _Batch:
    """Some rows, column by column, with the kinds of their values."""

    def __init__(self, names: Sequence[str], rows: Sequence[Any]) -> None:
        self.columns = dict(zip(names, zip(*rows, strict=True), strict=True))
        self.kinds = {name: {type(value) for value in values} - {type(None)} for name, values in self.columns.items()}


def _joined(batches: list[_Batch], names: list[str], name: str) -> pl.DataFrame:
    if not batches:
        return pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    columns = []
    for column in names:
        kind = _type(set().union(*(batch.kinds[column] for batch in batches)), column, name)
        try:
            parts = [pl.Series(column, list(_values(batch.columns[column], kind)), dtype=kind) for batch in batches]
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            raise SchemaError(
                f"The column {column!r} of {name} holds values that are not of one type.",
                f"Make them so in the query: CAST({column} AS text).",
            ) from None
        columns.append(pl.concat(parts))
    return pl.DataFrame(columns)


def _values(values: Sequence[Any], kind: Any) -> Iterator[Any]:
    if kind == pl.String:
        return (None if value is None else str(value) for value in values)
    if kind == pl.Float64:
        return (None if value is None else float(value) for value in values)
    return iter(values)


def _type(kinds: set[type], column: str, name: str) -> Any:
    """Return the type of a column; texts among other values make it one of text."""
    if any(issubclass(kind, bytes | bytearray | memoryview | list | dict) for kind in kinds):
        raise SchemaError(f"The column {column!r} of {name} is not of a simple type.", "Leave it out of the query.")
    if Decimal in kinds and kinds <= {Decimal, int, float}:
        return pl.Decimal(38, 10) if kinds == {Decimal} else pl.Float64
    simple = ({bool}, pl.Boolean), ({int}, pl.Int64), ({int, float}, pl.Float64), ({date}, pl.Date), ({datetime}, None)
    return next((dtype for known, dtype in simple if kinds and kinds <= known), pl.String)
