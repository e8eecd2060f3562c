"""Several columns worked on at a time, while the next batch is being read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

__all__ = ["side_by_side"]


def side_by_side(
    functions: Sequence[Callable[[Any], Any]], batches: Iterable[Sequence[Any]]
) -> Iterator[tuple[Any, ...]]:
    """Give, batch by batch, what each function makes of its column.

    Each function has a thread of its own, so it sees its columns in order and may remember them; compiled loops leave
    the interpreter to the others. One batch is read ahead, no more.
    """
    with ExitStack() as stack:
        threads = [stack.enter_context(ThreadPoolExecutor(1)) for _ in functions]
        ahead: list[Future[Any]] | None = None
        for batch in batches:
            begun = [
                thread.submit(function, column)
                for thread, function, column in zip(threads, functions, batch, strict=True)
            ]
            if ahead is not None:
                yield tuple(future.result() for future in ahead)
            ahead = begun
        if ahead is not None:
            yield tuple(future.result() for future in ahead)
