"""Write frames to CSV or Parquet, one after the other.

Cells that a spreadsheet would take for formulas, written so that it runs nothing, and read as they were.

A spreadsheet runs what stands in a text file after ``=``, ``+``, ``-`` or ``@``, so a value that somebody once typed
into a form would run on the machine of whoever opens the data. Such a cell, unless it is a number, is written with an
apostrophe before it. So is one that has apostrophes there already: taking one away from every such cell gives what was
written.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import polars as pl
from polars.io.plugins import register_io_source

from shoal.data import Microdata, Ratings, Records
from shoal.errors import FileError
from shoal.io.file_name import unwritable_as_error
from shoal.progress import stage

__all__ = [
    "Blocks",
    "escaped",
    "escaped_cells",
    "has_formulas",
    "read_back",
    "read_back_cells",
    "refuse_other_formats",
    "write_frames",
]


# spaces, and what is not shown: controls, soft hyphens, marks of direction, joiners and spaces without a width
_UNSEEN = (
    r"[\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]"
)
# after spaces and the unseen, and in full width, some spreadsheets take them too
_FORMULA = rf"(?:{_UNSEEN}*[=+\-@＝＋－＠]|[\t\r\n])"
_ESCAPABLE = rf"^'*{_FORMULA}"
_ESCAPED = rf"^'('*{_FORMULA})"
_NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"


def has_formulas(records: Records, names: Iterable[str]) -> bool:
    """Tell whether a value of records that are to be written, or one of these names of columns, must be escaped."""
    words = [pl.Series(names, dtype=pl.String)]
    if isinstance(records, Ratings):
        words += [part.items.values.cast(pl.String) for part in (records.observable, records.sensitive)]
    elif isinstance(records, Microdata):
        words += [column.vocabulary.values for column in records.columns if column.vocabulary.values.dtype == pl.String]
    return any(_must_be_escaped(each).any() for each in words)


def _must_be_escaped(words: pl.Series) -> pl.Series:
    return words.str.contains(_ESCAPABLE) & ~words.str.contains(_NUMBER)


def escaped(name: str) -> str:
    """Return the name of a column as it is written."""
    return f"'{name}" if re.search(_ESCAPABLE, name) and not re.search(_NUMBER, name) else name


def escaped_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame as it is written."""
    text = pl.col(pl.String)
    is_formula = text.str.contains(_ESCAPABLE) & ~text.str.contains(_NUMBER)
    return frame.with_columns(pl.when(is_formula).then(pl.lit("'") + text).otherwise(text).name.keep()).rename(escaped)


def read_back(name: str) -> str:
    """Return the name of a column as it was before it was written."""
    return re.sub(_ESCAPED, r"\1", name)


def read_back_cells(scan: pl.LazyFrame) -> pl.LazyFrame:
    """Return fields, all of them text, as they were before they were written."""
    return scan.with_columns(pl.all().str.replace(_ESCAPED, "${1}"))


Blocks = Iterator[tuple[int, pl.DataFrame]]
"""Frames with how many records each completes; the first is empty and shows the columns."""


def write_frames(
    blocks: Blocks, records: int, path: str | Path, *, delimiter: str = ",", header: bool = True, escaped: bool = False
) -> None:
    """Write frames as one file; the suffix of the path chooses the format: ``.csv`` or ``.parquet``.

    ``escaped`` says whether what spreadsheets would take for formulas is escaped in text; Parquet needs no such thing.
    """
    path = Path(path)
    refuse_other_formats(path)
    with unwritable_as_error(path), stage(f"writing {path.name}", records) as progress:
        if path.suffix == ".csv":
            published = ((each, escaped_cells(frame)) for each, frame in blocks) if escaped else blocks
            _write_csv(published, path, progress.advance, delimiter=delimiter, header=header)
        else:
            _write_parquet(blocks, path, progress.advance)


def refuse_other_formats(path: Path) -> None:
    """Refuse a name that says neither CSV nor Parquet."""
    if path.suffix not in (".csv", ".parquet"):
        raise FileError(f"{path} names no format.", "Let the name end in .csv or .parquet.")


def _write_csv(blocks: Blocks, path: Path, advance: Callable[[int], None], *, delimiter: str, header: bool) -> None:
    with path.open("wb") as file:
        for i, (records, frame) in enumerate(blocks):
            frame.write_csv(file, include_header=i == 0 and header, separator=delimiter)
            advance(records)


def _write_parquet(blocks: Blocks, path: Path, advance: Callable[[int], None]) -> None:
    columns = next(blocks)[1]

    def frames(*_wishes: object) -> Iterator[pl.DataFrame]:
        # what a source may be asked for (columns, rows, batch sizes) is never asked for by a sink
        for records, frame in blocks:
            yield frame
            advance(records)

    # the first level of zstd packs ratings as well as the others; and nobody asks for a range of pseudonyms
    packed = {"compression": "zstd", "compression_level": 1, "statistics": False, "row_group_size": 1 << 19}
    register_io_source(frames, schema=columns.schema).sink_parquet(path, **packed)
