"""The supervisor of jobs: it starts workers as cores and memory allow, sees how they end, and stops them when asked.

It is one thread. What it knows is in the table of jobs and in their folders, so after a restart it goes on: a worker
that still runs is watched further, one that has ended is told as it ended, and one that is gone without a word is lost.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.server.problems import problem
from shoal.server.settings import Limits
from shoal.server.store import JobRow, Jobs

from .folder import JobFolder, Order
from .leftovers import cleared
from .processes import start_of
from .worker import TAKEN

__all__ = ["Supervisor"]

_log = logging.getLogger("shoal.server")

_PAUSE = 0.1  # seconds between two looks at the workers
_IDLE = 1.0  # seconds between two looks where there are none
_GRACE = 5.0  # seconds that a folder which is taken may stay without the number of its process; and books away


@dataclass
class _Worker:
    """A process at work on a job."""

    job: JobRow
    pid: int
    started: str | None
    """None: the process is a child of ours that has not written its beginning down yet."""
    child: "subprocess.Popen[bytes] | None" = None
    kill_at: float | None = None

    def has_ended(self) -> bool:
        if self.child is not None:
            return self.child.poll() is not None
        return start_of(self.pid) != self.started

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the worker and to every process that it started."""
        if self.has_ended():
            return
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return


class Supervisor:
    """Runs the jobs of a service."""

    def __init__(self, jobs: Jobs, folder: Path, limits: Limits, ended: Callable[[JobRow], None]) -> None:
        """``ended`` is called for each job that has ended, before its state says so."""
        self._jobs, self._folder, self._limits, self._ended = jobs, folder, limits, ended
        self._workers: dict[str, _Worker] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        """Take up what an earlier service has left, and go on from there."""
        for job in self._jobs.in_state("running", "queued"):
            self._tried(self._take_up, job)
        self._thread.start()

    def stop(self) -> None:
        """Ask every worker to stop, and wait for them; what cannot be written down now, the next service tells."""
        self._stopped.set()
        self._wake.set()
        self._thread.join()
        with self._lock:
            workers = [*self._workers.values()]
        for worker in workers:
            self._ask_to_stop(worker)
        deadline = time.monotonic() + self._limits.patience + _GRACE
        while self._workers and time.monotonic() < deadline:
            self._look()
            time.sleep(_PAUSE)

    def folder_of(self, id_: str) -> JobFolder:
        """Return the folder of a job."""
        return JobFolder(self._folder / id_)

    def submit(self, job: JobRow, order: Order) -> None:
        """Let a job that was written down wait for its turn."""
        self.folder_of(job.id).make(order)
        self._wake.set()

    def cancel(self, id_: str) -> None:
        """Ask a job to stop; one that does not is killed."""
        with self._lock:
            worker = self._workers.get(id_)
            if worker is None:
                told = problem(409, "The job was canceled before it began.")
                self._jobs.end(id_, "cancelled", problem=told)  # unless it is over, or just now beginning
            else:
                self._ask_to_stop(worker)
        self._wake.set()

    def _ask_to_stop(self, worker: _Worker) -> None:
        if worker.kill_at is None:
            worker.kill_at = time.monotonic() + self._limits.patience
            worker.send(signal.SIGTERM)

    def _run(self) -> None:
        while not self._stopped.is_set():
            looked = self._tried(self._look)
            started = self._tried(self._start_waiting)
            self._wake.wait(_PAUSE if self._workers and looked and started else _IDLE)
            self._wake.clear()

    @staticmethod
    def _tried(step: Callable[..., None], *arguments: object) -> bool:
        """Do something that is tried again later if it fails: a disk that is full, a database that is away, may pass.

        Whatever it is that fails, it costs one job: the others are looked after all the same.
        """
        try:
            step(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, the thread must live
            _log.warning("%s failed (%s); it is tried again", step.__name__.strip("_"), type(error).__name__)
            return False
        return True

    def _look(self) -> None:
        """See which workers have ended, and kill those that were asked to and did not."""
        with self._lock:
            workers = [*self._workers.values()]
        for worker in workers:
            if worker.has_ended():
                self._tried(self._settle, worker)
            elif worker.kill_at is not None and time.monotonic() >= worker.kill_at:
                worker.send(signal.SIGKILL)

    def _settle(self, worker: _Worker) -> None:
        """Write down how a worker ended."""
        if worker.child is not None and worker.child.returncode == TAKEN and self._adopt(worker.job):
            return
        self._tell(worker.job, killed=worker.kill_at is not None)
        with self._lock:
            self._workers.pop(worker.job.id, None)

    def _tell(self, job: JobRow, *, killed: bool) -> None:
        outcome = self.folder_of(job.id).outcome() or self._given(job)
        if outcome is None:
            lost = problem(500, "The process of the job ended without a word: it crashed, or memory ran out.")
            stopped = problem(409, "The job was canceled; it did not stop by itself and was killed.")
            state = "cancelled" if killed else "failed" if self._began_here(job) else "lost"
            self._jobs.end(job.id, state, problem=stopped if killed else lost)
            return
        if outcome["state"] == "done":
            self._ended(job)
        self._jobs.end(job.id, outcome["state"], result=outcome["result"], problem=outcome["problem"])

    def _began_here(self, job: JobRow) -> bool:
        """Tell whether the worker was a child of this service, so that nothing else can have happened to it."""
        worker = self._workers.get(job.id)
        return worker is not None and worker.child is not None

    def _given(self, job: JobRow) -> dict[str, Any] | None:
        """Remove what a killed worker has left; or return its outcome, where the desk counts its release as given."""
        try:
            order = self.folder_of(job.id).order
        except (OSError, ValueError):
            return None
        given = cleared(order)
        return None if given is None else {"state": "done", "result": given, "problem": None}

    def _start_waiting(self) -> None:
        """Start as many jobs as cores and memory allow, in the order in which they came."""
        for job in self._jobs.in_state("queued"):
            with self._lock:
                running = [each.job for each in self._workers.values()]
                fits = sum(each.memory for each in running) + job.memory <= self._limits.memory
                if len(running) >= self._limits.running or (running and not fits):
                    return  # those behind it wait too, or a large job would never have its turn
                if job.id not in self._workers:
                    self._start(job)

    def _start(self, job: JobRow) -> None:
        threads = str(max(1, (os.cpu_count() or 1) // self._limits.running))
        environment = {**os.environ, "NUMBA_NUM_THREADS": threads, "POLARS_MAX_THREADS": threads}
        folder = self.folder_of(job.id)
        output = os.open(folder.path / "output", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        try:
            child = subprocess.Popen(
                [sys.executable, "-m", "shoal.server.work.worker", str(folder.path)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        finally:
            os.close(output)
        worker = self._workers[job.id] = _Worker(job, child.pid, None, child)
        if not self._jobs.begin(job.id, child.pid, start_of(child.pid) or ""):
            self._ask_to_stop(worker)  # it was cancelled just now

    def _take_up(self, job: JobRow) -> None:
        """Go on with a job that an earlier service knew."""
        if job.state == "queued" and not self.folder_of(job.id).path.is_dir():
            self._jobs.end(job.id, "lost", problem=problem(500, "The service was stopped before the job could begin."))
        elif not self._adopt(job) and (job.state == "running" or self.folder_of(job.id).process() is not None):
            self._tell(job, killed=False)

    def _adopt(self, job: JobRow) -> bool:
        """Watch a worker that somebody else started; False if it is gone."""
        deadline = time.monotonic() + _GRACE
        found = self.folder_of(job.id).process()
        while found is None and job.state == "running" and time.monotonic() < deadline:
            if job.pid is None or start_of(job.pid) is None:
                return False
            time.sleep(_PAUSE)  # its process has begun, and has not written it down yet
            found = self.folder_of(job.id).process()
        if found is None or start_of(found[0]) != found[1]:
            return False
        if job.state == "queued":
            self._jobs.begin(job.id, *found)
        with self._lock:
            self._workers[job.id] = _Worker(job, found[0], found[1])
        return True
