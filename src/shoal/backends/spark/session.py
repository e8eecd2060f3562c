"""The session of Spark: how one is begun, and what is set in one for our jobs alone."""

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from shoal.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["LOCAL_MASTERS", "active_session", "new_session", "session_for_jobs"]

LOCAL_MASTERS = ("local", "local-cluster")
"""What the addresses of clusters on this machine begin with."""

_ONE_THREAD = ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")
_PASSED_ON = ("NUMBA_CACHE_DIR", "PYTHONPATH")

_SETTINGS = {
    "spark.app.name": "shoal",
    "spark.io.encryption.enabled": "true",  # shuffled rows lie on the disks of executors
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",  # what fails is told by this process
}

_FOR_JOBS = {
    "spark.sql.codegen.wholeStage": "false",  # Spark only carries rows, and compiling takes longer
    "spark.sql.adaptive.enabled": "false",  # partitions are divided by us, and their number is told as progress
    # rows of Spark are blocks of some MiB, of which few may be in memory at a time
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(1 << 25),
    "spark.sql.parquet.enableVectorizedReader": "false",
    # each staged file is one partition: none is divided, and none joins another
    "spark.sql.files.maxPartitionBytes": str(1 << 40),
    "spark.sql.files.openCostInBytes": str(1 << 40),
}


def active_session() -> "SparkSession | None":
    """Return the session that there is in this process, if there is one."""
    _require_extra()
    with _no_word_of_pandas():
        from pyspark import sql
    return sql.SparkSession.getActiveSession()


def new_session(master: str | None, settings: Mapping[str, str]) -> "SparkSession":
    """Begin a session; settings are those of Spark, and go before ours.

    Without a master it is the one that ``spark-submit`` was given.
    """
    if active_session() is not None:
        raise InputError(
            "There is a Spark session already.", "Pass the session itself, and not the address of a master."
        )
    environment = {f"spark.executorEnv.{name}": "1" for name in _ONE_THREAD}
    environment |= {f"spark.executorEnv.{name}": os.environ[name] for name in _PASSED_ON if name in os.environ}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # what executors run; there is no setting for it
    from pyspark import sql

    builder = sql.SparkSession.builder if master is None else sql.SparkSession.builder.master(master)
    for name, value in {**_SETTINGS, **environment, **settings}.items():
        builder = builder.config(name, value)
    try:
        with _no_word_of_pandas():
            return builder.getOrCreate()
    except Exception:  # noqa: BLE001 - of Java, or because there is none
        raise InputError(
            f"No session of Spark could be begun on {master or 'its master'}.",
            "Check that Java 17 is installed and the master runs.",
        ) from None


def session_for_jobs(session: "SparkSession") -> "SparkSession":
    """Return a session on the same cluster with settings of its own; those of the given one stay as they are."""
    _require_extra()
    if not hasattr(session, "sparkContext") or type(session).__module__.startswith("pyspark.sql.connect"):
        raise InputError(
            "A session of Spark Connect has no access to the files of the cluster.",
            "Run within the driver, with a session of its own (on Databricks: dedicated compute).",
        )
    ours = session.newSession()
    for name, value in _FOR_JOBS.items():
        ours.conf.set(name, value)
    return ours


def _require_extra() -> None:
    if any(find_spec(name) is None for name in ("pyspark", "pyarrow", "pandas")):
        raise MissingExtraError("Spark needs the extra part 'spark'.", "Run: pip install 'shoal[spark]'")


@contextmanager
def _no_word_of_pandas() -> Iterator[None]:
    """Leave out what Spark says about the version of pandas, which nothing here uses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield
