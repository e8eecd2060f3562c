"""The points of a sweep on several cores: each worker is a process of its own and holds the records once.

A worker that dies (the system ran out of memory, say) costs its own point and no other.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import connection, resource_tracker
from typing import Any

import numpy as np

from shoal.data import Records
from shoal.errors import InternalError
from shoal.interruptions import uninterrupted
from shoal.kernels.compiled import get_num_threads, set_num_threads

from .point import Failure, Point, Terms, run_point

__all__ = ["run_points"]

_READY = "ready"
_FEW = 500  # records: enough that a method takes all its turns

Outcome = dict[str, Any] | Failure


def run_points(records: Records, points: Sequence[Point], terms: Terms, jobs: int) -> Generator[Outcome, None, None]:
    """Return the outcome of each point as it comes to its end; one job at a time runs in this process."""
    if jobs == 1 or len(points) < 2:
        run = _WarmRun(records, terms)
        yield from (run(point) for point in points)
    else:
        yield from _side_by_side(records, points, terms, min(jobs, len(points)))


class _WarmRun:
    """Run points; each method first on a few records, so that no point's time is that of compiling kernels."""

    def __init__(self, records: Records, terms: Terms) -> None:
        self._records, self._terms = records, terms
        self._warm: set[str] = set()

    def __call__(self, point: Point) -> Outcome:
        if point.method.name not in self._warm:
            few = np.arange(min(max(_FEW, 4 * point.promise.fewest_records), len(self._records)))
            run_point(self._records.take(few), replace(point, measures=()), self._terms)
            self._warm.add(point.method.name)
        return run_point(self._records, point, self._terms)


def _side_by_side(records: Records, points: Sequence[Point], terms: Terms, jobs: int) -> Generator[Outcome, None, None]:
    waiting = deque(points)
    workers: dict[connection.Connection, _Worker] = {}
    try:
        while waiting or workers:
            new: list[_Worker] = []
            for _ in range(min(jobs - len(workers), len(waiting))):
                with uninterrupted():  # half a worker has no end, and complains; and whoever is known is ended
                    new.append(_Worker(jobs))
                    workers[new[-1].pipe] = new[-1]
            for worker in new:  # all of them start up while the first is sent its records
                worker.send((records, terms), waiting.popleft())
            for pipe in connection.wait(list(workers)):
                worker = workers[pipe]  # type: ignore[index]
                outcome = worker.outcome()
                if outcome == _READY:
                    continue
                yield outcome
                if worker.died or not waiting:
                    workers.pop(pipe).end()  # type: ignore[arg-type]
                else:
                    worker.send(waiting.popleft())
    finally:
        for worker in workers.values():
            worker.end()


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads can hang
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, jobs), daemon=True)
        resource_tracker.ensure_running()  # the first start would start it too, and let interruptions through again
        with _deaf():
            self._process.start()
        theirs.close()  # or the end of the worker would not be the end of the pipe
        self._began = self.died = False
        self._point: Point | None = None

    def send(self, *parts: Any) -> None:
        """Send the worker a point to run, the first time with the records."""
        self._point = parts[-1]
        try:
            for part in parts:
                self.pipe.send(part)
        except OSError:
            pass  # it died, which shows at the other end of the pipe

    def outcome(self) -> Any:
        """Return what the worker sent; that of a worker that died is a failure."""
        try:
            published = self.pipe.recv()
        except (EOFError, OSError):
            return self._death()
        self._began = True
        return published

    def _death(self) -> Failure:
        if not self._began:
            raise InternalError(
                "A worker process could not be started.",
                'In a script, call shoal.sweep under `if __name__ == "__main__":`, or with jobs=1.',
            )
        assert self._point is not None
        self.died = True
        return Failure(*self._point.key, "Its process died, perhaps for lack of memory.")

    def end(self) -> None:
        """Let the process go, whatever it is doing."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()  # last: a worker that is still there would complain of half a message


@contextmanager
def _deaf() -> Iterator[None]:
    """Let the process that is started here begin without interruptions, which go to all processes of a terminal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: connection.Connection, jobs: int) -> None:
    """Run points until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's to handle
    threading.Thread(target=_die_with_parent, daemon=True).start()
    set_num_threads(max(get_num_threads() // jobs, 1))
    try:
        run = _WarmRun(*pipe.recv())
        pipe.send(_READY)
        while True:
            pipe.send(run(pipe.recv()))
    except (EOFError, ConnectionError):
        return  # nobody is there any more


def _die_with_parent() -> None:
    """End with a parent that was killed, instead of finishing a point that nobody waits for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
