"""Jobs of Spark that are watched: their progress is heard here, and they end with whoever asked for them."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from shoal.progress import stage

if TYPE_CHECKING:
    from pyspark import SparkContext

__all__ = ["watched"]

T = TypeVar("T")

_PAUSE = 0.1
"""Seconds between two looks at a job."""


class _Action(Generic[T]):
    """What a thread does, and what came of it."""

    def __init__(self, context: "SparkContext", title: str, action: Callable[[], T]) -> None:
        self._context, self._title, self._action = context, title, action
        self.group = f"shoal-{os.urandom(8).hex()}"
        self.result: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do it, in a group of jobs of its own."""
        self._context.setJobGroup(self.group, self._title, interruptOnCancel=True)
        try:
            self.result.append(self._action())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            self.error = error

    def tasks(self) -> tuple[int, int]:
        """Return how many tasks there are, and how many are done."""
        tracker = self._context.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self.group)]
        stages = [tracker.getStageInfo(number) for job in jobs if job for number in job.stageIds]
        known: list[Any] = [each for each in stages if each]
        return sum(each.numTasks for each in known), sum(each.numCompletedTasks for each in known)


def watched(context: "SparkContext", title: str, action: Callable[[], T]) -> T:
    """Return what an action of Spark gives, and report its tasks as they are done.

    The action runs in a thread, as it says nothing before it is over; only this one has somebody who hears of progress.
    """
    from pyspark import InheritableThread

    work = _Action(context, title, action)
    thread = InheritableThread(target=work.run)
    thread.start()
    try:
        _report(work, title, thread)
    except BaseException:
        context.cancelJobGroup(work.group)
        raise
    if work.error is not None:
        raise work.error
    return work.result[0]


def _report(work: _Action[Any], title: str, thread: Any) -> None:
    """Wait for the thread, telling how many tasks are done from the moment on when it is known how many there are."""
    total = seen = 0
    while thread.is_alive() and not total:
        thread.join(_PAUSE)
        total, _ = work.tasks()
    with stage(title, total or None) as progress:
        while thread.is_alive():
            thread.join(_PAUSE)
            _, done = work.tasks()
            progress.advance(max(0, min(done, total) - seen))  # a lost task is done again
            seen = max(seen, min(done, total))
        if work.error is None:
            progress.advance(total - seen)
