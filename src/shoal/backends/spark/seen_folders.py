"""Folders of this machine that executors write to must be seen there under the same path."""

import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError, WriteError

from .spark_partitions import Cluster

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["refuse_unseen"]

_TASKS_A_CORE = 4
"""So many tasks look for the folder on each core, as Spark may give some cores none."""


def refuse_unseen(cluster: Cluster, folder: Path) -> None:
    """Refuse a folder that some executor does not see: a file is made in it, and tasks look for it."""
    mark = folder / f".shoal-{os.urandom(8).hex()}"
    try:
        mark.touch(mode=0o600)
    except OSError as error:
        raise WriteError(folder, error) from None
    try:
        context = cluster.session.sparkContext
        n = context.defaultParallelism * _TASKS_A_CORE
        # a function of its own, which Spark sends as it is
        look: Any = lambda batches, mark=str(mark): _unseen(mark, batches)  # noqa: E731
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Spark looks for pandas, which nothing here uses
            unseen = cluster.session.range(0, n, numPartitions=n).mapInArrow(look, "unseen int")
        missing = cluster.run("looking for the folder on executors", unseen.count)
    finally:
        mark.unlink(missing_ok=True)
    if missing:
        raise InputError(
            f"Executors do not see {folder.parent} as this process does.",
            "Write to a folder of a file system that all machines share, under the same path and as the same user.",
        )


def _unseen(mark: str, batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa

    for _ in batches:  # one that may not write beside the file is no better than one that does not see it
        if not Path(mark).exists() or not os.access(Path(mark).parent, os.W_OK):
            yield pa.RecordBatch.from_arrays([pa.array([1], pa.int32())], ["unseen"])
