"""Functions that tests send to executors, which import them by the name of this file."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.backends import Shared


def drawn(batch: pl.DataFrame) -> pl.DataFrame:
    """Add a column of random words."""
    words = [int.from_bytes(os.urandom(8), "little") for _ in range(batch.height)]
    return batch.with_columns(pl.Series("drawn", words, pl.UInt64))


def counted(rows: pl.DataFrame, number: int) -> pl.DataFrame:
    """Return how many rows of each key a partition has."""
    return rows.group_by("key").agg(pl.len().alias("rows")).with_columns(pl.lit(number).alias("partition"))


def heights(rows: pl.DataFrame, number: int) -> pl.DataFrame:
    """Return how many rows a partition has."""
    return pl.DataFrame(
        {"partition": [number], "rows": [rows.height]}, schema={"partition": pl.Int64, "rows": pl.UInt32}
    )


def n_keys(rows: pl.DataFrame, _: int) -> pl.DataFrame:
    """Return how many different keys a partition has."""
    return pl.DataFrame({"keys": [rows["key"].n_unique()]}, schema={"keys": pl.UInt32})


@dataclass(frozen=True)
class AddsUp:
    """Adds up numbers that were shared."""

    numbers: Shared[np.ndarray]

    def __call__(self, _: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame({"sum": [int(self.numbers.value.sum())]}, schema={"sum": pl.Int64})


@dataclass(frozen=True)
class KillsAnExecutor:
    """Kills the executor that it runs on, the first time it is called, and passes batches on the next times."""

    marker: Path

    def __call__(self, batch: pl.DataFrame) -> pl.DataFrame:
        try:
            self.marker.touch(exist_ok=False)
        except FileExistsError:
            return batch
        time.sleep(1)  # other tasks are done by then, and their results lost
        os.kill(_executor(), signal.SIGKILL)
        time.sleep(60)  # the signal is on its way
        raise AssertionError

    def after_step(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Do the same as a step of a task."""
        return self(rows)


@dataclass(frozen=True)
class KillsEveryExecutor:
    """Kills the executor that it runs on, each time it is called."""

    def after_step(self, rows: pl.DataFrame, _: int) -> pl.DataFrame:
        """Do so as a step of a task."""
        os.kill(_executor(), signal.SIGKILL)
        time.sleep(60)  # the signal is on its way
        return rows


def dying(method: Callable[..., Any], deaths: Mapping[str, KillsAnExecutor | KillsEveryExecutor]) -> Callable[..., Any]:
    """Return a method that kills an executor where what has such a title is done, at the end of a task."""
    from shoal.backends.spark.spark_partitions import SparkPartitions

    def died(rows: SparkPartitions, *settings: Any) -> Any:
        if kills := deaths.get(settings[-1]):
            task = replace(rows._task, steps=(*rows._task.steps, kills.after_step))
            rows = SparkPartitions(rows._cluster, rows._source, rows.columns, task)
        return method(rows, *settings)

    return died


def _executor() -> int:
    """Return the process of the executor: the parent of the process that workers are forked from."""
    status = Path(f"/proc/{os.getppid()}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])


def sleeps(batch: pl.DataFrame) -> pl.DataFrame:
    """Take longer than anybody waits."""
    time.sleep(120)
    return batch


def quotes_its_data(batch: pl.DataFrame) -> pl.DataFrame:
    """Fail as other libraries do, with a value in the message."""
    raise ValueError(f"cannot read {batch['text'][0]}")


def refuses(batch: pl.DataFrame) -> pl.DataFrame:
    """Fail with an error of our own, which is one with arguments of its own."""
    from shoal.errors import WriteError

    raise WriteError("/there/part-0.parquet", 28)


def sees_nothing(mark: str, batches: Iterable[Any]) -> Iterator[Any]:
    """Look for a file where it is not."""
    from shoal.backends.spark.seen_folders import _unseen

    return _unseen(f"{mark}-elsewhere", batches)
