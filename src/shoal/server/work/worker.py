"""The program of a job: ``python -m shoal.server.work.worker FOLDER``. It does what the order in the folder says.

It writes down its own number, its events and, at the very end, how it went. A signal asks it to stop: it leaves through
its open blocks, so that nothing unfinished stays behind.
"""

import fcntl
import gc
import os
import resource
import sys
import warnings
from pathlib import Path
from typing import Any

from shoal.errors import GuaranteeError, ShoalError
from shoal.interruptions import Signals, interruption_behind
from shoal.progress import listening
from shoal.server.problems import problem, problem_of

from .events import EventWriter
from .folder import JobFolder, Order
from .leftovers import cleared
from .processes import start_of
from .runs import run

__all__ = ["TAKEN", "main"]

TAKEN = 75
"""The exit status of a worker that found another one at work in its folder."""
UNSETTLED = 76
"""The exit status of a worker that could not find out what became of its view: the service finds out later."""


def main(path: str) -> int:
    """Do the work of one job."""
    folder = JobFolder(Path(path))
    os.umask(0o077)  # whatever is written here is for the service alone
    with Signals.heard() as signals, folder.lock.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return TAKEN
        if folder.outcome() is not None:
            return 0  # all was done when the service was stopped
        folder.write_process(os.getpid(), start_of(os.getpid()) or "")
        order = folder.order
        _limit_memory(order.memory)
        state, told = _done(folder, order, signals)
        signals.over()
        if state != "done":
            try:
                given = cleared(order)
            except ShoalError:
                return UNSETTLED
            if given is not None:  # the signal came when all was done
                state, told = "done", {"result": given}
        folder.write_outcome(state, **told)
    return 0


def _done(folder: JobFolder, order: Order, signals: Signals) -> tuple[str, dict[str, Any]]:
    """Return how the work went: its state, and the result or the problem."""
    from shoal.desk.actor import acting_as

    try:
        with listening(EventWriter(folder.events)), acting_as(order.actor):
            return "done", {"result": run(order, folder.path)}
    except BaseException as failure:  # noqa: BLE001 - every failure is told
        if signals.received is not None or interruption_behind(failure) is not None:
            return "cancelled", {"problem": problem(409, "The job was canceled; nothing unfinished was left behind.")}
        state = "refused" if isinstance(failure, GuaranteeError) else "failed"
        if os.environ.get("SHOAL_DEBUG"):
            sys.excepthook(type(failure), failure, failure.__traceback__)
        return state, {"problem": problem_of(failure)}


def _limit_memory(most: int) -> None:
    """Let memory that is asked for beyond the limit be refused, and let the system take this process first."""
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")
    except OSError:
        return


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # there is nobody to read them
    status = main(sys.argv[1])
    gc.freeze()
    sys.exit(status)
