"""Holding signals off for a moment, and finding the one behind another error."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["SIGNALS", "interruption_behind", "uninterrupted"]

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals by which a run is asked to stop."""


def interruption_behind(error: BaseException) -> KeyboardInterrupt | None:
    """Return the interruption that an error came from, if it came from one."""
    seen: set[int] = set()
    behind: BaseException | None = error
    while behind is not None and id(behind) not in seen:
        if isinstance(behind, KeyboardInterrupt):
            return behind
        seen.add(id(behind))
        behind = behind.__cause__ or behind.__context__
    return None


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait until the block is left: for a few quick steps of which none may be done without the others."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled in the main thread alone
        return
    waiting: list[int] = []
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    handled = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handled:
        signal.signal(number, lambda received, _: waiting.append(received))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(waiting):
            signal.raise_signal(number)
