"""Progress in a notebook: the stages under way, below the cell that runs them, and gone when the cell is done.

Nothing is shown of work that is done within half a second. Then one output is updated in place a few times a second, by
a thread, because a stage may say nothing for minutes. It needs no widgets. Whether a kernel of IPython runs is asked of
modules that are loaded already; without one, nothing is imported and nothing is shown.
"""

import os
import sys
import threading
import time
from contextvars import copy_context
from typing import Any

__all__ = ["NotebookBars", "notebook_listener"]

_PATIENCE = 0.5  # seconds before anything is drawn
_PAUSE = 0.3  # seconds between two drawings


class _Bar:
    """A stage under way."""

    def __init__(self, name: str, total: int | None) -> None:
        self.name, self.total, self.done = name, total, 0
        self.began = time.monotonic()


class NotebookBars:
    """Draws stages into one output of the cell that is run; it hears one thread, and is heard by the notebook."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._bars: dict[int, _Bar] = {}
        self._lock = threading.Lock()  # of what follows: two threads write to the output
        self._drawer: threading.Thread | None = None
        self._over = threading.Event()
        self._output: str | None = None
        self._drawn = ""

    def begin(self, name: str, total: int | None, parent: object | None = None) -> object:  # noqa: ARG002
        """Start a stage, and somebody to draw it if nobody does yet."""
        bar = _Bar(name, total)
        self._bars[id(bar)] = bar
        if self._drawer is None:
            self._over.clear()
            self._shell.events.register("post_execute", self._end_of_cell)
            context = copy_context()  # it says which cell the output belongs to
            self._drawer = threading.Thread(target=context.run, args=(self._draw_on,), name="shoal", daemon=True)
            self._drawer.start()
        return bar

    def advance(self, token: object, amount: int) -> None:
        """Add to a stage."""
        assert isinstance(token, _Bar)
        token.done += amount

    def end(self, token: object) -> None:
        """Finish a stage, also one that failed or was interrupted."""
        self._bars.pop(id(token), None)

    def _draw_on(self) -> None:
        wait = _PATIENCE
        while not self._over.wait(wait):
            wait = _PAUSE
            self._draw()

    def _draw(self) -> None:
        bars = [*self._bars.values()]
        if bars or self._output is not None:
            self._show("".join(map(_html, bars)), "\n".join(map(_text, bars)))

    def _show(self, html: str, text: str) -> None:
        with self._lock:
            if html == self._drawn:
                return
            first = self._output is None
            self._output = self._output or os.urandom(16).hex()
            self._drawn = html
            data = {"text/html": html, "text/plain": text}
            self._shell.display_pub.publish(data, transient={"display_id": self._output}, update=not first)

    def _end_of_cell(self) -> None:
        """Take everything away, however the cell ended; the next one gets an output of its own."""
        self._shell.events.unregister("post_execute", self._end_of_cell)
        self._over.set()
        if self._drawer is not None:
            self._drawer.join()
        if self._output is not None:
            self._show("", "")
        self._bars.clear()
        self._drawer, self._output, self._drawn = None, None, ""


def _html(bar: _Bar) -> str:
    from html import escape  # no command pays for it

    share = "" if not bar.total else f' value="{min(bar.done / bar.total, 1):.3f}"'
    name = escape(bar.name)
    return f'<div><progress aria-label="{name}"{share}></progress> {name}, {time.monotonic() - bar.began:.0f} s</div>'


def _text(bar: _Bar) -> str:
    return bar.name if not bar.total else f"{bar.name}: {min(bar.done / bar.total, 1):.0%}"


_bars: NotebookBars | None = None
_process = os.getpid()


def notebook_listener() -> NotebookBars | None:
    """Return who shows stages in the notebook that runs this code; None outside of one, and off its main thread."""
    global _bars
    shell = _running_shell()
    if shell is None or os.getpid() != _process or threading.current_thread() is not threading.main_thread():
        return None
    if _bars is None:
        _bars = NotebookBars(shell)
    return _bars


def _running_shell() -> Any:
    """Return the shell of a kernel; None in a script, and in a terminal, where nothing could be updated in place."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if find is None else find()
    return shell if getattr(shell, "kernel", None) is not None else None
