"""Measures experiments point by point, several at a time; what was measured is kept at once, and not measured again."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.catalog import experiments
from experiments.data import missing
from experiments.experiment import Experiment, Point, Size
from experiments.results import RESULTS, Results
from shoal.errors import ShoalError

__all__ = ["run"]

_THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
Measured = tuple[list[dict[str, Any]], float]


def run(
    chosen: Sequence[Experiment],
    size: Size,
    workers: int,
    say: Callable[[str], None] = print,
    folder: Path = RESULTS,
) -> bool:
    """Measure what is missing of these experiments; return whether everything was measured."""
    whole = True
    waiting: list[tuple[Results, Point]] = []
    for experiment in chosen:
        if absent := missing(experiment.data, size):
            say(f"{experiment.id}: left out, for the data are not here: {', '.join(absent)}")
            whole = False
            continue
        results = Results.read(experiment, size, folder)
        results.begin()
        waiting += [(results, point) for point in results.remaining()]
    say(f"{len(waiting)} points to measure, {workers} at a time")
    began, finished = time.perf_counter(), 0
    for results, point, outcome in _measured(waiting, workers):
        finished += 1
        left = (time.perf_counter() - began) / finished * (len(waiting) - finished)
        where = f"[{finished}/{len(waiting)}] {results.experiment.id} {_settings(point)}"
        if isinstance(outcome, BaseException):
            whole = False
            say(f"{where}: failed: {_fault(outcome)}")
            continue
        rows, seconds = outcome
        results.keep(point, rows, seconds)
        say(f"{where}: {seconds:.1f} s; about {_minutes(left)} left")
    return whole


def measure_point(identifier: str, point: Point) -> Measured:
    """Measure one point, in whatever process this is."""
    began = time.perf_counter()
    rows = [dict(row) for row in experiments()[identifier].measure(point)]
    return rows, time.perf_counter() - began


def _measured(
    waiting: Sequence[tuple[Results, Point]], workers: int
) -> Iterator[tuple[Results, Point, Measured | BaseException]]:
    """Yield each point as soon as it is measured. A process keeps one core, so that times compare."""
    context = multiprocessing.get_context("spawn")
    with _one_thread_each(), ProcessPoolExecutor(workers, mp_context=context) as pool:
        running: dict[Future[Measured], tuple[Results, Point]] = {}
        rest = iter(waiting)
        for results, point in rest:
            running[pool.submit(measure_point, results.experiment.id, point)] = results, point
            if len(running) < 2 * workers:  # few are handed out at a time, so that little is lost when it is stopped
                continue
            yield from _first(running)
        while running:
            yield from _first(running)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let processes that begin inside this block run on one thread: libraries ask the environment when they load."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _first(
    running: dict["Future[Measured]", tuple[Results, Point]],
) -> Iterator[tuple[Results, Point, Measured | BaseException]]:
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        results, point = running.pop(future)
        error = future.exception()
        yield results, point, future.result() if error is None else error


def _fault(error: BaseException) -> str:
    """Say what went wrong: of a foreign error only the kind, for its text may hold a value of a record."""
    return error.message if isinstance(error, ShoalError) else type(error).__name__


def _settings(point: Point) -> str:
    return " ".join(f"{name}={value}" for name, value in point.settings.items())


def _minutes(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 90
        else f"{seconds / 60:.0f} min"
        if seconds < 5400
        else f"{seconds / 3600:.1f} h"
    )
