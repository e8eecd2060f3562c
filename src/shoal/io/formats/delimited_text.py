"""Delimited text, such as CSV; every record is checked for its number of fields before anything is read."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.errors import DataError, FileError, SchemaError
from shoal.io.schemas import RatingsSchema, Schema, TableSchema
from shoal.kernels.text_lines import (
    BLANK,
    EXPECTED,
    FINE,
    LINE,
    NOT_TEXT,
    RAGGED,
    RECORDS,
    SIZE_OF_STATE,
    START,
    STRAY_QUOTE,
    count_fields,
    count_last_field,
)
from shoal.progress import stage

from .base import Format
from .contents import Contents
from .encodings import NotUtf8Error, Recoded, guessed, in_encoding, utf8_blocks
from .formula_escapes import escaped_name
from .registry import formats
from .scan_recoded import scan_recoded
from .tabular_file import TabularFile, faults_of

__all__ = ["DelimitedText", "text_lines"]

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces", ":": "colons"}


@formats.add
@dataclass(frozen=True)
class DelimitedText(Format):
    """Text with one record a line and a delimiter between fields."""

    name: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV"
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    is_text: ClassVar[bool] = True

    def open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        """Find out how the text is laid out, and check all of it: encoding, quoting, and fields per record."""
        asked = contents.location.encoding if contents.location is not None else None
        declared = asked or (schema.encoding if schema else None)
        contents = in_encoding(contents, declared)
        try:
            return self._open(contents, schema)
        except NotUtf8Error as fault:
            if declared is not None:
                raise
            likely = guessed(contents, fault)
        return self._open(likely, schema)

    def _open(self, contents: Contents, schema: Schema | None) -> TabularFile:
        skip = schema.skip_lines if schema else 0
        quotes = schema.quotes if schema else True
        delimiter = (schema and schema.delimiter) or _recognized_delimiter(contents, schema, skip, quotes=quotes)
        if delimiter == "::":
            raise SchemaError("The delimiter '::' belongs to MovieLens files.", 'Write layout = "movielens".')
        with stage(f"checking {contents.name}"):
            fields, records = _checked_shape(contents, delimiter, skip, quotes=quotes)
        header = schema.has_header if schema else True
        names = _column_names(contents, schema, delimiter, skip, fields)
        scan = _scan(contents, delimiter, skip, names, records - header, quotes=quotes, header=header)
        note = f"It is text with fields separated by {_DELIMITERS.get(delimiter, repr(delimiter))}"
        note += " and a header line." if header else " and without a header line."
        settings: dict[str, Any] = {"delimiter": delimiter, "header": header}
        settings |= {"encoding": contents.encoding} if isinstance(contents, Recoded) else {}
        return TabularFile(contents.name, names, scan, records - header, True, (*contents.notes, note), settings)

    def write(self, frames: Iterator[pl.DataFrame], path: Path, schema: Schema | None) -> None:
        """Write frames with the delimiter of the schema, and with a header unless the schema says otherwise."""
        delimiter = (schema and schema.delimiter) or ","
        header = schema is None or schema.has_header
        with path.open("wb") as file:
            for i, frame in enumerate(frames):
                frame.write_csv(file, include_header=i == 0 and header, separator=delimiter)


def text_lines(contents: Contents, n: int, encoding: str = "utf-8") -> list[str]:
    """Return the first ``n`` lines to recognize a file by; none if it is not text."""
    try:
        head = codecs.getincrementaldecoder(encoding)().decode(contents.head())
    except UnicodeDecodeError:
        return []
    lines = head.removeprefix("\ufeff").split("\n", n)[:n]
    return [line.removesuffix("\r") for line in lines if line.strip()]


def _recognized_delimiter(contents: Contents, schema: Schema | None, skip: int, *, quotes: bool) -> str:
    """Choose the delimiter with which all records at the beginning have the same number of fields, at least two.

    A space is chosen only if nothing else fits, because fields of other files contain spaces, too.
    """
    head = _after_lines(contents.head(), skip)
    fields = {delimiter: _fields_if_even(head, delimiter, quotes=quotes) for delimiter in (",", ";", "\t", "|")}
    even = {delimiter: n for delimiter, n in fields.items() if n > 1}
    if not even and _fields_if_even(head, " ", quotes=quotes) > 1:
        return " "
    if not even:
        return _likely_of_ragged(head)
    named = [delimiter for delimiter in even if _names_known_columns(head, delimiter, schema)]
    if len(named) == 1:
        return named[0]
    if len(even) > 1:
        raise SchemaError(
            f"Fields of {contents.name} may be separated by {' or by '.join(_DELIMITERS[d] for d in even)}.",
            'Say which in the schema, as delimiter = ",".',
        )
    return next(iter(even))


def _after_lines(head: bytes, skip: int) -> bytes:
    parts = head.removeprefix(codecs.BOM_UTF8).split(b"\n", skip)
    return parts[-1] if len(parts) == skip + 1 else b""


def _fields_if_even(head: bytes, delimiter: str, *, quotes: bool) -> int:
    """Return the number of fields of every complete record of the head; 0 if they differ or have no delimiter."""
    if delimiter.encode() not in head:
        return 0
    state = _start(0)
    status = count_fields(np.frombuffer(head, np.uint8), ord(delimiter), ord('"') if quotes else -1, state)
    if state[RECORDS] == 0 and status == FINE:
        status = count_last_field(state)
    return int(state[EXPECTED]) if status == FINE and state[RECORDS] > 0 else 0


def _likely_of_ragged(head: bytes) -> str:
    """Return the most frequent delimiter of the first line; records that do not fit it are refused later."""
    first = head.split(b"\n", 1)[0]
    counts = {delimiter: first.count(delimiter.encode()) for delimiter in (",", ";", "\t", "|")}
    best = max(counts, key=lambda delimiter: counts[delimiter])
    return best if counts[best] else ","


def _names_known_columns(head: bytes, delimiter: str, schema: Schema | None) -> bool:
    known = _named_columns(schema)
    return bool(known) and known <= set(_header(head, delimiter, schema))


def _named_columns(schema: Schema | None) -> set[str]:
    """Return the columns that the schema names, as the file writes them."""
    names = set[str]()
    if isinstance(schema, TableSchema):
        names = set(schema.columns)
    elif isinstance(schema, RatingsSchema):
        columns = {schema.user, schema.item, schema.rating, *schema.id, *schema.ignore, *(schema.items or ())}
        columns |= set(schema.columns) if schema.attributes is None else set()
        names = {name for name in columns if name is not None}
    return set(map(escaped_name, names)) if schema is not None and schema.escaped_formulas else names


def _header(head: bytes, delimiter: str, schema: Schema | None) -> list[str]:
    """Return the fields of the first record, stripped of spaces unless the schema has them."""
    known = _named_columns(schema)
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    quoting = csv.QUOTE_MINIMAL if schema is None or schema.quotes else csv.QUOTE_NONE
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
        names = next(rows, [])
        return [name if name in known else name.strip() for name in names]
    except csv.Error:
        raise SchemaError("The header line cannot be read.", "Check that it names the columns.") from None


def _start(skip: int) -> np.ndarray:
    state = np.zeros(SIZE_OF_STATE, np.int64)
    state[LINE] = skip + 1
    state[START] = skip
    return state


def _checked_shape(contents: Contents, delimiter: str, skip: int, *, quotes: bool) -> tuple[int, int]:
    """Walk the whole text; return the fields per record and the number of records, header included."""
    state = _start(skip)
    to_skip, first, status = skip, True, FINE
    for block in utf8_blocks(contents):
        rest = block.removeprefix(codecs.BOM_UTF8) if first else block
        first = False
        while to_skip and rest:
            _, found, rest = rest.partition(b"\n")
            to_skip -= len(found)
        status = count_fields(np.frombuffer(rest, np.uint8), ord(delimiter), ord('"') if quotes else -1, state)
        if status != FINE:
            break
    else:
        status = count_last_field(state)
    if status != FINE:
        raise _fault_of_shape(status, contents.name, int(state[LINE]), int(state[EXPECTED]))
    if state[RECORDS] == 0:
        raise FileError(f"{contents.name} has no lines.", "Give a file with records.")
    return int(state[EXPECTED]), int(state[RECORDS])


def _fault_of_shape(status: int, name: str, line: int, expected: int) -> DataError | FileError:
    if status == RAGGED:
        return DataError(
            f"The record that ends on line {line:,} of {name} does not have {expected} fields as the first does.",
            "Correct the line, or quote fields that contain the delimiter.",
        )
    if status == STRAY_QUOTE:
        return DataError(
            f"On line {line:,} of {name} there is a quote inside a field.",
            "Double it and quote the field, or say quotes = false in the schema if a quote is an ordinary character.",
        )
    if status == NOT_TEXT:
        return FileError(f"{name} is not text.", f"Give a {', '.join(each.title for each in formats)} file.")
    if status == BLANK:
        return DataError(f"Line {line:,} of {name} is blank.", "Remove blank lines.")
    return DataError(f"A quoted field of {name} is not closed.", "Close it, or say quotes = false in the schema.")


def _column_names(contents: Contents, schema: Schema | None, delimiter: str, skip: int, fields: int) -> tuple[str, ...]:
    names = schema.names if schema else None
    if names is not None and len(names) != fields:
        raise SchemaError(
            f"The schema names {len(names)} columns, but {contents.name} has {fields}.",
            "List as many in names, in the order of the file, or say which delimiter it has.",
        )
    if names is not None:
        return names
    if schema is not None and not schema.has_header:
        return tuple(f"column_{i + 1}" for i in range(fields))
    head, end, _ = _after_lines(contents.head(), skip).partition(b"\n")
    if not end or b'"' in head:  # it is long, or goes on within quotes
        head = _after_lines(contents.head(1 << 24), skip)
    return _checked_names(_header(head, delimiter, schema), fields, contents.name)


def _checked_names(names: list[str], fields: int, file: str) -> tuple[str, ...]:
    if len(names) != fields or not all(names):
        raise SchemaError(f"A column of {file} has no name.", "Name every column in the header line.")
    places = {name: [i + 1 for i, other in enumerate(names) if other == name] for name in names}
    doubled = next((places[name] for name in names if len(places[name]) > 1), None)
    if doubled:  # reported by position: where the header was forgotten, a name is a value of a record
        raise SchemaError(
            f"The columns {' and '.join(map(str, doubled))} of {file} have the same name.",
            "Give each its own, or say header = false if the first line is a record.",
            {"header": False} if re.fullmatch(r"[0-9.]+", names[doubled[0] - 1]) else None,
        )
    return tuple(names)


def _scan(
    contents: Contents, delimiter: str, skip: int, names: tuple[str, ...], rows: int, *, quotes: bool, header: bool
) -> pl.LazyFrame:
    form: dict[str, Any] = {"separator": delimiter, "quote_char": '"' if quotes else None}
    with faults_of(contents.name):
        if isinstance(contents, Recoded):
            return scan_recoded(contents, names, rows, skip, header=header, **form)
        return pl.scan_csv(
            contents.source,
            **form,
            has_header=header,
            skip_lines=skip,
            n_rows=rows,
            infer_schema=False,
            glob=False,  # a name may have brackets
            new_columns=list(names),
        )
