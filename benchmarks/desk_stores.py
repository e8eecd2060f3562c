"""Where benchmarks of the release desk keep its books: an SQLite file, and a PostgreSQL server of their own.

The server is the one of the tests, which does not wait for the disk. Where none can be started, there is only SQLite.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.postgres_server import postgres_server, why_there_is_none

__all__ = ["best", "desk_stores"]


@contextmanager
def desk_stores(folder: Path) -> Iterator[dict[str, str]]:
    """Return where an empty desk may be made, by the name of the database."""
    file = {"sqlite": str(folder / "desk.sqlite")}
    if why_there_is_none() is not None:
        yield file
        return
    with postgres_server() as address:
        yield {**file, "postgresql": address}


def best(action: Callable[[], Any], repeat: int = 3) -> dict[str, float]:
    """Return the best of some times of an action, and the processor seconds of this process in it.

    What the processor does for a database server is not among them.
    """
    times = []
    for _ in range(repeat):
        began, worked = time.perf_counter(), time.process_time()
        action()
        times.append((time.process_time() - worked, time.perf_counter() - began))
    return {"cpu_seconds": round(min(times)[0], 4), "seconds": round(min(each[1] for each in times), 4)}
