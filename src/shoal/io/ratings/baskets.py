"""The layout of baskets: the items of one person a line, separated by spaces or another delimiter, without a header.

It is how collections of transactions are exchanged. People have no names in it: they are numbered by line, from 0. Tabs
are spaces where items are separated by spaces, or a line with tabs would be one item.
"""

import numpy as np
import polars as pl

from shoal.errors import DataError, SchemaError
from shoal.io.formats.contents import Contents
from shoal.io.formats.encodings import in_encoding, utf8_blocks
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source
from shoal.wording.format import format_count

from .long import completed_schema, ratings_of_batches

__all__ = ["read_baskets"]


def read_baskets(contents: tuple[Contents, ...], schema: RatingsSchema) -> Source:
    """Read files with the items of one person a line; an empty line is a person without items."""
    name = contents[0].name
    lines = pl.concat([_lines(each, schema) for each in contents])
    delimiter = schema.delimiter or " "
    _refuse_header_and_quotes(lines, schema, name)
    spaced = lines.str.replace_all("\t", " ", literal=True) if delimiter == " " else lines
    items = spaced.str.strip_chars(" \t\r").str.split(delimiter)
    held = pl.DataFrame({"user": np.arange(len(lines), dtype=np.int64), "item": items}).explode("item")
    held = held.with_columns(pl.col("item").str.strip_chars(" \t\r"))
    named = held.filter(pl.col("item") != "")
    if not len(named):
        raise DataError(f"{name} holds no items.", "Give a file with the items of one person a line.")
    records, notes = ratings_of_batches([_with_empty(named, len(lines))], schema, "refuse")
    between = "spaces or tabs" if delimiter == " " else repr(delimiter)
    said = f"Each line holds the items of one person, separated by {between}; people are numbered by line."
    understood = completed_schema(schema, records.scale, {"layout": "baskets", "delimiter": delimiter, "header": False})
    return Source(records, understood, (*contents[0].notes, said, *notes), ("items",))


def _refuse_header_and_quotes(lines: pl.Series, schema: RatingsSchema, name: str) -> None:
    """Refuse what this layout does not have: it would be read as items."""
    if schema.header or schema.names is not None:
        raise SchemaError(
            "The layout 'baskets' has no columns, and so neither a header line nor names.",
            "Leave out header and names; skip_lines = 1 leaves out a first line.",
        )
    quoted = int(lines.str.contains('"', literal=True).sum()) if schema.quotes else 0
    if quoted:
        raise DataError(
            f"{format_count(quoted, 'line')} of {name} {'has' if quoted == 1 else 'have'} quotes, and items of baskets "
            "are not quoted.",
            "Take the quotes away, or say quotes = false if they are part of the items.",
        )


def _lines(contents: Contents, schema: RatingsSchema) -> pl.Series:
    """Return the lines of a text, those to skip left out, and without the end of the last one."""
    data = b"".join(utf8_blocks(in_encoding(contents, schema.encoding)))
    text = data.decode().removeprefix("\ufeff").removesuffix("\n")
    return pl.Series(text.split("\n")[schema.skip_lines :], dtype=pl.String)


def _with_empty(named: pl.DataFrame, n: int) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return users, items and marks; a user without items gets any item, and the mark that it is not there."""
    held = np.zeros(n, bool)
    held[named["user"].to_numpy()] = True
    empty = np.flatnonzero(~held)
    users = pl.concat([named["user"], pl.Series(empty)])
    items = pl.concat([named["item"], pl.repeat(named["item"][0], len(empty), dtype=pl.String, eager=True)])
    marks = np.concatenate([np.ones(len(named), np.int8), np.zeros(len(empty), np.int8)])
    return users, items, pl.Series(marks)
