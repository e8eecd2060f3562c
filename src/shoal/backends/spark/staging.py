"""A private folder for rows that must not be computed twice, on a file system that all executors see.

Rows are written as Parquet by Spark, which commits the files of one attempt of a task and no other: whatever was drawn
at random in a task that was repeated is there once.
"""

import os
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any

from shoal.assumed import assume
from shoal.errors import ClusterError, WriteError
from shoal.wording.format import format_count

from .blocks import BLOCKS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Staging"]

_OPTIONS = {
    # rows are blocks of some MiB: page and row group must be looked at after each of them
    "parquet.page.size.row.check.min": "1",
    "parquet.page.size.row.check.max": "1",
    "parquet.block.size.row.check.min": "1",
    "parquet.block.size.row.check.max": "1",
    "parquet.block.size": str(1 << 24),
    "parquet.enable.dictionary": "false",
    "mapreduce.fileoutputcommitter.algorithm.version": "1",  # the other one may leave files of a task that failed
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}


_PREFIX = "shoal-"


class Staging:
    """A folder of staged rows; they are removed when nobody needs them, at the latest with the folder."""

    def __init__(self, session: "SparkSession", folder: str) -> None:
        """Make a new folder within one."""
        self._session = session
        self.path = f"{folder.rstrip('/')}/{_PREFIX}{os.urandom(8).hex()}"
        self._unneeded: deque[str] = deque()  # collected objects say so here, and must not call Spark themselves
        self._number = 0
        jvm: Any = session._jvm  # noqa: SLF001 - there is no other way to the file systems of Spark
        java_context: Any = session._jsc  # noqa: SLF001
        self._path_of = jvm.org.apache.hadoop.fs.Path
        self._files = self._path_of(self.path).getFileSystem(java_context.hadoopConfiguration())
        private = jvm.org.apache.hadoop.fs.permission.FsPermission("700")
        self._tell_left(folder)
        self._attempt(lambda: self._files.mkdirs(self._path_of(self.path), private))
        self._attempt(lambda: self._files.setPermission(self._path_of(self.path), private))  # whatever the umask is

    def __repr__(self) -> str:
        return f"Staging({self.path!r})"

    def _tell_left(self, folder: str) -> None:
        """Tell of folders that other runs made: one that was killed cannot remove its own."""
        parent = self._path_of(folder)
        found: list[Any] = []
        self._attempt(lambda: found.extend(self._files.listStatus(parent) if self._files.exists(parent) else ()))
        left = sum(each.getPath().getName().startswith(_PREFIX) for each in found)
        if left:
            told = f"{folder} holds {format_count(left, 'folder')} of other runs ({_PREFIX}*)"
            assume(f"{told}: delete those of runs that are over, as there are records in them.")

    def _attempt(self, action: Any) -> None:
        try:
            action()
        except Exception:  # noqa: BLE001 - of Java
            raise WriteError(self.path) from None

    def new_path(self) -> str:
        """Return a path that nothing is at, once what nobody needs any more is removed."""
        self._clear()
        self._number += 1
        return f"{self.path}/{self._number}"

    def write(self, blocks: "DataFrame", path: str) -> None:
        """Write blocks, each partition to a file; they are counted while they are written and afterwards.

        An executor that does not see the folder writes to its own disk, and nobody else would notice.
        """
        from pyspark.sql import Observation
        from pyspark.sql.functions import count, lit

        written = Observation()
        blocks.observe(written, count(lit(1)).alias("blocks")).write.options(**_OPTIONS).parquet(path)
        if self._session.read.schema(BLOCKS).parquet(path).count() != written.get["blocks"]:
            raise ClusterError(
                f"Rows that executors wrote to {self.path} are not there.",
                "Give a staging folder that this process and all executors see under the same path (--spark-staging).",
            )

    def read(self, path: str, holder: object) -> "DataFrame":
        """Return what was written, each file a partition; it is removed some time after its holder is gone."""
        weakref.finalize(holder, self._unneeded.append, path)
        return self._session.read.schema(BLOCKS).parquet(path)

    def _clear(self) -> None:
        while self._unneeded:
            self._files.delete(self._path_of(self._unneeded.popleft()), True)

    def remove(self) -> None:
        """Remove everything."""
        self._files.delete(self._path_of(self.path), True)
