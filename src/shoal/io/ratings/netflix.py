"""Netflix Prize files: a heading line ``movie:``, then lines ``user,rating,date``.

Dates are read where the schema publishes their periods, and by attacks.
"""

import re
from collections.abc import Iterator

import numpy as np
import polars as pl

from shoal.errors import DataError
from shoal.io.formats.contents import Contents
from shoal.io.formats.delimited_text import text_lines
from shoal.io.formats.tabular_file import faults_of
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source
from shoal.kernels.text_lines import FINE, parse_headed_lines
from shoal.progress import stage

from .compressed import Duplicates
from .dated_items import dated_batches
from .long import completed_schema, ratings_of_batches

__all__ = ["dated_lines", "is_netflix", "read_netflix"]

_HEADING = re.compile(r"[0-9]+:")
_COLUMNS = ("user", "item", "rating", "date")
_SHORTEST_LINE = 4  # such as 1,2 and its line end
_LINES = 1 << 20
_NO_DELIMITER = "\0"  # lines are read whole, as headings have no fields


def is_netflix(contents: Contents) -> bool:
    """Tell whether the first line is a heading ``movie:``."""
    lines = text_lines(contents, 1)
    return bool(lines) and _HEADING.fullmatch(lines[0]) is not None


def read_netflix(contents: tuple[Contents, ...], schema: RatingsSchema | None, duplicates: Duplicates) -> Source:
    """Read one file or many: one per movie, or combined ones."""
    schema = schema or RatingsSchema()
    first = contents[0]
    batches = _batches(contents) if schema.dates is None else dated_batches(_with_dates(contents), schema)
    records, notes = ratings_of_batches(batches, schema, duplicates)
    many = f"{len(contents):,} Netflix Prize files" if len(contents) > 1 else "a Netflix Prize file"
    dates = "the date is not read" if schema.dates is None else f"of the date, the {schema.dates} is read"
    said = (*first.notes, f"It is {many}: movie, then user, rating and date; {dates}.")
    return Source(records, completed_schema(schema, records.scale, {"layout": "netflix"}), (*said, *notes), _COLUMNS)


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


def _with_dates(contents: tuple[Contents, ...]) -> Iterator[tuple[pl.Series, ...]]:
    """Yield users, movies, ratings and dates."""
    found = False
    with stage("reading Netflix Prize files", len(contents)) as progress:
        for file in contents:
            for batch in dated_lines(file):
                found = found or len(batch[0]) > 0
                yield batch
            progress.advance()
    if not found:
        raise DataError("The files have headings, but no ratings.", "Give a file with ratings.")


def dated_lines(file: Contents) -> Iterator[tuple[pl.Series, pl.Series, pl.Series, pl.Series]]:
    """Yield users, movies, ratings and dates of the lines under their headings; dates as they are written."""
    heading, before, line = None, 0, pl.col("line").str.strip_chars_end("\r")
    with faults_of(file.name):
        scan = pl.scan_csv(
            file.source, has_header=False, separator=_NO_DELIMITER, quote_char=None, schema={"line": pl.String}
        )
        for batch in scan.collect_batches(chunk_size=_LINES, maintain_order=True):
            fields = line.str.splitn(",", 3).struct.rename_fields(["user", "rating", "date"]).struct.unnest()
            above = pl.when(line.str.contains(r"^[0-9]+:$")).then(line.str.strip_chars_end(":")).forward_fill()
            lines = batch.select(line, fields, item=above.fill_null(pl.lit(heading, pl.String)))
            heading = lines["item"].last() if len(lines) else heading
            lines = lines.with_columns(pl.col("user", "item", "rating").cast(pl.Int64, strict=False))
            _refuse_other_lines(lines, file.name, before)
            before += len(lines)
            given = lines.drop_nulls("rating")
            yield given["user"], given["item"], given["rating"], given["date"]


def _refuse_other_lines(lines: pl.DataFrame, name: str, before: int) -> None:
    """Refuse a line that is neither blank nor a heading nor a rating under one."""
    rating = pl.all_horizontal(pl.col("user", "item", "rating").is_not_null())
    other = ~(rating | pl.col("line").str.contains(r"^[0-9]+:$") | (pl.col("line").fill_null("") == ""))
    places = lines.select(other.fill_null(value=True).arg_true()).to_series()
    if len(places):
        raise _other_line(before + places[0] + 1, name)


def _other_line(line: int, name: str) -> DataError:
    return DataError(f"Line {line:,} of {name} is neither 'movie:' nor 'user,rating,date'.", "Correct the line.")


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
        raise _other_line(line + lines, name)
    return keys[:found], headings[:found], marks[:found], int(last), lines
