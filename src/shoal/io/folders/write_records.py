"""Write records to a file, a block of them at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.data import Column, Microdata, RatingMatrix, Ratings, Records, Survey
from shoal.data.item_periods import without_periods
from shoal.io.formats.formula_escapes import has_formulas
from shoal.io.formats.parquet.parquet import Parquet
from shoal.io.formats.parquet.profiles import CompleteProfiles, write_profiles
from shoal.io.formats.registry import writable_format
from shoal.io.formats.write_frames import Blocks, write_frames
from shoal.io.frames.kept_types import as_it_came
from shoal.io.schemas import RatingsSchema, Schema
from shoal.io.schemas.schema_of import lacks_observable
from shoal.io.write_errors import unwritable_as_error
from shoal.progress import stage

__all__ = ["as_written", "record_blocks", "with_escaped_formulas", "write_records"]

_CELLS_A_BLOCK = 1 << 22
Types = Mapping[str, pl.DataType]


def write_records(
    records: Records, schema: Schema, path: str | Path, types: Mapping[str, pl.DataType] | None = None
) -> None:
    """Write records as the schema says: one rating a line, one person a line, or a table.

    The ending of the path chooses the format, such as ``.csv`` or ``.parquet``. Ratings are written as numbers of
    their scale, null as an empty field; of sets, an item that somebody has is 1, or a line of its own. Reading the file
    with the same schema returns the same records, except that the long layout leaves out items that nobody rated; a
    person without ratings is a line with an empty rating. The demographics of a survey are columns of a wide file, or
    a file beside a long one, which the schema names. ``types`` are those that the columns came in: a format that keeps
    types gets them back.
    """
    kept = types if types is not None and writable_format(Path(path)).keeps_types else {}
    profiles = _complete_profiles(records, schema, kept) if isinstance(writable_format(Path(path)), Parquet) else None
    if profiles is not None and profiles.can_be_written:
        _write_profiles(profiles, Path(path))
        return
    write_frames(record_blocks(records, schema, kept), len(records), path, schema)
    if isinstance(records, Survey) and isinstance(schema, RatingsSchema) and schema.attributes is not None:
        beside = Path(path).parent / Path(schema.attributes.file).name
        write_frames(_blocks_of_attributes(records, schema, kept), len(records), beside, schema)


def _complete_profiles(records: Records, schema: Schema, types: Types) -> CompleteProfiles | None:
    """Return ratings to be written one a line as codes, if all records rate the same items."""
    if not isinstance(records, Ratings) or not isinstance(schema, RatingsSchema) or schema.layout == "wide":
        return None
    matrix, scale = records.observable, records.scale
    if records.is_sets or schema.dates is not None or len(records.sensitive.items):
        return None
    rated = matrix.items_of_all
    if rated is None:
        return None
    user, item, rating = schema.user or "user", schema.item or "item", schema.rating or "rating"
    points = pl.Series(rating, scale.decode(np.arange(scale.points)))
    items = matrix.items.take(rated).rename(item)
    return CompleteProfiles(
        records.users.values.rename(user),
        items.cast(types.get(item, items.dtype), strict=False),
        points.cast(types.get(rating, points.dtype), strict=False),
        matrix.codes.reshape(len(records), len(items)),
    )


def _write_profiles(profiles: CompleteProfiles, path: Path) -> None:
    with unwritable_as_error(path), stage(f"writing {path.name}", len(profiles.ids)) as progress:
        write_profiles(profiles, path, progress.advance)


def as_written(records: Records, schema: Schema) -> Records:
    """Return records as a reader of their file has them: the long layout leaves out items that nobody rated."""
    if isinstance(records, Survey):
        ratings = as_written(records.ratings, schema)
        assert isinstance(ratings, Ratings)
        return replace(records, ratings=ratings)
    if not isinstance(records, Ratings) or not isinstance(schema, RatingsSchema) or schema.layout == "wide":
        return records
    matrix = records.observable
    rated = np.flatnonzero(np.bincount(matrix.indices, minlength=len(matrix.items)))
    if len(rated) in (0, len(matrix.items)):  # of a release without ratings an item is named all the same
        return records
    places = np.zeros(len(matrix.items), np.int32)
    places[rated] = np.arange(len(rated))
    indices = places[matrix.indices]
    return replace(records, observable=replace(matrix, items=matrix.items.select(rated), indices=indices))


def with_escaped_formulas(schema: Schema, records: Records) -> Schema:
    """Return the schema to write records as text with: it says whether cells are escaped against formulas."""
    first = next(record_blocks(records, schema))[1]  # empty except for the names of the columns
    escaped: dict[str, Any] = {"escaped_formulas": has_formulas(records, first.columns)}
    if isinstance(schema, RatingsSchema) and schema.attributes is not None:
        escaped["attributes"] = schema.attributes.model_copy(update=escaped)
    return schema.model_copy(update=escaped)


def record_blocks(records: Records, schema: Schema, types: Mapping[str, pl.DataType] | None = None) -> Blocks:
    """Return records as frames, a block of them at a time, in the types that are kept of their columns."""
    if isinstance(records, Microdata):
        return _blocks_of_table(records, types or {})
    assert isinstance(schema, RatingsSchema)
    ratings = records.ratings if isinstance(records, Survey) else records
    assert isinstance(ratings, Ratings)
    if schema.layout != "wide":
        return _blocks_of_ratings(ratings, schema, types or {})
    people = _blocks_of_people(ratings, schema, types or {})
    if not isinstance(records, Survey):
        return people
    return _beside(people, _columns_of(records.table, types or {}), len(schema.id[:1]))


def _beside(people: Blocks, columns: list[pl.Series], at: int) -> Blocks:
    """Put the columns of demographics before the items, which begin with column number ``at``."""
    start = 0
    for n, frame in people:
        here = [column.slice(start, n) for column in columns]
        yield n, pl.DataFrame([*frame.get_columns()[:at], *here, *frame.get_columns()[at:]])
        start += n


def _blocks_of_attributes(survey: Survey, schema: RatingsSchema, types: Types) -> Blocks:
    """Return the demographics with the id of each person before them."""
    assert schema.attributes is not None
    user = schema.attributes.user or schema.user or "user"
    frame = pl.DataFrame([survey.ratings.users.values.rename(user), *_columns_of(survey.table, types)])
    yield 0, frame.clear()
    yield len(frame), frame


def _columns_of(table: Microdata, types: Types) -> list[pl.Series]:
    return [_cells(each, _words_of(each, types), slice(0, len(table))) for each in table.columns]


def _words_of(column: Column, types: Types) -> pl.Series:
    """Return the vocabulary of a column in the type it came in, or all its values where it is not encoded."""
    values = column.vocabulary.values if column.is_encoded else column.values
    return as_it_came(values, types.get(column.name)).rename(column.name)


def _cells(column: Column, words: pl.Series, rows: slice) -> pl.Series:
    return words.gather(column.codes[rows]) if column.is_encoded else words[rows]


def _blocks_of_table(table: Microdata, types: Types) -> Blocks:
    size = max(_CELLS_A_BLOCK // len(table.columns), 1)
    columns = [(each, _words_of(each, types)) for each in table.columns]
    for start, end in _spans(len(table), size):
        yield end - start, pl.DataFrame([_cells(column, words, slice(start, end)) for column, words in columns])


def _blocks_of_people(ratings: Ratings, schema: RatingsSchema, types: Types) -> Blocks:
    parts = [part for part in (ratings.observable, ratings.sensitive) if len(part.items)]
    size = max(_CELLS_A_BLOCK // max(sum(len(part.items) for part in parts), 1), 1)
    for start, end in _spans(len(ratings), size):
        ids = [ratings.users.values.slice(start, end - start).rename(schema.id[0])] if schema.id else []
        columns = [column for part in parts for column in _item_columns(part, start, end, ratings)]
        columns = [column.cast(types.get(column.name, column.dtype)) for column in columns]
        yield end - start, pl.DataFrame([*ids, *columns])


def _item_columns(part: RatingMatrix, start: int, end: int, ratings: Ratings) -> list[pl.Series]:
    """Return one column per item, null where it was not rated; in sets, 0 where somebody does not have it."""
    begin, stop = part.indptr[start], part.indptr[end]
    rows = np.repeat(np.arange(end - start), np.diff(part.indptr[start : end + 1]))
    dense = np.zeros((len(part.items), end - start), ratings.scale.decode(part.codes[:0]).dtype)
    given = np.zeros(dense.shape, bool)
    dense[part.indices[begin:stop], rows] = ratings.scale.decode(part.codes[begin:stop])
    given[part.indices[begin:stop], rows] = True
    columns = []
    for name, values, is_given in zip(part.items.values.cast(pl.String), dense, given, strict=True):
        column = pl.DataFrame({"value": values, "given": is_given})
        absent = pl.lit(0 if ratings.is_sets else None)
        columns.append(column.select(pl.when("given").then("value").otherwise(absent).alias(name)).to_series())
    return columns


def _blocks_of_ratings(ratings: Ratings, schema: RatingsSchema, types: Types) -> Blocks:
    names = (schema.user or "user", schema.item or "item", schema.rating or "rating")
    written = names[:2] if ratings.is_sets and schema.rating is None else names
    per_person = max(ratings.n_ratings // max(len(ratings), 1), 1)
    size = max(_CELLS_A_BLOCK // per_person, 1)
    for start, end in _spans(len(ratings), size):
        users, items, codes = _entries(ratings, start, end)
        values = pl.Series(ratings.scale.decode(codes))
        lines = pl.DataFrame([ratings.users.take(users), items, values], schema=names)
        kept = names[1:] if schema.dates is None else names[2:]  # a pair of item and period is text
        lines = lines.cast({name: types[name] for name in kept if name in types})  # type: ignore[arg-type]
        frame = pl.concat([lines, *_empty_lines(ratings, start, end, lines)]).select(written)
        yield end - start, frame if schema.dates is None else _with_dates(frame, names[1], schema.date or "date", types)


def _with_dates(lines: pl.DataFrame, item: str, date: str, types: Types) -> pl.DataFrame:
    """Return lines with items and periods in two columns."""
    items, periods = without_periods(lines[item].cast(pl.String))
    return lines.with_columns(items.cast(types.get(item, pl.String())).alias(item), periods.alias(date))


def _entries(ratings: Ratings, start: int, end: int) -> tuple[np.ndarray, pl.Series, np.ndarray]:
    """Return users, items and codes of a span of people: observable and sensitive, person by person."""
    people, items, codes = [], [], []
    for part in (ratings.observable, ratings.sensitive):
        begin, stop = part.indptr[start], part.indptr[end]
        people.append(np.repeat(np.arange(start, end), np.diff(part.indptr[start : end + 1])))
        # a part without items has no type of its own
        items += [part.items.take(part.indices[begin:stop])] if len(part.items) else []
        codes.append(part.codes[begin:stop])
    users = np.concatenate(people)
    if len(items) == 1 and len(codes[0]) == len(users):  # nothing is sensitive, so the order is right already
        return users, items[0], codes[0]
    order = np.argsort(users, kind="stable")
    together = pl.concat(items) if items else pl.Series(dtype=pl.String)
    return users[order], together.gather(order), np.concatenate(codes)[order]


def _empty_lines(ratings: Ratings, start: int, end: int, like: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield a line with an empty rating for each person without ratings, and for each sensitive item without.

    Where nobody rated an item that others may know, one is named all the same: readers see that there are such items.
    """
    given = np.diff(ratings.observable.indptr[start : end + 1]) + np.diff(ratings.sensitive.indptr[start : end + 1])
    silent = start + np.flatnonzero(given == 0)
    if not len(silent) and start == 0 < end and lacks_observable(ratings):
        silent = np.zeros(1, np.int64)
    part = ratings.observable if len(ratings.observable.items) else ratings.sensitive
    if len(silent) and len(part.items):
        # an item that others rate: the name of one that was left out would reveal that somebody rated it
        named = np.full(len(silent), part.indices[0] if part.n_ratings else 0, np.int64)
        yield _lines_without_rating(ratings.users.take(silent), part.items.take(named), like)
    if start == 0 < end:
        rated = np.bincount(ratings.sensitive.indices, minlength=len(ratings.sensitive.items))
        unrated = ratings.sensitive.items.take(np.flatnonzero(rated == 0))
        if len(unrated):
            yield _lines_without_rating(ratings.users.take(np.zeros(len(unrated), np.int64)), unrated, like)


def _lines_without_rating(users: pl.Series, items: pl.Series, like: pl.DataFrame) -> pl.DataFrame:
    nothing = pl.repeat(None, len(users), dtype=like.dtypes[2], eager=True)
    return pl.DataFrame([users, items, nothing], schema=like.schema)


def _spans(n: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield an empty span first, then all records in spans of ``size``."""
    yield 0, 0
    for start in range(0, n, size):
        yield start, min(start + size, n)
