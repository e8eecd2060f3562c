"""The ratings of one person who looks themselves up in a release."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.data import Scale
from shoal.errors import DataError, InputError, SchemaError
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.frames import ReadableData, is_frame, open_data
from shoal.io.schemas import RatingsSchema
from shoal.wording.format import format_count

from .column_names import named_column
from .dated_items import date_column, dated_items
from .rating_marks import RatingMarks

__all__ = ["OwnRatings", "codes_on_scale", "own_file", "read_own_ratings"]


@dataclass(frozen=True, eq=False, repr=False)
class OwnRatings:
    """Items and how one person rated them."""

    items: pl.Series
    """The items as text, each once."""
    codes: np.ndarray
    """The ratings as codes of a scale; −1 for an item that the person did not rate."""

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"OwnRatings({len(self):,} items)"


def own_file(data: ReadableData) -> TabularFile:
    """Open what somebody says of themselves; a frame is mostly a form that was filled in, and is called so."""
    file = open_data(data)
    return replace(file, name="your entries") if is_frame(data) else file


def read_own_ratings(data: ReadableData, schema: RatingsSchema, scale: Scale) -> OwnRatings:
    """Read a file with one rating a line: the item and the rating on a scale, empty if the item was not rated.

    Of sets the item is enough: a line without a rating says that the person has it.
    Columns are recognized by their names in the ``schema`` of the release, or by usual names.
    """
    file = own_file(data)
    file.refuse_if_empty()
    item, rating = _columns(file, schema)
    dates = _dates(file, schema)
    frame = file.frame(item, *(() if rating is None else (rating,)), *dates)
    items = frame[item].cast(pl.String).str.strip_chars().rename("")
    if dates:
        items = dated_items(items, frame[dates[0]], schema).rename("")
    _refuse_items(items, file.name)
    if rating is None:
        return OwnRatings(items, np.zeros(len(items), np.int64))
    return OwnRatings(items, codes_on_scale(frame[rating], schema, scale))


def _columns(file: TabularFile, schema: RatingsSchema) -> tuple[str, str | None]:
    item = schema.item if schema.item in file.names else named_column(file.names, "item")
    rating = schema.rating if schema.rating in file.names else named_column(file.names, "rating")
    if item is not None and rating is None and schema.kind == "sets":
        return item, None
    if item is None or rating is None or item == rating:
        # no name is printed: where the header was forgotten, it is a rating
        what, head = ("items", "item") if schema.kind == "sets" else ("items and ratings", "item,rating")
        raise SchemaError(
            f"It is not clear which columns of {file.name} hold {what}.", f"Let its first line be: {head}."
        )
    return item, rating


def _dates(file: TabularFile, schema: RatingsSchema) -> tuple[str, ...]:
    """Return the column of dates, where the release has periods."""
    column = date_column(schema, "date")
    if column and column[0] not in file.names:
        raise SchemaError(
            f"The release says when ratings were given, and {file.name} does not.",
            f"Add a column {column[0]!r} with dates or periods.",
        )
    return column


def _refuse_items(items: pl.Series, name: str) -> None:
    missing = items.null_count() + int((items == "").sum())
    if missing:
        verb = "has" if missing == 1 else "have"
        raise DataError(f"{format_count(missing, 'line')} of {name} {verb} no item.", "Name an item on every line.")
    repeated = len(items) - items.n_unique()
    if repeated:
        verb = "repeats" if repeated == 1 else "repeat"
        raise DataError(f"{format_count(repeated, 'line')} of {name} {verb} an item.", "List every item once.")


def codes_on_scale(marks: pl.Series, schema: RatingsSchema, scale: Scale) -> np.ndarray:
    """Return the ratings of one person as codes of a scale, −1 for none."""
    lowest, highest, step = (float(number) for number in (scale.lowest, scale.highest, scale.step))
    settings = {} if schema.kind == "sets" else {"scale": (lowest, highest), "step": step}
    known = RatingMarks(RatingsSchema(kind=schema.kind, null=schema.null, **settings))
    numbers = known.add(marks)
    try:
        _, codes, _ = known.finish()
    except InputError:
        raise _off_scale(schema, lowest, highest, step) from None
    return codes[numbers].astype(np.int64)


def _off_scale(schema: RatingsSchema, lowest: float, highest: float, step: float) -> DataError:
    if schema.kind == "sets":
        return DataError("One of your answers is neither 0 nor a count.", "Write 1 for an item that you have, or 0.")
    return DataError(
        f"One of your ratings is not on the scale of the release, from {lowest:g} to {highest:g} in steps of {step:g}.",
        "Write each rating as a number on that scale, or leave it empty where you gave none.",
    )
