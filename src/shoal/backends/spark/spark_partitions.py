"""Partitions on a cluster: what Spark reads, and the functions that it goes through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

import polars as pl

from shoal.backends.base import BatchFunction, Columns, PartitionFunction, Partitions
from shoal.backends.division import n_partitions
from shoal.errors import ClusterError, InternalError

from .blocks import frames_of
from .failures import foreign_failures
from .staging import Staging
from .tasks import ReadBlocks, Scatter, Task, made_of
from .watched import watched

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Cluster", "SparkPartitions"]

T = TypeVar("T")


@dataclass(frozen=True)
class Cluster:
    """Where jobs run, and how large what they handle may be."""

    session: "SparkSession"
    staging: Staging
    task_memory: int
    """How many bytes the work on a partition may take."""
    most_collected: int
    """How many bytes may be brought into this process."""

    @property
    def slots(self) -> int:
        """How many tasks run at a time, as far as Spark knows."""
        return self.session.sparkContext.defaultParallelism

    def run(self, title: str, action: Callable[[], T]) -> T:
        """Return what an action of Spark gives; its failures are told in our words."""
        with foreign_failures(title, self.staging.path):
            return watched(self.session.sparkContext, title, action)


class SparkPartitions(Partitions):
    """Rows that Spark reads, and what is done with each partition of them."""

    def __init__(self, cluster: Cluster, source: "DataFrame | _Staged | _Union", columns: Columns, task: Task) -> None:
        super().__init__(columns)
        self._cluster, self._source, self._task = cluster, source, task

    def map_batches(self, function: BatchFunction, columns: Columns) -> "SparkPartitions":
        """Return what a function makes of batches of rows."""
        return self._then(_OfBatches(function), columns, whole=self._task.whole)

    def map_partitions(self, function: PartitionFunction, columns: Columns) -> "SparkPartitions":
        """Return what a function makes of whole partitions."""
        if not isinstance(self._source, _Staged):
            raise InternalError("A file has no partitions before it is shuffled or persisted.")
        return self._then(function, columns, whole=True)

    def _then(self, step: Callable[..., pl.DataFrame], columns: Columns, *, whole: bool) -> "SparkPartitions":
        task = replace(self._task, steps=(*self._task.steps, step), whole=whole)
        return SparkPartitions(self._cluster, self._source, columns, task)

    def shuffle(self, by: str, rows: int, title: str) -> "SparkPartitions":
        """Return the rows in partitions by key, which are written before this returns."""
        n = n_partitions(rows, self.columns, self._cluster.task_memory)
        blocks = self.blocks(replace(self._task, write=Scatter(by, n)))
        return self._staged(blocks.repartitionById(n, "place"), title)

    def union(self, *others: Partitions) -> "SparkPartitions":
        """Return these rows and those of others."""
        each = [self, *(other for other in others if isinstance(other, SparkPartitions))]
        assert len(each) == 1 + len(others)
        return SparkPartitions(self._cluster, _Union(each), self.columns, Task(ReadBlocks(self.columns)))

    def persist(self, title: str) -> "SparkPartitions":
        """Return the same rows from files, each partition one, which are written before this returns."""
        return self._staged(self.blocks(), title)

    def _staged(self, blocks: "DataFrame", title: str) -> "SparkPartitions":
        staged = _Staged(self._cluster.staging)
        self._cluster.run(title, lambda: staged.write(blocks))
        return SparkPartitions(self._cluster, staged, self.columns, Task(ReadBlocks(self.columns)))

    def collect(self, title: str) -> pl.DataFrame:
        """Return all rows in this process."""
        table = self._cluster.run(title, self.blocks().toArrow)
        if table.nbytes > self._cluster.most_collected:
            raise ClusterError(
                f"The result of {title} is too large for this process.", "Give it more memory (--memory)."
            )
        frames = list(frames_of(table.to_batches()))
        return pl.concat(frames, rechunk=True) if frames else pl.DataFrame(schema=self.columns)

    def blocks(self, task: Task | None = None) -> "DataFrame":
        """Return the blocks that are made of all rows."""
        source = self._source.frame if isinstance(self._source, _Staged | _Union) else self._source
        return made_of(source, task or self._task)


class _Staged:
    """Blocks in the staging folder, as long as somebody needs them."""

    def __init__(self, staging: Staging) -> None:
        self._staging, self._path = staging, staging.new_path()

    def write(self, blocks: "DataFrame") -> None:
        self._staging.write(blocks, self._path)
        self.frame = self._staging.read(self._path, self)


class _Union:
    """Blocks that are made of several, whose rows are held as long as somebody needs them."""

    def __init__(self, each: "Sequence[SparkPartitions]") -> None:
        self._each = each
        first, *others = (one.blocks() for one in each)
        self.frame = reduce(lambda left, right: left.union(right), others, first)


@dataclass(frozen=True)
class _OfBatches:
    """A function of batches, which do not care about the number of their partition."""

    function: BatchFunction

    def __call__(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        return self.function(rows)
