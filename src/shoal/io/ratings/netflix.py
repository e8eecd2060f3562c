"""Netflix Prize files: a heading line ``movie:``, then lines ``user,rating,date``. Only attacks read the dates."""

import re
from collections.abc import Iterator

import numpy as np
import polars as pl

from shoal.errors import DataError, SchemaError
from shoal.io.formats.contents import Contents
from shoal.io.formats.delimited_text import text_lines
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source
from shoal.kernels.text_lines import FINE, parse_headed_lines
from shoal.progress import stage

from .compressed import Duplicates
from .long import completed_schema, ratings_of_batches

__all__ = ["is_netflix", "read_netflix"]

_HEADING = re.compile(r"[0-9]+:")
_COLUMNS = ("user", "item", "rating", "date")
_SHORTEST_LINE = 4  # such as 1,2 and its line end


def is_netflix(contents: Contents) -> bool:
    """Tell whether the first line is a heading ``movie:``."""
    lines = text_lines(contents, 1)
    return bool(lines) and _HEADING.fullmatch(lines[0]) is not None


def read_netflix(contents: tuple[Contents, ...], schema: RatingsSchema | None, duplicates: Duplicates) -> Source:
    """Read one file or many: one per movie, or combined ones."""
    schema = schema or RatingsSchema()
    if schema.dates is not None:
        raise SchemaError(
            "Dates of Netflix Prize files are not published.",
            "Write the ratings to a file with one rating a line: user, item, rating and date.",
        )
    first = contents[0]
    records, notes = ratings_of_batches(_batches(contents), schema, duplicates)
    many = f"{len(contents):,} Netflix Prize files" if len(contents) > 1 else "a Netflix Prize file"
    said = (*first.notes, f"It is {many}: movie, then user, rating and date; the date is not read.")
    return Source(records, completed_schema(schema, records, {"layout": "netflix"}), (*said, *notes), _COLUMNS)


def _batches(contents: tuple[Contents, ...]) -> Iterator[tuple[pl.Series, pl.Series, pl.Series]]:
    found = False
    with stage("reading Netflix Prize files", len(contents)) as progress:
        for file in contents:
            heading, line = -1, 0
            for block in _whole_lines(file):
                keys, headings, marks, heading, lines = _parsed(block, heading, file.name, line)
                line += lines
                found = found or len(keys) > 0
                yield pl.Series(keys), pl.Series(headings), pl.Series(marks)
            progress.advance()
    if not found:
        raise DataError("The files have headings, but no ratings.", "Give a file with ratings.")


def _whole_lines(file: Contents) -> Iterator[bytes]:
    rest = b""
    for block in file.blocks():
        whole, end, after = block.rpartition(b"\n")
        if end:
            yield rest + whole + end
            rest = after
        else:
            rest += block
    if rest:
        yield rest + b"\n"


def _parsed(block: bytes, heading: int, name: str, line: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, int]:
    room = len(block) // _SHORTEST_LINE + 1
    keys, headings, marks = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int16)
    status, found, last, lines = parse_headed_lines(np.frombuffer(block, np.uint8), heading, keys, headings, marks)
    if status != FINE:
        raise DataError(
            f"Line {line + lines:,} of {name} is neither 'movie:' nor 'user,rating,date'.", "Correct the line."
        )
    return keys[:found], headings[:found], marks[:found], int(last), lines
