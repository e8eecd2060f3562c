"""Partitions that are read from files, one after another, while functions run on several of them at a time."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from shoal.backends.base import BatchFunction, Columns, PartitionFunction, Partitions, Scannable
from shoal.backends.division import WORKING_COPIES, n_partitions, scattered
from shoal.backends.row_numbers import number_column, numbered
from shoal.errors import InternalError
from shoal.kernels.compiled import stay_on_this_thread
from shoal.progress import Stage, stage

from .spill import SpilledPartition, SpillFolder

__all__ = ["StreamSettings", "Streamed"]


@dataclass(frozen=True)
class StreamSettings:
    """How much memory and how many threads there are, and where rows are spilled."""

    folder: SpillFolder
    memory: int
    """How many bytes may be in use at a time."""
    threads: int

    def n_partitions(self, rows: int, columns: Columns) -> int:
        """Return how many partitions rows are divided into, so that each can be worked on."""
        return n_partitions(rows, columns, self.memory / self.threads)

    @property
    def divided_bytes(self) -> int:
        """How many bytes of rows are divided at a time: with copies of them, half of what a partition may take."""
        return self.memory // self.threads // WORKING_COPIES // 2


_Step = Callable[[pl.DataFrame, int], pl.DataFrame]


class _Source(Protocol):
    """Where rows come from: pieces that are loaded in any thread."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        ...

    def pieces(self) -> Iterator[Callable[[], pl.DataFrame]]:
        """Yield the loading of each piece."""
        ...


@dataclass(frozen=True)
class _Scanned:
    """Batches of a file, in its order: they are read in the thread that asks for them."""

    file: Scannable
    names: tuple[str, ...]
    number: str | None = None
    """The column that gets the numbers of rows, if one does."""

    @property
    def rows(self) -> int:
        return self.file.rows

    def pieces(self) -> Iterator[Callable[[], pl.DataFrame]]:
        end = 0
        for batch in self.file.batches(*self.names):
            first, end = end, end + batch.height  # before others have it: Polars locks a frame while it is written
            yield lambda batch=batch, first=first: numbered(batch, self.number, first)


@dataclass(frozen=True)
class _Spilled:
    """Spilled partitions, each of which is one piece."""

    parts: Sequence[SpilledPartition]
    columns: dict[str, pl.DataType]

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    def pieces(self) -> Iterator[Callable[[], pl.DataFrame]]:
        for part in self.parts:
            yield lambda part=part: part.load(self.columns)


@dataclass(frozen=True)
class _Union:
    """What several make of their pieces, one after another."""

    each: tuple["Streamed", ...]

    @property
    def rows(self) -> int:
        return sum(one.source.rows for one in self.each)

    def pieces(self) -> Iterator[Callable[[], pl.DataFrame]]:
        for one in self.each:
            for number, load in enumerate(one.source.pieces()):
                yield lambda load=load, number=number, steps=one.steps: _made(load, number, steps)[0]


class Streamed(Partitions):
    """Rows that come from a file or from spilled partitions, and the functions that they go through."""

    def __init__(self, settings: StreamSettings, source: _Source, columns: Columns, steps: tuple[_Step, ...] = ()):
        super().__init__(columns)
        self._settings, self.source, self.steps = settings, source, steps

    @classmethod
    def of_file(
        cls, settings: StreamSettings, file: Scannable, names: tuple[str, ...], number: str | None = None
    ) -> "Streamed":
        """Return some columns of a file, and the number of each row, if asked."""
        columns = file.scan.select(names).collect_schema()
        return cls(settings, _Scanned(file, names, number), {**columns, **number_column(number)})

    def map_batches(self, function: BatchFunction, columns: Columns) -> "Streamed":
        """Return what a function makes of batches of rows."""
        return self._then(lambda rows, _: function(rows), columns)

    def map_partitions(self, function: PartitionFunction, columns: Columns) -> "Streamed":
        """Return what a function makes of whole partitions."""
        if isinstance(self.source, _Scanned | _Union):
            raise InternalError("A file has no partitions before it is shuffled or persisted.")
        return self._then(function, columns)

    def _then(self, step: _Step, columns: Columns) -> "Streamed":
        return Streamed(self._settings, self.source, columns, (*self.steps, step))

    def shuffle(self, by: str, rows: int, title: str) -> "Streamed":
        """Return the rows in partitions by key, which are written before this returns."""
        parts = self._settings.folder.partitions(self._settings.n_partitions(rows, self.columns))
        dividing = _Dividing(by, parts, self._settings.divided_bytes)
        written = self._written(dividing.add, parts, title)
        dividing.finish()
        return written

    def union(self, *others: Partitions) -> "Streamed":
        """Return these rows and those of others."""
        each = (self, *(other for other in others if isinstance(other, Streamed)))
        assert len(each) == 1 + len(others)
        return Streamed(self._settings, _Union(each), self.columns)

    def persist(self, title: str) -> "Streamed":
        """Return the same rows from files, each piece a partition, which are written before this returns."""
        parts: list[SpilledPartition] = []

        def keep(made: pl.DataFrame, _: int) -> pl.DataFrame:
            (part,) = self._settings.folder.partitions(1)
            part.append(made)
            parts.append(part)
            return made.clear()

        return self._written(keep, parts, title)

    def _written(self, write: _Step, parts: Sequence[SpilledPartition], title: str) -> "Streamed":
        for _ in self._results(title, write):
            pass
        return Streamed(self._settings, _Spilled(parts, self.columns), self.columns)

    def count(self, title: str) -> int:
        """Return how many rows there are, which is known of spilled ones."""
        return self.source.rows if isinstance(self.source, _Spilled) and not self.steps else super().count(title)

    def collect(self, title: str) -> pl.DataFrame:
        """Return all rows in this process."""
        made = [rows for rows in self._results(title) if rows.height]
        return pl.concat(made, rechunk=True) if made else pl.DataFrame(schema=self.columns)

    def _results(self, title: str, *last: _Step) -> Iterator[pl.DataFrame]:
        """Yield what is made of each piece, in their order; as many pieces as there are threads are under way."""
        threads, steps = self._settings.threads, (*self.steps, *last)
        alone = stay_on_this_thread if threads > 1 else None
        with stage(title, self.source.rows) as progress, ThreadPoolExecutor(threads, initializer=alone) as pool:
            under_way: deque[Future[tuple[pl.DataFrame, int]]] = deque()
            try:
                for number, load in enumerate(self.source.pieces()):
                    under_way.append(pool.submit(_made, load, number, steps))
                    if len(under_way) > threads:
                        yield _advanced(under_way.popleft(), progress)
                while under_way:
                    yield _advanced(under_way.popleft(), progress)
            finally:
                for future in under_way:
                    future.cancel()


class _Dividing:
    """Divides rows among partitions, many at a time.

    A batch has few rows for each of many partitions. Written batch by batch, ten times the rows would make a hundred
    times as many pieces.
    """

    def __init__(self, by: str, parts: Sequence[SpilledPartition], most: int) -> None:
        """Divide rows by a column, whenever they have as many bytes as ``most``."""
        self._by, self._parts = by, parts
        self._most = most if len(parts) > 1 else 0
        self._lock = threading.Lock()
        self._waiting: list[pl.DataFrame] = []
        self._size = 0

    def add(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Take rows, in any thread; nothing is made of them but what is written."""
        with self._lock:
            self._waiting.append(rows)
            self._size += int(rows.estimated_size())
            ready = self._taken() if self._size >= self._most else []
        self._divide(ready)
        return rows.clear()

    def finish(self) -> None:
        """Divide the rows that still wait."""
        self._divide(self._taken())

    def _taken(self) -> list[pl.DataFrame]:
        taken, self._waiting, self._size = self._waiting, [], 0
        return taken

    def _divide(self, frames: list[pl.DataFrame]) -> None:
        if not frames:
            return
        for place, rows in scattered(pl.concat(frames, rechunk=True), self._by, len(self._parts)):
            self._parts[place].append(rows)


def _made(load: Callable[[], pl.DataFrame], number: int, steps: Sequence[_Step]) -> tuple[pl.DataFrame, int]:
    """Return what the steps make of a piece, and how many rows it had."""
    rows = load()
    height = rows.height
    for step in steps:
        rows = step(rows, number)
    return rows, height


def _advanced(future: "Future[tuple[pl.DataFrame, int]]", progress: Stage) -> pl.DataFrame:
    made, height = future.result()
    progress.advance(height)
    return made
