"""The place that is asked for: a name, or a cluster of Apache Spark with its session.

A session is the one that is given, that of a DataFrame, the one that there is in this process, or a new one, which ends
with the job.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from shoal.backends.engine_name import EngineName
from shoal.backends.spark import Session, is_spark_frame, is_spark_session
from shoal.backends.spark.session import active_session, new_session
from shoal.errors import WordingError

__all__ = ["AskedEngine", "OpenCluster", "Where", "asked_engine"]

_MASTER = "SPARK_MASTER"
_SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""What ``spark-submit`` sets for the process that it begins."""


@dataclass(frozen=True)
class OpenCluster:
    """A cluster, and the folder that all its executors see, where it is said."""

    session: Any
    staging: str | None = None


AskedEngine: TypeAlias = EngineName | Session
"""A name, or a session of Spark."""

Where: TypeAlias = Literal["auto", "local", "stream"] | OpenCluster
"""Where a job is done."""


@contextmanager
def asked_engine(
    engine: AskedEngine | OpenCluster, data: object = None, master: str | None = None, staging: str | None = None
) -> Iterator[Where]:
    """Yield where a job is done; a session that is begun for it ends with the block."""
    if isinstance(engine, OpenCluster):
        yield engine
        return
    if isinstance(engine, str) and engine != "spark" and not (engine == "auto" and is_spark_frame(data)):
        if master is not None or staging is not None:
            raise WordingError(
                "A master or a staging folder of Spark is given, and the job is not done there.", "Add --engine spark."
            )
        if is_spark_frame(data):
            raise WordingError(f"A DataFrame of Spark is not read with --engine {engine}.", "Leave out the engine.")
        yield engine
        return
    given = engine if is_spark_session(engine) else data.sparkSession if is_spark_frame(data) else active_session()
    if given is not None:
        if master is not None:
            raise WordingError("There is a session of Spark, and a master is given as well.", "Leave out the master.")
        yield OpenCluster(given, staging)
        return
    begun = new_session(_master(master), {})
    try:
        yield OpenCluster(begun, staging)
    finally:
        begun.stop()


def _master(given: str | None) -> str | None:
    """Return the address of the master; None where ``spark-submit`` knows it."""
    master = given or os.environ.get(_MASTER)
    if master is None and _SUBMITTED not in os.environ:
        raise WordingError(
            "It is not said which cluster of Spark to use.",
            f"Add --spark-master spark://HOST:7077, set {_MASTER}, or start with spark-submit.",
        )
    return master
