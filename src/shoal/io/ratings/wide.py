"""The wide layout: one person a line, one item a column."""

import numpy as np
import polars as pl

from shoal.data import Vocabulary
from shoal.errors import DataError, SchemaError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.nearest_name import nearest_name
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source

from .compressed import item_order, ratings_of_columns
from .demographics import with_columns_beside
from .id_codes import as_ids
from .long import completed_schema
from .rating_marks import RatingMarks

__all__ = ["read_wide"]


def read_wide(file: TabularFile, schema: RatingsSchema) -> Source:
    """Read a file with one person a line."""
    file.refuse_if_empty()
    items = _item_columns(file, schema)
    users = _users(file, schema.id)
    marks = RatingMarks(schema)
    numbers = _numbers_of_columns(file, items, marks)
    try:
        scale, codes, notes = marks.finish()
    except DataError as error:
        raise _with_columns(error, items, numbers, marks) from None
    vocabulary = Vocabulary(pl.Series(items, dtype=pl.String))
    order = item_order(vocabulary, schema.sensitive)
    columns = _compressed_columns(numbers, order[0], codes, scale.dtype)
    records = ratings_of_columns(users, vocabulary, order, scale, columns, "refuse")
    said = [f"Each line is one person; {len(items):,} columns are items."]
    said += ["0 and an empty field mean that somebody does not have the item."] if schema.kind == "sets" else []
    said += [f"Not read: {', '.join(map(repr, schema.ignore))}."] if schema.ignore else []
    settings = {"layout": "wide", "labels": {**file.labels, **schema.labels}, **file.settings}
    understood = completed_schema(schema, records.scale, settings)
    return with_columns_beside(Source(records, understood, (*file.notes, *said, *notes), file.names), file)


def _item_columns(file: TabularFile, schema: RatingsSchema) -> list[str]:
    """Return the item columns in file order."""
    named = [*schema.id, *schema.ignore, *schema.sensitive, *(schema.items or ()), *schema.columns]
    absent = [name for name in named if name not in file.names]
    if absent:
        raise SchemaError(
            f"{file.name} has no column {absent[0]!r}, which the schema names.",
            f"{nearest_name(absent[0], file.names)}Write names as in the header line, or say header = false if "
            "there is none.",
        )
    if schema.items is None:
        items = [name for name in file.names if name not in (*schema.id, *schema.ignore, *schema.columns)]
    else:
        items = [name for name in file.names if name in (*schema.items, *schema.sensitive)]
        rest = [name for name in file.names if name not in named]
        if rest:
            raise SchemaError(
                f"The schema does not say what the column {rest[0]!r} of {file.name} is.",
                "List it in items, id, ignore or sensitive, or give it a role under [columns].",
            )
    if not items:
        raise SchemaError(f"No column of {file.name} is left as an item.", "List fewer columns in id and ignore.")
    return items


def _users(file: TabularFile, ids: tuple[str, ...]) -> Vocabulary:
    """Name people by their id column, or by row numbers if there is none or more than one."""
    if len(ids) != 1:
        return Vocabulary.numbered(file.rows)
    values = file.frame(ids[0]).to_series()
    values = values.cast(pl.Int64, strict=False) if values.dtype.is_integer() else as_ids(values.cast(pl.String))
    missing = values.null_count() + (int((values == "").sum()) if values.dtype == pl.String else 0)
    if missing:
        raise DataError(
            f"{missing:,} ids are empty in column {ids[0]!r}.", "Give every person an id, or list the column in ignore."
        )
    repeated = len(values) - values.n_unique()
    if repeated:
        raise DataError(
            f"{repeated:,} lines repeat an id of the column {ids[0]!r}, but each person must have one line.",
            "Correct the ids, or list the column in ignore.",
        )
    return Vocabulary(values)


def _numbers_of_columns(file: TabularFile, items: list[str], marks: RatingMarks) -> list[np.ndarray]:
    """Return for each item the number of each person's mark."""
    parts: list[list[np.ndarray]] = [[] for _ in items]
    for batch in file.batches(*items):
        for part, item in zip(parts, items, strict=True):
            part.append(marks.add(batch[item]))
    return [np.concatenate(part) for part in parts]


def _with_columns(error: DataError, items: list[str], numbers: list[np.ndarray], marks: RatingMarks) -> DataError:
    """Add to an error the columns that it concerns."""
    at = [item for item, column in zip(items, numbers, strict=True) if np.isin(column, marks.refused).any()]
    if not at:
        return error
    listed = ", ".join(map(repr, at[:5])) + (f" and {len(at) - 5} more" if len(at) > 5 else "")
    return DataError(f"{error.message[:-1]}, in the column{'s' * (len(at) > 1)} {listed}.", error.cure)


def _compressed_columns(
    numbers: list[np.ndarray], order: np.ndarray, codes: np.ndarray, dtype: type
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where the ratings of each item begin, who gave them, and their codes."""
    starts = np.zeros(len(order) + 1, np.int64)
    rows, kept = [], []
    for place, item in enumerate(order):
        column = codes[numbers[item]]
        rated = np.flatnonzero(column >= 0)
        starts[place + 1] = starts[place] + len(rated)
        rows.append(rated.astype(np.int32))
        kept.append(column[rated].astype(dtype))
    return starts, np.concatenate(rows), np.concatenate(kept)
