"""Progress of long work, reported to whoever listens.

The library says what it is doing with :func:`stage`; nobody hears it unless an interface installs a listener with
:func:`listening`. So no function has to hand a progress bar down to the next. In a notebook, and nowhere else, somebody
listens without being asked: :mod:`.notebook_bars` shows the stages below the cell. :mod:`.stages` is read first.
"""

from .stages import Listener, Stage, listening, stage

__all__ = ["Listener", "Stage", "listening", "stage"]
