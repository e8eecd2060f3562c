"""What a command shows on standard error while it works: progress bars, and what it had to assume."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import click

from shoal.assumed import assumptions
from shoal.progress import listening

__all__ = ["progress_bars"]

_PATIENCE = 1.0  # seconds before anything is drawn


@contextmanager
def progress_bars(*, quiet: bool) -> Iterator[None]:
    """Draw the stages of the work inside this block, unless quiet or not on a terminal; then say what was assumed."""
    with assumptions() as assumed:
        try:
            with nullcontext() if quiet or not sys.stderr.isatty() else _bars():
                yield
        finally:
            for sentence in assumed:
                click.echo(f"Note: {sentence}", err=True)


@contextmanager
def _bars() -> Iterator[None]:
    bars = _Bars()
    try:
        with listening(bars):
            yield
    finally:
        bars.close()


class _Bars:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._timer = threading.Timer(_PATIENCE, self._progress.start)
        self._timer.daemon = True
        self._timer.start()

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        return self._progress.add_task(name, total=total)

    def advance(self, token: object, amount: int) -> None:
        self._progress.advance(token, amount)  # type: ignore[arg-type]

    def end(self, token: object) -> None:
        self._progress.remove_task(token)  # type: ignore[arg-type]

    def close(self) -> None:
        self._timer.cancel()
        self._timer.join()
        self._progress.stop()
