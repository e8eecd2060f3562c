"""MovieLens files: ``u.data`` (tabs) and ``ratings.dat`` (double colons).

Times are read for attacks, and where the schema publishes their periods.
"""

import re

import polars as pl

from shoal.errors import FileError
from shoal.io.formats.contents import Contents
from shoal.io.formats.delimited_text import DelimitedText, text_lines
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source

from .compressed import Duplicates
from .dated_items import date_column, dated_batches
from .long import completed_schema, ratings_of_batches

__all__ = ["is_movielens", "open_movielens", "read_movielens"]

_COLUMNS = ("user", "item", "rating", "timestamp")
_TABS = re.compile(r"[0-9]+\t[0-9]+\t[0-9]+\t[0-9]{9,10}")
_COLONS = re.compile(r"[^:]+::[^:]+::[0-9.]+::[0-9]*")


def is_movielens(contents: Contents) -> bool:
    """Tell whether the first lines are those of a MovieLens file without a header."""
    lines = text_lines(contents, 5)
    return bool(lines) and any(all(form.fullmatch(line) for line in lines) for form in (_TABS, _COLONS))


def read_movielens(contents: Contents, schema: RatingsSchema | None, duplicates: Duplicates) -> Source:
    """Read ``user, item, rating, time`` between tabs or double colons, without a header."""
    file = open_movielens(contents)
    schema = schema or RatingsSchema()
    columns = (*_COLUMNS[:3], *date_column(schema, _COLUMNS[3]))
    batches = (tuple(batch[name] for name in columns) for batch in file.batches(*columns))
    records, notes = ratings_of_batches(dated_batches(batches, schema), schema, duplicates)
    time = "the time is not read" if schema.dates is None else f"of the time, the {schema.dates} is read"
    said = (f"It is a MovieLens file without a header: user, item, rating and time; {time}.",)
    return Source(
        records,
        completed_schema(schema, records.scale, {"layout": "movielens"}),
        (*contents.notes, *said, *notes),
        _COLUMNS,
    )


def open_movielens(contents: Contents) -> TabularFile:
    """Open ``u.data`` or ``ratings.dat``: user, item, rating, timestamp."""
    lines = text_lines(contents, 1)
    if lines and _TABS.fullmatch(lines[0]):
        names, delimiter = _COLUMNS, "\t"
    elif lines and _COLONS.fullmatch(lines[0]):
        # the empty field between two single colons is ignored
        names, delimiter = ("user", "1", "item", "3", "rating", "5", "timestamp"), ":"
    else:
        raise FileError(
            f"{contents.name} is not a MovieLens u.data or ratings.dat file.",
            'Say layout = "long" and which columns hold user, item and rating.',
        )
    layout = RatingsSchema(delimiter=delimiter, header=False, names=names, quotes=False)
    file = DelimitedText().open(contents, layout)
    _refuse_single_colons(file)
    return file


def _refuse_single_colons(file: TabularFile) -> None:
    between = [name for name in file.names if name.isdigit()]
    if between and not file.scan.select(pl.all_horizontal(pl.col(between).is_null()).all()).collect().item():
        raise FileError(f"{file.name} has fields between single colons.", "Separate fields by '::'.")
