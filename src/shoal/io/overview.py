"""What the columns of a file look like, before anyone has said what they are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from shoal.data import Vocabulary
from shoal.errors import DataError, SchemaError

from .contents import find_contents
from .open_tabular import is_text, open_tabular
from .schema import RatingsSchema
from .tabular_file import TabularFile, faults_of
from .values import typed_values

__all__ = ["ColumnOverview", "open_unexplained", "overview"]


@dataclass(frozen=True)
class ColumnOverview:
    """One column in numbers; of its values nothing is told but the ends of what looks like a rating scale."""

    name: str
    type: Literal["number", "text", "date"]
    rows: int
    distinct: int
    """How many different values there are, the missing one not counted."""
    missing: int
    span: tuple[int, int] | None
    """The lowest and highest value of a column that holds whole numbers on few points, as ratings do."""


def overview(path: str | Path) -> tuple[ColumnOverview, ...]:
    """Give name, type, and how many distinct and missing values each column of a file has."""
    file = open_unexplained(path)
    file.refuse_if_empty()
    with faults_of(file.name):
        return tuple(_of_column(file, name) for name in file.names)


def open_unexplained(path: str | Path) -> TabularFile:
    """Open a file of which nothing is said; a first line with numbers in it is taken for a record, not a header."""
    contents, *others = find_contents(Path(path))
    if others:
        raise SchemaError(f"The folder {path} holds {len(others) + 1} data files.", "Name one of them.")
    if not is_text(contents):
        return open_tabular(contents, None)
    without_header = open_tabular(contents, RatingsSchema(header=False))
    return without_header if _begins_with_a_record(without_header) else open_tabular(contents, None)


def _begins_with_a_record(file: TabularFile) -> bool:
    first = file.scan.head(1).collect().transpose().to_series().cast(pl.String).str.strip_chars()
    given = first.drop_nulls()
    numbers = given.cast(pl.Float64, strict=False).drop_nulls()
    return len(numbers) > 0 or given.n_unique() < len(file.names)


def _of_column(file: TabularFile, name: str) -> ColumnOverview:
    column = file.frame(name).to_series()
    try:
        values = typed_values(column, None, as_written=file.as_written)
    except DataError:
        values = typed_values(column, "text", as_written=file.as_written)
    words = Vocabulary(values.unique())
    given = words.values.drop_nulls()
    kind = "number" if words.is_numeric else "date" if words.is_ordered else "text"
    return ColumnOverview(name, kind, len(values), len(given), values.null_count(), _span(given))


def _span(given: pl.Series) -> tuple[int, int] | None:
    if not given.dtype.is_numeric() or not 2 <= len(given) <= _MOST_POINTS:
        return None
    if not (given == given.round(0)).all():
        return None
    return int(given.min()), int(given.max())  # type: ignore[arg-type]


_MOST_POINTS = 11  # ratings on more than 0…10 are rare
