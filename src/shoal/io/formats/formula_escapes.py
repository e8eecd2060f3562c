"""Cells that a spreadsheet would take for formulas: escaped when text is written, and unescaped when it is read.

A spreadsheet runs a cell of a text file that begins with ``=``, ``+``, ``-`` or ``@``, so a value that somebody once
typed into a form would run on the machine of whoever opens the data. Unless it is a number, such a cell is written with
an apostrophe before it. So is a cell that has apostrophes before the sign already: removing one apostrophe from every
escaped cell restores the original.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from shoal.data import Microdata, Ratings, Records, Survey
from shoal.errors import SchemaError
from shoal.io.schemas import Schema

from .tabular_file import TabularFile

__all__ = ["escaped_cells", "escaped_name", "has_formulas", "unescaped_cells", "unescaped_file"]


# spaces and invisible characters: controls, soft hyphens, direction marks, joiners and zero-width spaces
_INVISIBLE = (
    r"[\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]"
)
# some spreadsheets accept them after spaces and invisible characters, and in full width
_FORMULA = rf"(?:{_INVISIBLE}*[=+\-@＝＋－＠]|[\t\r\n])"
_ESCAPABLE = rf"^'*{_FORMULA}"
_ESCAPED = rf"^'('*{_FORMULA})"
_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"


def has_formulas(records: Records, names: Iterable[str]) -> bool:
    """Tell whether a value of the records, or one of the column ``names``, must be escaped."""
    if isinstance(records, Survey):
        return has_formulas(records.ratings, names) or has_formulas(records.table, records.table.names)
    words = [pl.Series(names, dtype=pl.String)]
    if isinstance(records, Ratings):
        words += [part.items.values.cast(pl.String) for part in (records.observable, records.sensitive)]
    elif isinstance(records, Microdata):
        columns = [column for column in records.columns if column.dtype == pl.String]
        words += [column.vocabulary.values if column.is_encoded else column.values for column in columns]
    return any(_must_be_escaped(each).any() for each in words)


def _must_be_escaped(words: pl.Series) -> pl.Series:
    return words.str.contains(_ESCAPABLE) & ~words.str.contains(_NUMBER)


def escaped_name(name: str) -> str:
    """Return the name of a column, escaped if need be."""
    return f"'{name}" if re.search(_ESCAPABLE, name) and not re.search(_NUMBER, name) else name


def escaped_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with cells and names escaped where need be."""
    text = pl.col(pl.String)
    is_formula = text.str.contains(_ESCAPABLE) & ~text.str.contains(_NUMBER)
    return frame.with_columns(pl.when(is_formula).then(pl.lit("'") + text).otherwise(text).name.keep()).rename(
        escaped_name
    )


def unescaped_cells(scan: pl.LazyFrame) -> pl.LazyFrame:
    """Return texts as they were before :func:`escaped_cells`."""
    return scan.with_columns(pl.col(pl.String).str.replace(_ESCAPED, "${1}"))


def unescaped_file(file: TabularFile, schema: Schema) -> TabularFile:
    """Return a file with its cells and names as they were before they were escaped, if the schema says they are."""
    if not schema.escaped_formulas:
        return file
    cells = unescaped_cells(file.scan)
    if schema.names is not None:  # the owner gave them, and escaped nothing
        return replace(file, scan=cells, parts=())
    names = tuple(re.sub(_ESCAPED, r"\1", name) for name in file.names)
    if len(set(names)) < len(names):
        raise SchemaError(f"Two columns of {file.name} have the same name but for an apostrophe before a formula.")
    return replace(file, names=names, scan=cells.rename(dict(zip(file.names, names, strict=True))), parts=())
