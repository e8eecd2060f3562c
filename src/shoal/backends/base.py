"""Rows in partitions: the few things that every backend can do with them.

A row is a line of a Polars frame, wherever it is. Functions that are given to a backend may run in another process or
on another machine, more than once, and in any order. So they are plain objects that can be pickled, they depend on
nothing but their input, and what is drawn at random is drawn once and persisted before anything else is made of it.
No method but :meth:`Partitions.collect` brings rows into this process, and that is for results that are small.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

import polars as pl

__all__ = ["Backend", "BatchFunction", "Columns", "InParts", "PartitionFunction", "Partitions", "Scannable", "Shared"]

Columns = Mapping[str, pl.DataType]
"""The names and types of columns, in their order."""

T_co = TypeVar("T_co", covariant=True)


class BatchFunction(Protocol):
    """Makes rows of rows; the result must not depend on how rows are divided into batches, but for its meaning."""

    def __call__(self, batch: pl.DataFrame, /) -> pl.DataFrame:
        """Return the rows made of a batch."""
        ...


class PartitionFunction(Protocol):
    """Makes rows of all the rows of a partition."""

    def __call__(self, rows: pl.DataFrame, number: int, /) -> pl.DataFrame:
        """Return the rows made of the partition of this number."""
        ...


class Shared(Protocol, Generic[T_co]):
    """A value that functions use wherever they run: sent there once, and not with each function."""

    @property
    def value(self) -> T_co:
        """The value itself."""
        ...


class Scannable(Protocol):
    """A file, or several, that can be read in batches or as a lazy frame."""

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    @property
    def rows(self) -> int:
        """How many rows it has."""
        ...

    @property
    def scan(self) -> pl.LazyFrame:
        """The rows, not read yet."""
        ...

    def batches(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield these columns in batches of rows."""
        ...


@runtime_checkable
class InParts(Protocol):
    """A file that may be made of several."""

    @property
    def parts(self) -> Sequence[tuple[pl.LazyFrame, int]]:
        """The rows of each, not read yet, and how many; empty if it is one."""
        ...


class Partitions(ABC):
    """Rows in partitions. Nothing is computed before it is shuffled, persisted or collected."""

    def __init__(self, columns: Columns) -> None:
        self.columns = dict(columns)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.columns)} columns)"

    @abstractmethod
    def map_batches(self, function: BatchFunction, columns: Columns) -> "Partitions":
        """Return what a function makes of batches of rows; its result has these columns."""

    @abstractmethod
    def map_partitions(self, function: PartitionFunction, columns: Columns) -> "Partitions":
        """Return what a function makes of whole partitions, which must have been shuffled or persisted before.

        A partition without rows comes as an empty frame, or not at all.
        """

    @abstractmethod
    def shuffle(self, by: str, rows: int, title: str) -> "Partitions":
        """Return the rows in other partitions: those with the same value of a UInt64 column are in the same one.

        ``rows`` is how many there are at most, so that each partition fits into memory. Which partition that is, and
        in which order rows are, is not determined.
        """

    @abstractmethod
    def union(self, *others: "Partitions") -> "Partitions":
        """Return these rows and those of others of the same backend, which have the same columns.

        They have no partitions before they are shuffled or persisted; persisted, each has rows of one of them.
        """

    @abstractmethod
    def persist(self, title: str) -> "Partitions":
        """Return the same rows, computed once, whatever is made of them later."""

    def count(self, title: str) -> int:
        """Return how many rows there are."""
        return int(self.map_batches(_height, _HEIGHT).collect(title)["rows"].sum())

    @abstractmethod
    def collect(self, title: str) -> pl.DataFrame:
        """Return all rows in this process, in any order: only for results that are small."""


_HEIGHT: Columns = {"rows": pl.Int64()}


def _height(batch: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({"rows": [batch.height]}, schema=dict(_HEIGHT))


_GROUP_BYTES = 400
"""How much memory a group takes in this process while a lattice is searched, in bytes."""


class Backend(AbstractContextManager["Backend"], ABC):
    """A place where rows are kept and functions run; whatever it keeps is gone when the block ends."""

    name: ClassVar[str]

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def scan(self, file: Scannable, *columns: str, number: str | None = None) -> Partitions:
        """Return these columns of a file.

        If a ``number`` is asked for, a last column of this name has the number of each row in the file, from 0: UInt64.
        """

    @abstractmethod
    def shared(self, value: T_co) -> Shared[T_co]:
        """Return a value for functions to use."""

    def refuse_unseen(self, *folders: Path) -> None:
        """Refuse folders that are not seen wherever functions run."""

    @property
    @abstractmethod
    def memory(self) -> int:
        """How many bytes this process may take."""

    @property
    def most_groups(self) -> int:
        """How many groups with their counts may be brought into this process."""
        return self.memory // _GROUP_BYTES

    @property
    @abstractmethod
    def most_records(self) -> int:
        """How many records may be together in one partition for a method that works in memory."""
