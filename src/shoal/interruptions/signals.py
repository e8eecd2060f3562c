"""Signals that ask a command to stop: it leaves through its open blocks, so that nothing unfinished stays behind."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .holding_off import SIGNALS

__all__ = ["Signals"]

_AGAIN = 0.05  # seconds until a signal that was lost comes again


class Signals:
    """What was received while a command ran, which decides how the command ended."""

    def __init__(self) -> None:
        self.received: int | None = None
        """The first signal that asked the command to stop."""
        self._listens = True

    @classmethod
    @contextmanager
    def heard(cls) -> Iterator["Signals"]:
        """Let signals interrupt the block until it says that its command is over."""
        signals, before = cls(), {number: signal.getsignal(number) for number in SIGNALS}
        unraisable, sys.unraisablehook = sys.unraisablehook, signals._lost
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:  # under nohup a closed terminal is to be survived
                signal.signal(number, signals._stop)
        try:
            yield signals
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            sys.unraisablehook = unraisable

    def over(self) -> None:
        """Heed no more signals: nothing disturbs the report of how the command ended, to the end of the process."""
        self._listens = False
        atexit.unregister(_ignore)
        atexit.register(_ignore)  # the last that is registered is the first that is done

    def _stop(self, number: int, _frame: object) -> None:
        if self._listens:
            self.received = self.received or number
            raise KeyboardInterrupt

    def _lost(self, lost: Any) -> None:
        """Have an interruption repeated that came where Python can only drop it: while an object was being deleted."""
        if isinstance(lost.exc_value, KeyboardInterrupt) and self.received is not None:
            again = threading.Timer(_AGAIN, os.kill, (os.getpid(), self.received))
            again.daemon = True
            again.start()
        else:
            sys.__unraisablehook__(lost)


def _ignore() -> None:
    """Let the process go down in peace: the command is over, and its exit status says how it ended."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
