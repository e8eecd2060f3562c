"""Ratings that stay on disk because they would not fit into memory."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from shoal.assumed import assume
from shoal.backends.spark import SparkFrame, SparkTable, is_spark_frame
from shoal.errors import SchemaError, WordingError
from shoal.io import Data
from shoal.io.formats import Location
from shoal.io.formats.data_files import folder_schema
from shoal.io.formats.tabular_file import TabularFile
from shoal.io.ratings.compressed import Duplicates
from shoal.io.ratings.long import LongLayout, long_layout
from shoal.io.read import open_long, saying_what_to_write
from shoal.io.schema_beside import schema_beside
from shoal.io.schemas import GivenSchema, RatingsSchema, TableSchema, given_schema

from .asked_engine import OpenCluster, Where
from .engine_choice import (
    bytes_allowed,
    certainly_fits,
    is_in_files,
    none_unless,
    opened_backend,
    schema_of,
    tell_on_disk,
)
from .frame_on_cluster import frame_on_cluster

if TYPE_CHECKING:
    from shoal.partitioned.ratings import PartitionedRatings

__all__ = ["RatingsOnDisk", "opened_ratings", "ratings_on_disk"]

_RATING_BYTES = 20
"""How much memory a rating takes while it is read and checked, in bytes."""


@dataclass(frozen=True)
class RatingsOnDisk:
    """Ratings, one a line, that are not read into memory."""

    data: str | Path | Location | None
    """None: the ratings are a DataFrame of Spark."""
    file: TabularFile
    layout: LongLayout
    memory: int
    """How many bytes may be used."""
    declared: bool
    """Whether there is a schema; if not, errors say what to write into one."""
    where: Literal["stream"] | OpenCluster = "stream"
    schema_file: Path | None = None
    """The schema that was found beside the data and taken."""


def _no_obstacle() -> WordingError | None:
    return None


def ratings_on_disk(
    data: Data | SparkFrame,
    schema: GivenSchema | None,
    engine: Where,
    memory: str | None,
    duplicates: Duplicates = "refuse",
    obstacle: Callable[[], WordingError | None] = _no_obstacle,
    *,
    with_people: bool = False,
) -> RatingsOnDisk | None:
    """Return the ratings that are to stay on disk; None where the data are no ratings, or to be read into memory.

    ``obstacle`` says why what is to be done with ratings can be done in memory alone, if it can. Records that state how
    many people they stand for may stay on disk ``with_people``.
    """
    allowed = bytes_allowed(memory)
    if is_spark_frame(data) and engine != "local":
        return _on_cluster(SparkTable(data), schema, engine, allowed, duplicates, obstacle)
    if engine == "local" or not is_in_files(data):
        return None
    if engine == "auto" and certainly_fits(data, allowed):
        return None
    given = schema_of(data, schema)
    if isinstance(given, TableSchema):
        return None
    unfit = _unfit(given, duplicates, with_people=with_people)
    if unfit is not None:
        return none_unless(engine, unfit)
    file = open_long(data, given)
    if file is None:
        return None
    needed = file.rows * _RATING_BYTES
    if engine == "auto" and needed <= allowed:
        return None
    why = obstacle()
    if why is not None and engine != "auto":
        raise why
    if why is not None:
        assume(f"Records are read into memory, and take about {needed >> 20:,} MiB there. {why.message}")
        return None
    if engine == "auto":
        tell_on_disk(needed, allowed)
    where = "stream" if engine == "auto" else engine
    beside = schema_beside(data) if schema is None and folder_schema(data) is None else None
    return RatingsOnDisk(data, file, long_layout(file, given), allowed, given is not None, where, beside)


def _on_cluster(
    table: SparkTable,
    schema: GivenSchema | None,
    where: Where,
    allowed: int,
    duplicates: Duplicates,
    obstacle: Callable[[], WordingError | None],
) -> RatingsOnDisk | None:
    """Return a DataFrame of Spark as ratings that stay on its cluster; None if its schema is not one of ratings."""
    given = None if schema is None else given_schema(schema)
    if not isinstance(given, RatingsSchema):
        return None
    assert isinstance(where, OpenCluster)
    if given.layout not in (None, "long"):
        raise SchemaError(
            f"Ratings in a DataFrame of Spark are one a row, and this schema says layout = {given.layout!r}.",
            "Give columns of users, items and ratings.",
        )
    if (unfit := _unfit(given, duplicates, with_people=False)) is not None:
        raise WordingError(unfit, "Give the ratings in a file, and leave out --engine spark.")
    if (why := obstacle()) is not None:
        raise why
    file = frame_on_cluster(table)
    return RatingsOnDisk(None, file, long_layout(file, given), allowed, declared=True, where=where)


@contextmanager
def opened_ratings(ratings: RatingsOnDisk) -> "Iterator[PartitionedRatings]":
    """Yield the ratings, read as far as they are without being in memory."""
    from shoal.partitioned.ratings import read_partitioned_ratings

    with ExitStack() as stack:
        backend = stack.enter_context(opened_backend(ratings.memory, ratings.where))
        if ratings.data is not None and not ratings.declared:
            stack.enter_context(saying_what_to_write(ratings.data, ratings.file))
        yield read_partitioned_ratings(ratings.file, ratings.layout, backend)


def _unfit(schema: RatingsSchema | None, duplicates: Duplicates, *, with_people: bool) -> str | None:
    """Return why ratings cannot stay on disk."""
    if duplicates != "refuse":
        return "Repeated ratings are merged in the order of the file, which is not kept on disk."
    if schema is None:
        return None
    if schema.people is not None and not with_people:
        return "A release that states numbers of people is read into memory."
    if schema.columns:
        return "A survey with demographics is read into memory."
    return "Items with a hierarchy are read into memory." if schema.hierarchy is not None else None
