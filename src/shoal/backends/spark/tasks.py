"""What runs on the executors: rows are read, go through functions, and become blocks."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from shoal.backends.base import Columns, Shared
from shoal.backends.division import scattered
from shoal.backends.row_numbers import numbered
from shoal.errors import FileError

from .blocks import BLOCKS, blocks_of, frames_of, gathered
from .failures import told_failures
from .ranges import Range

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["ReadBlocks", "ReadColumns", "ReadRanges", "Reader", "Scatter", "Step", "Task", "made_of"]

Step = Callable[[pl.DataFrame, int], pl.DataFrame]
"""Makes rows of rows and the number of their partition."""


class Reader(Protocol):
    """Turns what Spark gives to a task into frames."""

    def __call__(self, batches: "Iterable[pa.RecordBatch]", /, *, whole: bool) -> Iterator[pl.DataFrame]:
        """Yield rows in batches, or all of the partition as one frame."""
        ...


@dataclass(frozen=True)
class ReadBlocks:
    """Rows that are blocks already."""

    columns: Columns

    def __call__(self, batches: "Iterable[pa.RecordBatch]", *, whole: bool) -> Iterator[pl.DataFrame]:
        """Yield the rows of blocks."""
        yield from gathered(frames_of(batches), self.columns, whole=whole)


@dataclass(frozen=True)
class ReadColumns:
    """Rows of a DataFrame of Spark, whose columns get their names here."""

    columns: Columns

    def __call__(self, batches: "Iterable[pa.RecordBatch]", *, whole: bool) -> Iterator[pl.DataFrame]:
        """Yield rows as frames of Polars."""
        yield from gathered((self._named(batch) for batch in batches), self.columns, whole=whole)

    def _named(self, batch: "pa.RecordBatch") -> pl.DataFrame:
        return pl.DataFrame(batch).rename(dict(zip(batch.schema.names, self.columns, strict=True)))


@dataclass(frozen=True)
class ReadRanges:
    """Rows of a file, read by Polars: Spark gives the number of a range of rows alone."""

    name: str
    plans: Shared[Sequence[bytes]]
    """The lazy frame of each part, serialized."""
    ranges: Shared[Sequence[Range]]
    per_batch: int
    number: str | None = None
    """The column that gets the numbers of rows, if one does."""

    def __call__(self, batches: "Iterable[pa.RecordBatch]", *, whole: bool) -> Iterator[pl.DataFrame]:  # noqa: ARG002
        """Yield the rows of each range; a file has no partitions, so nobody asks for a whole one."""
        for batch in batches:
            for number in batch.column("id").to_pylist():
                yield from self._read(self.ranges.value[number])

    def _read(self, some: Range) -> Iterator[pl.DataFrame]:
        seen = 0
        try:
            scan = pl.LazyFrame.deserialize(BytesIO(self.plans.value[some.part])).slice(some.begin, some.rows)
            for rows in scan.collect_batches(chunk_size=self.per_batch, maintain_order=True):
                yield numbered(rows, self.number, some.first + seen)
                seen += rows.height
        except (pl.exceptions.PolarsError, OSError):
            raise FileError(
                f"{self.name} cannot be read by the executors.",
                "It must lie where all of them see it under the same path, and they need the same version of Polars.",
            ) from None
        if seen != some.rows:
            raise FileError(f"{self.name} could not be read completely.", "Check that it is not damaged.")


@dataclass(frozen=True)
class Scatter:
    """Sends rows to partitions by their key."""

    by: str
    n: int

    def __call__(self, rows: pl.DataFrame) -> "Iterator[pa.RecordBatch]":
        """Yield blocks with the number of the partition that they go to."""
        for place, there in scattered(rows, self.by, self.n):
            yield from blocks_of(there, place)


@dataclass(frozen=True)
class Task:
    """Everything that is done with a partition in one go."""

    read: Reader
    steps: tuple[Step, ...] = ()
    whole: bool = False
    """Whether the functions need all rows of a partition at once."""
    write: "Callable[[pl.DataFrame], Iterator[pa.RecordBatch]]" = blocks_of

    def __call__(self, batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        """Yield the blocks made of a partition."""
        from pyspark import TaskContext

        with told_failures():
            context = TaskContext.get()
            number = 0 if context is None else context.partitionId()
            for rows in self.read(batches, whole=self.whole):
                for step in self.steps:
                    rows = step(rows, number)
                yield from self.write(rows)


def made_of(rows: "DataFrame", task: Task) -> "DataFrame":
    """Return the blocks that a task makes of each partition of rows."""
    # a function of its own, which Spark sends as it is; what it calls must be there already
    run: Any = lambda batches: task(batches)  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # Spark looks for pandas, which nothing here uses
        return rows.mapInArrow(run, BLOCKS)
