"""The long layout, one rating a line: user, item and rating; other columns are not read.

Of sets, a line says that a user has an item; there may be a column of counts, and is none in most files.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.assumed import assume
from shoal.data import Ratings, Scale
from shoal.errors import SchemaError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.nearest_name import nearest_name
from shoal.io.schemas import RatingsSchema
from shoal.io.source import Source

from .column_names import What, count_column, named_column
from .compressed import Duplicates, GatheredRatings, compressed_ratings
from .dated_items import date_column, dated_items, sensitive_pairs
from .id_codes import IdCodes
from .rating_marks import RatingMarks
from .recognition import RatingColumns, recognized_columns

__all__ = [
    "LongLayout",
    "completed_schema",
    "long_layout",
    "parallel_columns",
    "ratings_of_batches",
    "read_long",
]


def read_long(file: TabularFile, schema: RatingsSchema | None, duplicates: Duplicates) -> Source:
    """Read a file with one rating a line, or with one item of a set a line; without a schema, its columns say which."""
    layout = long_layout(file, schema)
    schema, chosen = layout.schema, layout.names
    batches = (layout.series(batch) for batch in file.batches(*chosen))
    records, notes = ratings_of_batches(batches, schema, duplicates)
    rest = [name for name in file.names if name not in chosen]
    said = [layout.said()]
    said += [f"Not read: {', '.join(map(repr, rest))}."] if rest else []
    understood = layout.schema_of(file, records.scale)
    return Source(records, understood, (*file.notes, *said, *notes), file.names)


@dataclass(frozen=True)
class LongLayout:
    """Which columns of a file hold users, items and ratings, and how they are read."""

    columns: RatingColumns
    schema: RatingsSchema

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are read."""
        return (*self.columns.names, *date_column(self.schema))

    def series(self, batch: pl.DataFrame) -> tuple[pl.Series, pl.Series, pl.Series]:
        """Return users, items and ratings of a batch; where there is no column of ratings, every line counts as one."""
        rating, dates = self.columns.rating, date_column(self.schema)
        marks = pl.repeat(1, batch.height, dtype=pl.Int8, eager=True) if rating is None else batch[rating]
        items = batch[self.columns.item]
        pairs = dated_items(items, batch[dates[0]], self.schema) if dates else items
        return batch[self.columns.user], pairs, marks

    def schema_of(self, file: TabularFile, scale: Scale) -> RatingsSchema:
        """Return the schema completed by what was recognized in a file, and by the scale of its ratings."""
        found = self.columns
        settings = {"layout": "long", "user": found.user, "item": found.item, "rating": found.rating, **file.settings}
        settings["labels"] = {**file.labels, **self.schema.labels}
        return completed_schema(self.schema, scale, settings)

    def said(self) -> str:
        """Say what a line is, and which columns are read."""
        read = zip(("user", "item", "rating"), self.columns.names, strict=False)
        columns = [f"{name!r} ({what})" for what, name in read]
        listed = f"{', '.join(columns[:-1])} and {columns[-1]}"
        one = "one item that somebody has" if self.schema.kind == "sets" else "one rating"
        if not self.columns.unmistakable:
            return assume(f"Each line is taken for {one}, by the names and the shape of the columns {listed}.")
        return f"Each line is {one}: the columns are {listed}."


def long_layout(file: TabularFile, schema: RatingsSchema | None) -> LongLayout:
    """Return how a file with records is read; without a schema, its columns say whether it holds ratings or sets."""
    file.refuse_if_empty()
    schema = schema or _recognized_schema(file)
    return LongLayout(_chosen_columns(file, schema), schema)


def _recognized_schema(file: TabularFile) -> RatingsSchema:
    found = recognized_columns(file)
    return RatingsSchema(kind="sets" if found is not None and found.rating is None else "ratings")


def ratings_of_batches(
    batches: Iterable[tuple[pl.Series, pl.Series, pl.Series]], schema: RatingsSchema, duplicates: Duplicates
) -> tuple[Ratings, tuple[str, ...]]:
    """Build records from batches of three series: users, items and ratings. In sets, what is repeated counts once."""
    duplicates = "last" if schema.kind == "sets" else duplicates
    users, items, marks = IdCodes("user"), IdCodes("item"), RatingMarks(schema)
    gathered = GatheredRatings()
    for parts in parallel_columns((users.add, items.add, marks.add), batches):
        gathered.add(*parts)
    scale, codes, notes = marks.finish()
    named, sensitive = items.finish(), schema.sensitive
    if schema.dates is not None:
        sensitive = sensitive_pairs(named[0].values.cast(pl.String), sensitive)
    records = compressed_ratings(gathered, users.finish(), named, (scale, codes), sensitive, duplicates)
    return records, (*notes, *_notes(schema, duplicates))


