"""The backend on a cluster of Apache Spark."""

import math
import os
import pickle
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from weakref import WeakSet

import polars as pl

from shoal.backends.base import Backend, InParts, Scannable, Shared
from shoal.backends.division import METHOD_BYTES, WORKING_COPIES, row_bytes
from shoal.backends.row_numbers import number_column
from shoal.errors import FileError, InputError, InternalError

from .ranges import ranges_of
from .seen_folders import refuse_unseen
from .session import LOCAL_MASTERS, new_session, session_for_jobs
from .spark_partitions import Cluster, SparkPartitions
from .spark_table import OnCluster, SparkTable
from .staging import Staging
from .tasks import ReadColumns, ReadRanges, Task

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SparkBackend"]

T = TypeVar("T")

_LARGEST_BATCH = 1 << 20
_LARGEST_PLAN = 1 << 26


class _AsBytes:
    """A value that is pickled as bytes, and is itself again where it is read.

    Spark encrypts what it sends piece by piece, and cannot do so with large arrays, which pickle hands over as buffers.
    """

    def __init__(self, value: object) -> None:
        self.value = value

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle.loads, (pickle.dumps(self.value, pickle.HIGHEST_PROTOCOL),)


class _Broadcast(Shared[T]):
    """A value that Spark sends to each executor once.

    This process keeps its own: Spark would wait for ever to read back what is larger than the buffer of a socket.
    """

    def __init__(self, sent: "Broadcast[Any]", value: T) -> None:
        self._sent, self._own = sent, (value,)

    def __getstate__(self) -> dict[str, Any]:
        return {"_sent": self._sent, "_own": ()}

    @property
    def value(self) -> T:
        return self._own[0] if self._own else self._sent.value


class SparkBackend(Backend):
    """Runs on a cluster, of which this process is the driver."""

    name: ClassVar[str] = "spark"

    def __init__(
        self,
        spark: "str | SparkSession",
        staging: str | None = None,
        *,
        temporary: str | None = None,
        task_memory: int = 1 << 29,
        memory: int = 1 << 30,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Run on the cluster of a master's address, or of a session.

        ``staging`` is a folder that all executors see, in which a private one is made; on this machine it need not be
        given, and is ``temporary`` or the one for temporary files. ``task_memory`` and ``memory`` are how many bytes a
        task on an executor, and this process, may take; ``settings`` are those of Spark.
        """
        self._memory = memory
        self._began = new_session(spark, settings or {}) if isinstance(spark, str) else None
        session: Any = self._began or spark
        try:
            ours = session_for_jobs(session)
            folder = Staging(ours, staging or _local_folder(session.sparkContext.master, temporary))
        except BaseException:
            self._end()
            raise
        self._cluster = Cluster(ours, folder, task_memory, memory // 4)
        self._sent: WeakSet[Broadcast[Any]] = WeakSet()  # one that no function needs any more is let go
        self._views: list[str] = []

    def __exit__(self, *_: object) -> None:
        for sent in self._sent:
            sent.destroy()
        for view in self._views:
            self._cluster.session.catalog.dropGlobalTempView(view)
        self._cluster.staging.remove()
        self._end()

    def _end(self) -> None:
        if self._began is not None:
            self._began.stop()

    def scan(self, file: Scannable, *columns: str, number: str | None = None) -> SparkPartitions:
        """Return these columns of a file, or of a DataFrame of Spark; of a file with the numbers of rows, if asked."""
        table = file.spark_table if isinstance(file, OnCluster) else file
        if isinstance(table, SparkTable):
            if number is not None:
                raise InternalError("The rows of a DataFrame of Spark have no numbers.")
            types = {name: table.columns[name] for name in columns}
            rows = self._within(table.selected(*columns))
            return SparkPartitions(self._cluster, rows, types, Task(ReadColumns(types)))
        types = dict(file.scan.select(columns).collect_schema())
        per_batch = self._cluster.task_memory // (WORKING_COPIES * max(1, row_bytes(types)))
        per_batch = min(_LARGEST_BATCH, max(1, per_batch))
        parts = (file.parts if isinstance(file, InParts) else ()) or ((file.scan, file.rows),)
        ranges = ranges_of(parts, per_batch)
        plans = _serialized(file.name, [scan.select(columns) for scan, _ in parts])
        read = ReadRanges(file.name, self.shared(plans), self.shared(ranges), per_batch, number)
        # small parts are read several in a task
        n = max(1, min(len(ranges), max(math.ceil(file.rows / per_batch), self._cluster.slots)))
        numbers = self._cluster.session.range(0, len(ranges), numPartitions=n)
        return SparkPartitions(self._cluster, numbers, {**types, **number_column(number)}, Task(read))

    def _within(self, frame: "DataFrame") -> "DataFrame":
        """Return a DataFrame within the session of our jobs; views are what sessions share."""
        view = f"shoal_{os.urandom(8).hex()}"
        frame.createGlobalTempView(view)
        self._views.append(view)
        return self._cluster.session.table(f"global_temp.{view}")

    def shared(self, value: T) -> Shared[T]:
        """Return a value for functions to use."""
        sent = self._cluster.session.sparkContext.broadcast(_AsBytes(value))
        self._sent.add(sent)
        return _Broadcast(sent, value)

    def refuse_unseen(self, *folders: Path) -> None:
        """Refuse folders that not all executors see."""
        for folder in folders:
            refuse_unseen(self._cluster, folder)

    @property
    def memory(self) -> int:
        """How many bytes this process may take."""
        return self._memory

    @property
    def most_records(self) -> int:
        """How many records may be together in one partition for a method that works in memory."""
        return self._cluster.task_memory // METHOD_BYTES


def _serialized(name: str, scans: Sequence[pl.LazyFrame]) -> tuple[bytes, ...]:
    cure = "Write it as Parquet to a folder that all executors see."
    try:
        plans = tuple(scan.serialize() for scan in scans)
    except Exception:  # noqa: BLE001 - whatever a source made in Python fails with
        raise FileError(f"{name} cannot be read by the executors: it is read by this process alone.", cure) from None
    if sum(map(len, plans)) > _LARGEST_PLAN:
        raise FileError(f"{name} is in the memory of this process, and too large to be sent to executors.", cure)
    return plans


def _local_folder(master: str, temporary: str | None) -> str:
    if not master.startswith(LOCAL_MASTERS):
        raise InputError(
            "A cluster needs a staging folder that all executors see.",
            "Name one: --spark-staging /shared/staging, or hdfs:///user/me/staging.",
        )
    return temporary or tempfile.gettempdir()
