"""How many people each record stands for, from a file beside the data."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from shoal.data import Ratings
from shoal.errors import DataError, FileError

from .schema import RatingsSchema
from .source import Source

__all__ = ["PEOPLE_FILE", "with_people", "write_people"]

PEOPLE_FILE = "people.csv"


def with_people(source: Source) -> Source:
    """Give the source with what the file says that its schema names, if it names one."""
    schema, ratings = source.schema, source.records
    if not (isinstance(schema, RatingsSchema) and isinstance(ratings, Ratings) and schema.people is not None):
        return source
    return replace(source, records=replace(ratings, people=_numbers(Path(schema.people), ratings)))


def write_people(ratings: Ratings, path: Path) -> None:
    """Write the file that :func:`with_people` reads."""
    pl.DataFrame({"record": ratings.users.values.cast(pl.String), "people": ratings.people}).write_csv(path)


def _numbers(path: Path, ratings: Ratings) -> np.ndarray:
    try:
        told = pl.read_csv(path, infer_schema=False)
    except (OSError, pl.exceptions.PolarsError):
        raise FileError(f"The file {path.name}, which the schema names, cannot be read.") from None
    if told.width != 2:
        raise FileError(f"The file {path.name} must have two columns: the record, and how many people it stands for.")
    told.columns = ["record", "people"]
    told = told.with_columns(pl.col("people").cast(pl.Int64, strict=False))
    asked = pl.DataFrame({"record": ratings.users.values.cast(pl.String)})
    numbers = asked.join(told, on="record", how="left", maintain_order="left")["people"]
    good = len(numbers) == len(asked) == len(told) and not numbers.null_count() and bool((numbers >= 1).all())
    if not good or ratings.has_sensitive:
        raise DataError(
            f"The file {path.name} must give every record of the data once, with a whole number of at least 1, and "
            "records that stand for several people have no sensitive ratings."
        )
    return numbers.to_numpy().astype(np.int64)