def _notes(schema: RatingsSchema, duplicates: Duplicates) -> Iterator[str]:
    """Say what is done with an item that somebody has, or rated, several times."""
    if schema.kind == "sets":
        once = "counts once" if schema.dates is None else f"counts once for every {schema.dates}"
        yield f"An item that somebody has several times {once}."
        return
    if schema.dates is not None:
        yield f"An item counts once for every {schema.dates} in which it was rated."
    if duplicates != "refuse":
        yield f"Repeated ratings of an item by a user are merged: {duplicates}."


def completed_schema(schema: RatingsSchema, scale: Scale, settings: dict[str, Any]) -> RatingsSchema:
    """Return the schema completed by what was recognized."""
    if schema.kind == "sets":
        return RatingsSchema(**{**schema.model_dump(), **settings})
    ends = tuple(int(end) if end.denominator == 1 else float(end) for end in (scale.lowest, scale.highest))
    step = int(scale.step) if scale.step.denominator == 1 else float(scale.step)
    return RatingsSchema(**{**schema.model_dump(), **settings, "scale": ends, "step": step})


def _chosen_columns(file: TabularFile, schema: RatingsSchema) -> RatingColumns:
    """Return the columns that the schema names; those that it omits are found by their names."""
    declared: dict[What, str | None] = {"user": schema.user, "item": schema.item, "rating": schema.rating}
    recognized = recognized_columns(file) if None in declared.values() else None
    chosen: dict[What, str] = {}
    optional = schema.kind == "sets" and schema.rating is None
    for what, said in declared.items():
        if said is not None and said not in file.names:
            raise SchemaError(
                f"{file.name} has no column {said!r}, which the schema names as {what}.",
                f"{nearest_name(said, file.names)}Write it as in the header line, or say header = false and "
                "names = […] if there is none.",
            )
        name = said or (getattr(recognized, what) if recognized else named_column(file.names, what))
        if optional and what == "rating":
            name = count_column([name for name in file.names if name not in schema.ignore])
            if name is None:
                continue
        if name is None:
            raise SchemaError(
                f"It is not clear which column of {file.name} holds the {what}s.",
                f'Say so in the schema: {what} = "name of the column"; and header = false if it has no header line.',
            )
        chosen[what] = name
    if len(set(chosen.values())) < len(chosen) or schema.date in chosen.values():
        raise SchemaError(
            "User, item, rating and date must be different columns.",
            'Name another column for one of them in the schema, as in rating = "stars".',
        )
    if schema.dates is not None and schema.date is None:
        raise SchemaError(
            f"It is not clear which column of {file.name} holds the dates.",
            'Say so in the schema: date = "name of the column".',
        )
    _refuse_unknown(file, (*schema.ignore, *schema.id, *date_column(schema)))
    return RatingColumns(**chosen, unmistakable=recognized is None or recognized.unmistakable)


def _refuse_unknown(file: TabularFile, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in file.names:
            raise SchemaError(
                f"{file.name} has no column {name!r}, which the schema names.",
                f"{nearest_name(name, file.names)}Take it out of id and ignore, or write it as in the header line.",
            )


def parallel_columns(
    functions: Sequence[Callable[[Any], Any]], batches: Iterable[Sequence[Any]]
) -> Iterator[tuple[Any, ...]]:
    """Apply one function to each column, batch by batch, all functions in parallel.

    Each function has a thread of its own, so it sees its columns in order and may keep state; compiled loops release
    the interpreter lock. One batch is read ahead, no more.
    """
    with ExitStack() as stack:
        threads = [stack.enter_context(ThreadPoolExecutor(1)) for _ in functions]
        ahead: list[Future[Any]] | None = None
        for batch in batches:
            begun = [
                thread.submit(function, column)
                for thread, function, column in zip(threads, functions, batch, strict=True)
            ]
            if ahead is not None:
                yield tuple(future.result() for future in ahead)
            ahead = begun
        if ahead is not None:
            yield tuple(future.result() for future in ahead)
