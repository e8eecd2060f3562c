"""Errors that come from another machine, without a value of a record on the way.

Spark writes the text of an exception to its logs and into the exception that this process gets. So whatever fails in a
task is replaced there: an error of ours by itself, as its messages hold no values, and any other by its type and the
line of our code that it came from.
"""

import errno
import json
import re
import traceback
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from shoal import errors
from shoal.errors import ClusterError, InternalError, ShoalError, WriteError

__all__ = ["TaskFailure", "failure_behind", "foreign_failures", "told_failures"]

_MARK = "shoal-failure:"


class TaskFailure(Exception):  # noqa: N818 - it says what happened to the task
    """A failure in a task, in words that anybody may read."""


@contextmanager
def told_failures() -> Iterator[None]:
    """Replace whatever fails in this block, in a task, by what may be told of it."""
    try:
        yield
    except ShoalError as error:
        raise TaskFailure(_written(type(error).__name__, error.message, error.cure)) from None
    except MemoryError:
        raise TaskFailure(_written("ClusterError", "A task ran out of memory on its executor.", _MORE_MEMORY)) from None
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - its text may quote the data
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f"{last.name} ({last.filename.rpartition('/')[2]}, line {last.lineno})"
        message = f"A function failed on the cluster with {type(error).__name__} in {place}."
        raise TaskFailure(_written("InternalError", message, "")) from None


def _written(kind: str, message: str, cure: str) -> str:
    return _MARK + b64encode(json.dumps([kind, message, cure]).encode()).decode()


@contextmanager
def foreign_failures(title: str, folder: str) -> Iterator[None]:
    """Tell failures of Spark, Java and the connection between them in our words."""
    try:
        yield
    except ShoalError:
        raise
    except Exception as error:  # noqa: BLE001 - there are many kinds
        raise failure_behind(error, title, folder) from None


def failure_behind(error: Exception, title: str, folder: str) -> ShoalError:
    """Return what an exception of Spark stands for; its own text may quote the data and is not passed on."""
    text = str(error)
    if found := re.search(rf"{_MARK}([A-Za-z0-9+/=]+)", text):
        return _read(found[1])
    if "No space left on device" in text:
        return WriteError(folder, errno.ENOSPC)
    for marks, message, cure in _FAILURES:
        if any(mark in text for mark in marks):
            return ClusterError(message.format(title=title), cure)
    return ClusterError(f"Spark failed while {title} ({type(error).__name__}).", _SEE_LOGS)


_MORE_MEMORY = (
    "Give executors more memory beside that of Java (spark.executor.memoryOverhead), or fewer cores each "
    "(spark.executor.cores=1)."
)
_SEE_LOGS = "The logs of its executors say why: they may lack memory, a package, or a folder that all of them see."
_FAILURES = (
    (
        ("spark.driver.maxResultSize",),
        "The result of {title} is too large for this process.",
        "Give it more memory (--memory, spark.driver.memory and spark.driver.maxResultSize).",
    ),
    (
        ("ModuleNotFoundError", "No module named"),
        "Executors could not run {title}: their Python lacks a package.",
        "Install shoal[spark] there, in the versions that are here, or ship an environment with it (spark.archives).",
    ),
    (
        ("PYTHON_VERSION_MISMATCH",),
        "Executors could not run {title}: their Python is of another version than this one.",
        "Set PYSPARK_PYTHON to the same version there.",
    ),
    (
        ("OutOfMemoryError", "Python worker exited unexpectedly", "exit code 137", "exit status: 137"),
        "A process on an executor was ended while {title}, most likely for lack of memory.",
        _MORE_MEMORY,
    ),
    (
        ("ExecutorLostFailure", "FetchFailed", "Master removed our application", "All masters are unresponsive"),
        "Too many executors were lost while {title}.",
        f"Run it again. {_SEE_LOGS}",
    ),
    (
        ("SparkContext was shut down", "stopped SparkContext", "Connection refused", "Answer from Java side is empty"),
        "The session of Spark ended while {title}.",
        "Run it again with more memory for the driver (spark.driver.memory), or see its logs.",
    ),
)
"""What the text of a failure contains, what that means, and what to do."""


def _read(written: str) -> ShoalError:
    kind, message, cure = json.loads(b64decode(written))
    failure = getattr(errors, kind, InternalError)
    made = failure.__new__(failure)
    ShoalError.__init__(made, message, cure)  # subclasses make their message of other things
    return made
