"""Progress of long work, reported to whoever listens.

The library says what it is doing with :func:`stage`; nobody hears it unless an interface installs a listener with
:func:`listening`. So no function has to hand a progress bar down to the next. In a notebook, and nowhere else, somebody
listens without being asked: :mod:`.notebook_bars` shows the stages below the cell. :mod:`.stages` is read first, then
:mod:`.whole`: how one bar is drawn of all the stages of a job.
"""

from .stages import Listener, Stage, listening, stage
from .whole import Phase, whole

__all__ = ["Listener", "Phase", "Stage", "listening", "stage", "whole"]
